//! Geometric functions (OpenCL C 6.15.5).

//@ section 6.15.5 in 3.0

use std::sync::Arc;

use super::elementwise::Parameter::Vector;
use super::elementwise::{Function, Reference, Width};
use super::inputs::{Inputs, Random, moderate_value};
use super::run::Family;
use super::value::{FLOATS, Value};
use super::want::{Want, ulp};
use crate::data::Element;

const UP_TO_4: &[usize] = &[1, 2, 3, 4];

pub fn family() -> Family {
    let mut functions = Vec::new();
    for element in FLOATS {
        add(element, &mut functions);
    }
    Family::of_functions("geometric", "CL3.0", functions)
}

fn floats(values: &[Value]) -> Vec<f64> {
    values.iter().map(|value| value.to_float()).collect()
}

fn length(values: &[f64]) -> f64 {
    values.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Large components beside small ones, with quotients down to the least numbers.
fn far_apart(e: Element) -> Arc<Inputs> {
    let (exponents, distances, least) = match e {
        Element::Half => (-5..15, 1..24, -24),
        Element::Float => (-10..127, 90..149, -149),
        _ => (-20..1023, 960..1074, -1074),
    };
    let mut random = Random::named("far apart");
    let mut large = 0;
    let tuples = (0..960)
        .map(|index| {
            // The same for whole vectors of each width.
            if index % 12 == 0 {
                large = exponents.start + random.below(exponents.len()) as i32;
            }
            let exponent = if index % 2 == 0 {
                large
            } else {
                let distance = distances.start + random.below(distances.len()) as i32;
                (large - distance).max(least)
            };
            // In two factors: the first alone may be no normal number.
            let number = (1.0 + random.unit().abs()) * 2f64.powi(exponent / 2);
            vec![Value::float(e, number * 2f64.powi(exponent - exponent / 2))]
        })
        .collect();
    Inputs::from_tuples(format!("far_apart_{e:?}"), tuples)
}

/// A vector of length one, without loss where components are large or small.
fn unit_vector(values: &[f64]) -> Vec<f64> {
    let largest = values.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let (_, exponent) = libm::frexp(largest);
    let scale = 2f64.powi((-exponent).clamp(-1022, 1023));
    let scaled: Vec<f64> = values.iter().map(|x| x * scale).collect();
    let length = length(&scaled);
    // What a scale below one makes subnormal is divided first.
    let unit = |x: &f64| if scale < 1.0 { x / length * scale } else { x * scale / length };
    values.iter().map(unit).collect()
}

fn add(e: Element, functions: &mut Vec<Function>) {
    let mut random = Random::named("geometric");
    let tuples = (0..240)
        .map(|index| match index / 24 {
            // Whole vectors of ordinary and of zero components.
            0 => vec![Value::float(e, 0.0); 2],
            1 => vec![Value::float(e, 1.0), Value::float(e, -2.0)],
            _ => {
                let mut value = || {
                    Value::float(
                        e,
                        (moderate_value(e, &mut random).to_float() / 8.0 * 64.0).round() / 64.0,
                    )
                };
                vec![value(), value()]
            }
        })
        .collect();
    let inputs = Inputs::from_tuples(format!("geometric_{e:?}"), tuples);
    let v = Vector(e);
    let one = |reference: Box<dyn Fn(Vec<f64>, Vec<f64>) -> Want + Send + Sync>| -> Reference {
        Box::new(move |a| {
            let left = floats(a[0]);
            let right = a.get(1).map_or_else(Vec::new, |right| floats(right));
            vec![vec![reference(left, right)]]
        })
    };
    // OpenCL C 7.4: dot has an absolute error of max * max * (2n - 1) ulp of one.
    let product_error = move |a: &[f64], b: &[f64]| {
        let largest = |values: &[f64]| values.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        8.0 * ulp(e, largest(a) * largest(b))
    };
    let dot = one(Box::new(move |a, b| {
        let sum = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        Want::Near(sum, product_error(&a, &b))
    }));
    let function = Function::new("dot", &[v, v], e, &inputs, dot);
    functions.push(function.widths(UP_TO_4).result_width(Width::One));

    let cross: Reference = Box::new(move |arguments| {
        let (a, b) = (floats(arguments[0]), floats(arguments[1]));
        let error = product_error(&a[..3], &b[..3]);
        let mut result: Vec<Want> = (0..3)
            .map(|i| {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                Want::Near(a[j] * b[k] - a[k] * b[j], error)
            })
            .collect();
        // The fourth component is zero.
        result.extend((3..a.len()).map(|_| Want::Near(0.0, 0.0)));
        vec![result]
    });
    functions.push(Function::new("cross", &[v, v], e, &inputs, cross).widths(&[3, 4]));

    let distance = move |ulps: f64| {
        one(Box::new(move |a, b| {
            let difference: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
            Want::Near(length(&difference), ulps * ulp(e, length(&a) + length(&b)))
        }))
    };
    let lengths = move |ulps: f64| {
        one(Box::new(move |a, _| {
            let length = length(&a);
            Want::Near(length, ulps * ulp(e, length))
        }))
    };
    let normalize = move |ulps: f64| -> Reference {
        Box::new(move |arguments| {
            let a = floats(arguments[0]);
            let length = length(&a);
            vec![
                a.iter()
                    .map(|x| {
                        let want = if length == 0.0 { *x } else { x / length };
                        Want::Near(want, ulps * ulp(e, 1.0))
                    })
                    .collect(),
            ]
        })
    };
    // In units of each component: OpenCL C 7.4 has 2 + n of them, 4.5 + n for double and 1 + n for half,
    // which is rounded from float.
    let unit: Reference = Box::new(move |arguments| {
        let a = floats(arguments[0]);
        let ulps = if e == Element::Double { 4.5 } else { 2.0 } + a.len() as f64;
        vec![unit_vector(&a).into_iter().map(|x| Want::Within(x, ulps)).collect()]
    });
    let function = Function::new("normalize", &[v], e, &far_apart(e), unit);
    functions.push(function.widths(UP_TO_4));
    // Half-precision roots may be off by 8192 ulp of float (OpenCL C 6.15.5).
    let mut families = vec![("", 8.0)];
    if e == Element::Float {
        families.push(("fast_", 8192.0));
    }
    for (prefix, ulps) in families {
        let name = |function: &str| format!("{prefix}{function}");
        let function = Function::new(&name("distance"), &[v, v], e, &inputs, distance(ulps));
        functions.push(function.widths(UP_TO_4).result_width(Width::One));
        let function = Function::new(&name("length"), &[v], e, &inputs, lengths(ulps));
        functions.push(function.widths(UP_TO_4).result_width(Width::One));
        let function = Function::new(&name("normalize"), &[v], e, &inputs, normalize(ulps));
        functions.push(function.widths(UP_TO_4));
    }
}
