//! Math functions (OpenCL C 6.15.2), within the errors that OpenCL C 7.4 allows.

//@ section 6.15.2 7.4 in 2.0

use std::sync::Arc;

use clc_builtins::precision::ulps;

use super::elementwise::Parameter::{self, Splat, Vector};
use super::elementwise::{ALL_WIDTHS, Function, Space, VECTOR_WIDTHS, Width, each, each_of};
use super::inputs::{Inputs, Random, moderate_value};
use super::math_reference as reference;
use super::run::Family;
use super::value::{FLOATS, Value, to_unsigned};
use super::want::Want;
use crate::data::Element;

pub fn family() -> Family {
    let mut functions = Vec::new();
    for element in FLOATS {
        rounded(element, &mut functions);
        exact(element, &mut functions);
        with_integers(element, &mut functions);
        with_pointers(element, &mut functions);
    }
    approximate(&mut functions);
    Family::of_functions("math", "CL2.0", functions)
}

/// The error that OpenCL C 7.4 allows the function `name`. The host's own error in double precision, of up to two
/// units, is added for double, unless the function is correctly rounded and the host's is, too.
pub(super) fn allowed(name: &str, element: Element) -> f64 {
    let ulps = ulps(name).unwrap_or_else(|| panic!("the error of {name} has no bound"));
    match element {
        Element::Half => ulps.half,
        Element::Float => ulps.float,
        _ if ulps.double <= 0.5 => 2.0,
        _ => ulps.double + 2.0,
    }
}

pub(super) type Unary = fn(f64) -> f64;

pub(super) const UNARY: &[(&str, Unary)] = &[
    ("acos", libm::acos),
    ("acosh", reference::acosh),
    ("acospi", reference::acospi),
    ("asin", libm::asin),
    ("asinh", libm::asinh),
    ("asinpi", reference::asinpi),
    ("atan", libm::atan),
    ("atanh", libm::atanh),
    ("atanpi", reference::atanpi),
    ("cbrt", libm::cbrt),
    ("cos", libm::cos),
    ("cosh", libm::cosh),
    ("cospi", reference::cospi),
    ("erfc", libm::erfc),
    ("erf", libm::erf),
    ("exp", libm::exp),
    ("exp2", libm::exp2),
    ("exp10", libm::exp10),
    ("expm1", libm::expm1),
    ("log", libm::log),
    ("log2", libm::log2),
    ("log10", libm::log10),
    ("log1p", libm::log1p),
    ("rsqrt", reference::rsqrt),
    ("sin", libm::sin),
    ("sinh", libm::sinh),
    ("sinpi", reference::sinpi),
    ("sqrt", libm::sqrt),
    ("tan", libm::tan),
    ("tanh", libm::tanh),
    ("tanpi", reference::tanpi),
    ("tgamma", libm::tgamma),
];

pub(super) type Binary = fn(f64, f64) -> f64;

pub(super) const BINARY: &[(&str, Binary)] = &[
    ("atan2", libm::atan2),
    ("atan2pi", reference::atan2pi),
    ("hypot", libm::hypot),
    ("pow", libm::pow),
    ("powr", reference::powr),
    ("fdim", reference::fdim),
];

fn rounded(e: Element, functions: &mut Vec<Function>) {
    let v = Vector(e);
    let one = Inputs::standard("math", &[e]);
    for &(name, f) in UNARY {
        let error = allowed(name, e);
        let reference = each(move |a| Want::Within(f(a[0].to_float()), error));
        functions.push(Function::new(name, &[v], e, &one, reference));
    }
    let two = Inputs::standard("math", &[e, e]);
    for &(name, f) in BINARY {
        let error = allowed(name, e);
        let reference = each(move |a| Want::Within(f(a[0].to_float(), a[1].to_float()), error));
        functions.push(Function::new(name, &[v, v], e, &two, reference));
    }
    // Its error is not bounded by the specification.
    let lgamma = each(move |a| {
        let want = libm::lgamma(a[0].to_float());
        Want::Near(want, lgamma_error(e, want))
    });
    functions.push(Function::new("lgamma", &[v], e, &moderate(e), lgamma));
    let three = Inputs::standard("math", &[e, e, e]);
    functions.push(Function::new("fma", &[v, v, v], e, &three, each(fma)));
    let mad = each(move |a| {
        let product = Value::float(e, a[0].to_float() * a[1].to_float());
        Want::OneOf(vec![fma(a), Want::float(e, product.to_float() + a[2].to_float())])
    });
    functions.push(Function::new("mad", &[v, v, v], e, &three, mad));
}

fn lgamma_error(e: Element, value: f64) -> f64 {
    let precision = match e {
        Element::Half => 4e-3,
        Element::Float => 1e-5,
        _ => 1e-12,
    };
    precision * value.abs().max(1.0)
}

fn fma(a: &[Value]) -> Want {
    let (x, y, z) = (a[0].to_float(), a[1].to_float(), a[2].to_float());
    match a[0].element {
        Element::Float => {
            Want::float(Element::Float, f64::from(libm::fmaf(x as f32, y as f32, z as f32)))
        }
        // A little more than half a unit, because the host's result is rounded already.
        Element::Half => Want::Within(libm::fma(x, y, z), 0.5001),
        _ => Want::float(Element::Double, libm::fma(x, y, z)),
    }
}

/// Ordinary values, none of them a pole of `lgamma`.
fn moderate(e: Element) -> Arc<Inputs> {
    let mut random = Random::named("moderate");
    let tuples = (0..192)
        .map(|index| {
            let value = moderate_value(e, &mut random).to_float() / 4.0;
            let value = if index % 2 == 0 { value.abs() } else { value.floor() + 0.375 };
            vec![Value::float(e, value)]
        })
        .collect();
    Inputs::from_tuples(format!("moderate_{e:?}"), tuples)
}

fn exact(e: Element, functions: &mut Vec<Function>) {
    let v = Vector(e);
    let one = Inputs::standard("math", &[e]);
    let mut unary = |name: &str, f: Unary| {
        let reference = each(move |a| Want::float(e, f(a[0].to_float())));
        functions.push(Function::new(name, &[v], e, &one, reference));
    };
    unary("ceil", f64::ceil);
    unary("fabs", f64::abs);
    unary("floor", f64::floor);
    unary("logb", reference::logb);
    unary("rint", f64::round_ties_even);
    unary("round", f64::round);
    unary("trunc", f64::trunc);

    let two = Inputs::standard("math", &[e, e]);
    let mut binary = |name: &str, second: Parameter, f: fn(&[Value]) -> Want| {
        let widths = if second == v { ALL_WIDTHS } else { VECTOR_WIDTHS };
        let function = Function::new(name, &[v, second], e, &two, each(f));
        functions.push(function.widths(widths));
    };
    binary("copysign", v, |a| {
        let sign = 1 << (a[0].width() - 1);
        Want::Exactly(Value::from_bits(a[0].element, a[0].bits & !sign | a[1].bits & sign))
    });
    binary("fmod", v, |a| Want::float(a[0].element, libm::fmod(a[0].to_float(), a[1].to_float())));
    binary("remainder", v, |a| {
        Want::float(a[0].element, libm::remainder(a[0].to_float(), a[1].to_float()))
    });
    binary("nextafter", v, |a| Want::Exactly(reference::nextafter(a[0], a[1])));
    binary("maxmag", v, |a| {
        either_zero(a, reference::by_magnitude(a[0].to_float(), a[1].to_float(), true))
    });
    binary("minmag", v, |a| {
        either_zero(a, reference::by_magnitude(a[0].to_float(), a[1].to_float(), false))
    });
    for second in [v, Splat(e)] {
        binary("fmax", second, |a| either_zero(a, a[0].to_float().max(a[1].to_float())));
        binary("fmin", second, |a| either_zero(a, a[0].to_float().min(a[1].to_float())));
    }
}

/// Zeros of different signs are equal: which of them is chosen is open.
fn either_zero(a: &[Value], value: f64) -> Want {
    let e = a[0].element;
    if value == 0.0 {
        return Want::OneOf(vec![Want::float(e, 0.0), Want::float(e, -0.0)]);
    }
    Want::float(e, value)
}

fn with_integers(e: Element, functions: &mut Vec<Function>) {
    use Element::Int;
    let v = Vector(e);
    let one = Inputs::standard("math", &[e]);
    // Which limit stands for zero and NaN is the device's choice (OpenCL C 7.5.1).
    let limit = |value: i32| Want::int(Int, i128::from(value));
    let ilogb = each(move |a| match a[0].to_float() {
        x if x.is_nan() => Want::OneOf(vec![limit(i32::MAX), limit(i32::MIN)]),
        x if x.is_infinite() => limit(i32::MAX),
        0.0 => Want::OneOf(vec![limit(i32::MIN), limit(-i32::MAX)]),
        x => limit(libm::ilogb(x)),
    });
    functions.push(Function::new("ilogb", &[v], Int, &one, ilogb));

    let unsigned = to_unsigned(e);
    let payloads = Inputs::standard("nan", &[unsigned]);
    let nan = each(move |_| Want::float(e, f64::NAN));
    functions.push(Function::new("nan", &[Vector(unsigned)], e, &payloads, nan));

    let mut random = Random::named("powers");
    let tuples: Vec<Vec<Value>> = Inputs::standard("powers", &[e, e]).columns[0]
        .iter()
        .enumerate()
        .map(|(index, &x)| {
            let power = match index % 8 {
                0 => random.pick(&[0, 1, -1, 2, -2, 3, -3]),
                1 => random.pick(&[i32::MAX, i32::MIN, i32::MAX - 1, 1000, -1000, 127, -126]),
                _ => random.below(64) as i32 - 32,
            };
            vec![x, Value::int(Int, i128::from(power))]
        })
        .collect();
    let powers = Inputs::from_tuples(format!("powers_{e:?}"), tuples);
    let power = |value: Value| value.to_int() as i32;
    for second in [Vector(Int), Splat(Int)] {
        let widths = if second == Vector(Int) { ALL_WIDTHS } else { VECTOR_WIDTHS };
        let ldexp = each(move |a| Want::Within(libm::scalbn(a[0].to_float(), power(a[1])), 0.5));
        let function = Function::new("ldexp", &[v, second], e, &powers, ldexp);
        functions.push(function.widths(widths));
    }
    let ulps = allowed("pown", e);
    let pown = each(move |a| Want::Within(reference::pown(a[0].to_float(), power(a[1])), ulps));
    functions.push(Function::new("pown", &[v, Vector(Int)], e, &powers, pown));
    let rootn = each(move |a| Want::Within(reference::rootn(a[0].to_float(), power(a[1])), ulps));
    functions.push(Function::new("rootn", &[v, Vector(Int)], e, &powers, rootn));
}

const SPACES: [Space; 4] = [Space::Private, Space::Local, Space::Global, Space::Generic];

fn with_pointers(e: Element, functions: &mut Vec<Function>) {
    use Element::Int;
    let v = Vector(e);
    let one = Inputs::standard("math", &[e]);
    let two = Inputs::standard("math", &[e, e]);
    for space in SPACES {
        let mut add = |name: &str, inputs: &Arc<Inputs>, second: Element, reference| {
            let parameters = vec![v; inputs.columns.len()];
            let mut function = Function::new(name, &parameters, e, inputs, reference);
            function.results.push((second, Width::Same));
            function.space = space;
            functions.push(function);
        };
        add(
            "fract",
            &one,
            e,
            each_of(move |a| {
                let (fraction, whole) = reference::fract(e, a[0].to_float());
                vec![Want::Within(fraction, 0.5001), Want::float(e, whole)]
            }),
        );
        add(
            "modf",
            &one,
            e,
            each_of(move |a| {
                let (fraction, whole) = reference::modf(a[0].to_float());
                vec![Want::float(e, fraction), Want::float(e, whole)]
            }),
        );
        add(
            "sincos",
            &one,
            e,
            each_of(move |a| {
                let ulps = allowed("sincos", e);
                let x = a[0].to_float();
                vec![Want::Within(libm::sin(x), ulps), Want::Within(libm::cos(x), ulps)]
            }),
        );
        add(
            "frexp",
            &one,
            Int,
            each_of(move |a| {
                let x = a[0].to_float();
                let (fraction, exponent) = if x.is_finite() { libm::frexp(x) } else { (x, 0) };
                vec![Want::float(e, fraction), Want::int(Int, i128::from(exponent))]
            }),
        );
        add(
            "lgamma_r",
            &moderate(e),
            Int,
            each_of(move |a| {
                let (value, sign) = libm::lgamma_r(a[0].to_float());
                vec![Want::Near(value, lgamma_error(e, value)), Want::int(Int, i128::from(sign))]
            }),
        );
        add(
            "remquo",
            &two,
            Int,
            each_of(move |a| {
                let (x, y) = (a[0].to_float(), a[1].to_float());
                let (rest, quotient) = libm::remquo(x, y);
                let defined = x.is_finite() && y != 0.0 && !y.is_nan();
                let quotient =
                    if defined { Want::LowBits(i128::from(quotient)) } else { Want::Anything };
                vec![Want::float(e, rest), quotient]
            }),
        );
    }
}

/// `half_` functions have 8192 units of error, `native_` ones what the device likes.
fn approximate(functions: &mut Vec<Function>) {
    let e = Element::Float;
    let v = Vector(e);
    let mut random = Random::named("approximate");
    let tuples = (0..192)
        .map(|_| {
            let positive = moderate_value(e, &mut random).to_float().abs() + 1e-3;
            let exponent = random.unit() * 4.0;
            vec![Value::float(e, positive), Value::float(e, exponent)]
        })
        .collect();
    let inputs = Inputs::from_tuples("approximate".to_owned(), tuples);
    const UNARY: &[(&str, Unary)] = &[
        ("cos", libm::cos),
        ("exp", libm::exp),
        ("exp2", libm::exp2),
        ("exp10", libm::exp10),
        ("log", libm::log),
        ("log2", libm::log2),
        ("log10", libm::log10),
        ("recip", |x| 1.0 / x),
        ("rsqrt", reference::rsqrt),
        ("sin", libm::sin),
        ("sqrt", libm::sqrt),
        ("tan", libm::tan),
    ];
    let native = |want: f64| Want::OneOf(vec![Want::Within(want, 1e5), Want::Near(want, 1e-4)]);
    for &(name, f) in UNARY {
        let half = each(move |a| Want::Within(f(a[0].to_float()), 8192.0));
        functions.push(Function::new(&format!("half_{name}"), &[v], e, &inputs, half));
        let loose = each(move |a| native(f(a[0].to_float())));
        functions.push(Function::new(&format!("native_{name}"), &[v], e, &inputs, loose));
    }
    const BINARY: &[(&str, fn(f64, f64) -> f64)] =
        &[("divide", |x, y| x / y), ("powr", reference::powr)];
    for &(name, f) in BINARY {
        let half = each(move |a| Want::Within(f(a[0].to_float(), a[1].to_float()), 8192.0));
        functions.push(Function::new(&format!("half_{name}"), &[v, v], e, &inputs, half));
        let loose = each(move |a| native(f(a[0].to_float(), a[1].to_float())));
        functions.push(Function::new(&format!("native_{name}"), &[v, v], e, &inputs, loose));
    }
}
