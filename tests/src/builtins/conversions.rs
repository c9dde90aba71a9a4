//! `convert_` between all types in all modes (OpenCL C 6.4.3), and `as_` (6.4.4).

//@ section 6.4.3 6.4.3.1 6.4.3.2 6.4.3.3 6.4.4.2 in 3.0

use std::sync::Arc;

use super::elementwise::Parameter::{Fixed, Vector};
use super::elementwise::{ALL_WIDTHS, Function, Reference, SCALAR, Width, each};
use super::inputs::{Inputs, Random, any_value, edges};
use super::rounding::{self, Mode, SUFFIXES};
use super::run::Family;
use super::value::{ALL, INTEGERS, Value, limits, name, suffix};
use super::want::Want;
use crate::data::Element;

pub fn family() -> Family {
    let mut functions = Vec::new();
    for from in ALL {
        let inputs = inputs(from);
        for to in ALL {
            pair(from, to, &inputs, &mut functions);
        }
    }
    Family::of_functions("conversions", "CL3.0", functions)
}

/// Edge values, and those between two numbers of a narrower type.
fn inputs(e: Element) -> Arc<Inputs> {
    let mut values = edges(e);
    if e.is_float() {
        for (digits, least) in [(11, -24), (24, -149), (53, -1074)] {
            let step = 2f64.powi(1 - digits);
            let smallest = 2f64.powi(least.max(-1022));
            for x in [
                1.0 + step / 2.0,
                1.0 + step * 1.5,
                1.0 + step * 0.75,
                2.0 - step / 2.0,
                2f64.powi(digits) + 1.0,
                smallest / 2.0,
                smallest * 1.5,
                smallest * 0.75,
                (2.0 - step) * 2f64.powi(15),
                (2.0 - step / 2.0) * 2f64.powi(127),
            ] {
                values.extend([Value::float(e, x), Value::float(e, -x)]);
            }
        }
        for &integer in &INTEGERS {
            let (least, greatest) = limits(integer);
            for limit in [least as f64, greatest as f64] {
                for offset in [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0] {
                    values.push(Value::float(e, limit + offset));
                }
            }
        }
    } else {
        for digits in [11, 24, 53] {
            for last in [1u64, 3, 5] {
                let value = (1 << digits) + last;
                values.extend(
                    [value, value << 3, value.wrapping_neg(), value << (63 - digits)]
                        .map(|bits| Value::from_bits(e, bits)),
                );
            }
        }
    }
    let mut random = Random::named("conversions");
    values.extend((0..60).map(|_| any_value(e, &mut random)));
    Inputs::from_tuples(
        format!("convert_{e:?}"),
        values.into_iter().map(|value| vec![value]).collect(),
    )
}

fn pair(from: Element, to: Element, inputs: &Arc<Inputs>, functions: &mut Vec<Function>) {
    for (index, (rounding, mode)) in SUFFIXES.into_iter().enumerate() {
        for saturate in [false, true] {
            if saturate && to.is_float() {
                continue;
            }
            let name = format!(
                "convert_{}{{n}}{}{rounding}",
                name(to),
                if saturate { "_sat" } else { "" }
            );
            let reference = each(move |a| convert(a[0], to, saturate, mode));
            let function = Function::new(&name, &[Vector(from)], to, inputs, reference);
            // Integers are not rounded: one width for each mode is enough.
            let exact = !from.is_float() && !to.is_float();
            let widths = if exact && index > 0 { &ALL_WIDTHS[index..=index] } else { ALL_WIDTHS };
            functions.push(function.widths(widths));
        }
    }
}

fn convert(value: Value, to: Element, saturate: bool, mode: Option<Mode>) -> Want {
    if to.is_float() {
        let mode = mode.unwrap_or(Mode::NearestEven);
        return Want::Exactly(rounding::to_float(value, to, mode));
    }
    let (least, greatest) = limits(to);
    if !value.element.is_float() {
        let value = value.to_int();
        return Want::int(to, if saturate { value.clamp(least, greatest) } else { value });
    }
    let float = value.to_float();
    if float.is_nan() {
        // Saturating conversions should give zero, but need not.
        return if saturate { Want::int(to, 0) } else { Want::Anything };
    }
    let integer = match rounding::to_integer(float, mode.unwrap_or(Mode::TowardZero)) {
        Some(integer) => integer,
        None if float > 0.0 => i128::MAX,
        None => i128::MIN,
    };
    match integer.clamp(least, greatest) {
        clamped if clamped == integer || saturate => Want::int(to, clamped),
        _ => Want::Anything,
    }
}

pub fn reinterpretations() -> Family {
    let mut functions = Vec::new();
    for from in ALL {
        let inputs = Inputs::standard("as", &[from, from, from]);
        for to in ALL {
            for &width in ALL_WIDTHS {
                reinterpret(from, width, to, &inputs, &mut functions);
            }
        }
    }
    Family::of_functions("as", "CL3.0", functions)
}

fn reinterpret(
    from: Element,
    width: usize,
    to: Element,
    inputs: &Arc<Inputs>,
    functions: &mut Vec<Function>,
) {
    // Three components take the room of four.
    let room = |width: usize| if width == 3 { 4 } else { width };
    let bytes = room(width) * from.size();
    for &out in ALL_WIDTHS {
        if room(out) * to.size() != bytes {
            continue;
        }
        let same = from.size() == to.size();
        if !same && (width == 3 || out == 3) {
            continue;
        }
        let reference: Reference = Box::new(move |a| {
            let mut bytes = Vec::new();
            for value in a[0] {
                value.push(&mut bytes);
            }
            let wants = (0..out).map(|index| match Value::read(to, &bytes, index) {
                Some(value) => Want::Bits(value),
                None => Want::Anything,
            });
            vec![wants.collect()]
        });
        let name = format!("as_{}{}", name(to), suffix(out));
        let function = Function::new(&name, &[Fixed(from, width)], to, inputs, reference);
        functions.push(function.widths(SCALAR).result_width(Width::Fixed(out)));
    }
}
