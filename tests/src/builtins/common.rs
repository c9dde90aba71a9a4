//! Common functions (OpenCL C 6.15.4).

//@ section 6.15.4 in 3.0

use super::elementwise::Parameter::{Splat, Vector};
use super::elementwise::{ALL_WIDTHS, Function, Parameter, VECTOR_WIDTHS, each};
use super::inputs::{Inputs, Random, moderate_value};
use super::run::Family;
use super::value::{FLOATS, Value};
use super::want::{Want, ulp};
use crate::data::Element;

pub fn family() -> Family {
    let mut functions = Vec::new();
    for element in FLOATS {
        exact(element, &mut functions);
        rounded(element, &mut functions);
    }
    Family::of_functions("common", "CL3.0", functions)
}

fn exact(e: Element, functions: &mut Vec<Function>) {
    let v = Vector(e);
    let mut add = |name: &str, parameters: &[Parameter], reference: fn(&[Value]) -> Want| {
        let elements: Vec<Element> = parameters.iter().map(|_| e).collect();
        let inputs = Inputs::standard("common", &elements);
        let widths = if parameters.contains(&Splat(e)) { VECTOR_WIDTHS } else { ALL_WIDTHS };
        let function = Function::new(name, parameters, e, &inputs, each(reference));
        functions.push(function.widths(widths));
    };
    // Undefined for NaNs, and either zero will do.
    let max: fn(&[Value]) -> Want = |a| one_of(a, |x, y| if x < y { y } else { x });
    let min: fn(&[Value]) -> Want = |a| one_of(a, |x, y| if y < x { y } else { x });
    for second in [v, Splat(e)] {
        add("max", &[v, second], max);
        add("min", &[v, second], min);
        add("clamp", &[v, second, second], |a| {
            if a[1].to_float() > a[2].to_float() {
                return Want::Anything;
            }
            one_of(a, |_, _| a[0].to_float().max(a[1].to_float()).min(a[2].to_float()))
        });
    }
    for first in [v, Splat(e)] {
        add("step", &[first, v], |a| {
            if a.iter().any(|value| value.is_nan()) {
                return Want::Anything;
            }
            let step = if a[1].to_float() < a[0].to_float() { 0.0 } else { 1.0 };
            Want::float(a[1].element, step)
        });
    }
    add("sign", &[v], |a| {
        let x = a[0].to_float();
        let sign = if x.is_nan() {
            0.0
        } else if x == 0.0 {
            x
        } else {
            x.signum()
        };
        Want::float(a[0].element, sign)
    });
}

fn one_of(a: &[Value], choose: impl Fn(f64, f64) -> f64) -> Want {
    if a.iter().any(|value| value.is_nan()) {
        return Want::Anything;
    }
    let chosen = choose(a[0].to_float(), a[1].to_float());
    let e = a[0].element;
    if chosen == 0.0 {
        return Want::OneOf(vec![Want::float(e, 0.0), Want::float(e, -0.0)]);
    }
    Want::float(e, chosen)
}

/// Formulae whose roundings are the device's affair: the error is bounded by a few units of the
/// largest number that occurs.
fn rounded(e: Element, functions: &mut Vec<Function>) {
    let v = Vector(e);
    let mut random = Random::named("common, rounded");
    let unary = Inputs::from_tuples(
        format!("angle_{e:?}"),
        (0..96).map(|_| vec![moderate_value(e, &mut random)]).collect(),
    );
    // OpenCL C 7.4: 2 ulp.
    let degrees = each(move |a| Want::Within(a[0].to_float().to_degrees(), 2.5));
    functions.push(Function::new("degrees", &[v], e, &unary, degrees));
    let radians = each(move |a| Want::Within(a[0].to_float().to_radians(), 2.5));
    functions.push(Function::new("radians", &[v], e, &unary, radians));

    let ternary = Inputs::from_tuples(
        format!("mix_{e:?}"),
        (0..192)
            .map(|_| {
                let mut values = [0.0; 3].map(|_| moderate_value(e, &mut random)).to_vec();
                values[2] = Value::float(e, random.unit().abs());
                values
            })
            .collect(),
    );
    let mix = move |a: &[Value]| {
        let (x, y, part) = (a[0].to_float(), a[1].to_float(), a[2].to_float());
        let size = x.abs().max(y.abs()).max((y - x).abs());
        Want::Near(x + (y - x) * part, 4.0 * ulp(e, size))
    };
    for last in [v, Splat(e)] {
        let widths = if last == v { ALL_WIDTHS } else { VECTOR_WIDTHS };
        let function = Function::new("mix", &[v, v, last], e, &ternary, each(mix));
        functions.push(function.widths(widths));
    }

    let edges = Inputs::from_tuples(
        format!("smoothstep_{e:?}"),
        (0..192)
            .map(|index| {
                let left = (random.unit() * 64.0).round() / 4.0;
                let right = left + 1.0 + (random.unit() * 16.0).round().abs() / 2.0;
                let x = match index % 5 {
                    0 => left,
                    1 => right,
                    _ => left - 1.0 + (right - left + 2.0) * random.unit().abs(),
                };
                [left, right, x].map(|value| Value::float(e, value)).to_vec()
            })
            .collect(),
    );
    let smoothstep = move |a: &[Value]| {
        let (left, right, x) = (a[0].to_float(), a[1].to_float(), a[2].to_float());
        if left >= right {
            return Want::Anything;
        }
        let t = ((x - left) / (right - left)).clamp(0.0, 1.0);
        Want::Near(t * t * (3.0 - 2.0 * t), 16.0 * ulp(e, 1.0))
    };
    for first in [v, Splat(e)] {
        let widths = if first == v { ALL_WIDTHS } else { VECTOR_WIDTHS };
        let function = Function::new("smoothstep", &[first, first, v], e, &edges, each(smoothstep));
        functions.push(function.widths(widths));
    }
}
