//! Relational functions (OpenCL C 6.15.6): true is 1 for scalars and -1 in vectors.

//@ section 6.15.6 in 3.0

use super::elementwise::Parameter::{self, Vector};
use super::elementwise::{Function, Reference, SCALAR, VECTOR_WIDTHS, Width, each};
use super::inputs::{Inputs, Random, any_value};
use super::run::Family;
use super::value::{ALL, FLOATS, INTEGERS, Value, is_signed, to_signed, to_unsigned};
use super::want::Want;
use crate::data::Element;

pub fn family() -> Family {
    let mut functions = Vec::new();
    for element in FLOATS {
        comparisons(element, &mut functions);
    }
    for element in INTEGERS.into_iter().filter(|&element| is_signed(element)) {
        any_and_all(element, &mut functions);
    }
    for element in ALL {
        selections(element, &mut functions);
    }
    Family::of_functions("relational", "CL3.0", functions)
}

fn comparisons(e: Element, functions: &mut Vec<Function>) {
    let one = Inputs::standard("relational", &[e]);
    let two = Inputs::standard("relational", &[e, e]);
    let truth = |element: Element, scalar: bool, holds: fn(&[Value]) -> bool| -> Reference {
        each(move |a| {
            let yes = if scalar { 1 } else { -1 };
            Want::int(element, if holds(a) { yes } else { 0 })
        })
    };
    let mut add = |name: &str, arity: usize, holds: fn(&[Value]) -> bool| {
        let parameters = [Vector(e), Vector(e)];
        let inputs = if arity == 1 { &one } else { &two };
        for (widths, result) in [(SCALAR, Element::Int), (VECTOR_WIDTHS, to_signed(e))] {
            let reference = truth(result, widths == SCALAR, holds);
            let function = Function::new(name, &parameters[..arity], result, inputs, reference);
            functions.push(function.widths(widths));
        }
    };
    let nan: fn(&[Value]) -> bool = |a| a[0].to_float().is_nan() || a[1].to_float().is_nan();
    add("isequal", 2, |a| a[0].to_float() == a[1].to_float());
    add("isnotequal", 2, |a| a[0].to_float() != a[1].to_float());
    add("isgreater", 2, |a| a[0].to_float() > a[1].to_float());
    add("isgreaterequal", 2, |a| a[0].to_float() >= a[1].to_float());
    add("isless", 2, |a| a[0].to_float() < a[1].to_float());
    add("islessequal", 2, |a| a[0].to_float() <= a[1].to_float());
    add("islessgreater", 2, |a| {
        a[0].to_float() < a[1].to_float() || a[0].to_float() > a[1].to_float()
    });
    add("isunordered", 2, nan);
    add("isordered", 2, |a| !a[0].to_float().is_nan() && !a[1].to_float().is_nan());
    add("isfinite", 1, |a| a[0].to_float().is_finite());
    add("isinf", 1, |a| a[0].to_float().is_infinite());
    add("isnan", 1, |a| a[0].to_float().is_nan());
    add("isnormal", 1, |a| match a[0].element {
        Element::Half => a[0].bits >> 10 & 0x1f != 0 && a[0].bits >> 10 & 0x1f != 0x1f,
        Element::Float => f32::from_bits(a[0].bits as u32).is_normal(),
        _ => f64::from_bits(a[0].bits).is_normal(),
    });
    add("signbit", 1, |a| a[0].bits >> (a[0].width() - 1) != 0);
}

fn any_and_all(e: Element, functions: &mut Vec<Function>) {
    // Runs of negative values, of others, and of both.
    let mut random = Random::named("any");
    let tuples = (0..192)
        .map(|index| {
            let value = any_value(e, &mut random).to_int();
            let value = match index / 16 % 3 {
                0 => -(value.abs().max(1)),
                1 => value.max(0),
                _ => value,
            };
            vec![Value::int(e, value)]
        })
        .collect();
    let inputs = Inputs::from_tuples(format!("any_{e:?}"), tuples);
    for (name, any) in [("any", true), ("all", false)] {
        let reference: Reference = Box::new(move |a| {
            let mut signs = a[0].iter().map(|value| value.to_int() < 0);
            let holds = if any { signs.any(|sign| sign) } else { signs.all(|sign| sign) };
            vec![vec![Want::int(Element::Int, i128::from(holds))]]
        });
        let function = Function::new(name, &[Vector(e)], Element::Int, &inputs, reference);
        functions.push(function.result_width(Width::One));
    }
}

/// `bitselect` and `select` are about bits: floats too.
fn selections(e: Element, functions: &mut Vec<Function>) {
    let inputs = Inputs::standard("bitselect", &[e, e, e]);
    let bitselect = each(move |a| {
        Want::Exactly(Value::from_bits(e, a[0].bits & !a[2].bits | a[1].bits & a[2].bits))
    });
    let v = Vector(e);
    functions.push(Function::new("bitselect", &[v, v, v], e, &inputs, bitselect));
    for condition in [to_signed(e), to_unsigned(e)] {
        let inputs = Inputs::standard("select", &[e, e, condition]);
        let parameters: [Parameter; 3] = [v, v, Vector(condition)];
        for (widths, scalar) in [(SCALAR, true), (VECTOR_WIDTHS, false)] {
            let reference = each(move |a| {
                let second =
                    if scalar { a[2].bits != 0 } else { a[2].bits >> (a[2].width() - 1) != 0 };
                Want::Exactly(if second { a[1] } else { a[0] })
            });
            functions
                .push(Function::new("select", &parameters, e, &inputs, reference).widths(widths));
        }
    }
}
