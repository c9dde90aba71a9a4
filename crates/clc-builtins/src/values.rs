//! What functions of floating-point numbers are, computed in `f64`, by `libm` where that is not exact.
//!
//! Rounded once to the type of the arguments it is one result among those that OpenCL C 7.4 allows, on every host the same. Of
//! `double` itself `libm`'s are within two units of the last place, but for gamma functions, which may be off by many.

use std::f64::consts::PI;

use crate::Intrinsic as I;

type Of1 = fn(f64) -> f64;
type Of2 = fn(f64, f64) -> f64;
type Of3 = fn(f64, f64, f64) -> f64;

/// A function, by how many numbers it is of.
#[derive(Clone, Copy, Debug)]
pub enum Function {
    /// Of one.
    Of1(Of1),
    /// Of two.
    Of2(Of2),
    /// Of three.
    Of3(Of3),
}

impl Function {
    /// What it is of these numbers; nothing if it is not of so many.
    #[must_use]
    pub fn of(self, arguments: &[f64]) -> Option<f64> {
        match (self, arguments) {
            (Function::Of1(function), &[x]) => Some(function(x)),
            (Function::Of2(function), &[x, y]) => Some(function(x, y)),
            (Function::Of3(function), &[x, y, z]) => Some(function(x, y, z)),
            _ => None,
        }
    }
}

/// The function that an intrinsic is, if it takes floating-point numbers and gives one, component by component.
#[must_use]
pub fn function(intrinsic: I) -> Option<Function> {
    fn find<T: Copy>(table: &[(I, T)], intrinsic: I) -> Option<T> {
        table.iter().find(|(of, _)| *of == intrinsic).map(|(_, function)| *function)
    }
    find(OF_1, intrinsic)
        .map(Function::Of1)
        .or_else(|| find(OF_2, intrinsic).map(Function::Of2))
        .or_else(|| find(OF_3, intrinsic).map(Function::Of3))
}

const OF_1: &[(I, Of1)] = &[
    (I::Acos, libm::acos),
    (I::Acosh, libm::acosh),
    (I::Acospi, |x| libm::acos(x) / PI),
    (I::Asin, libm::asin),
    (I::Asinh, libm::asinh),
    (I::Asinpi, |x| libm::asin(x) / PI),
    (I::Atan, libm::atan),
    (I::Atanh, libm::atanh),
    (I::Atanpi, |x| libm::atan(x) / PI),
    (I::Cbrt, libm::cbrt),
    (I::Ceil, f64::ceil),
    (I::Cos, libm::cos),
    (I::Cosh, libm::cosh),
    (I::Cospi, |x| of_half_turns(x).1),
    (I::Degrees, |x| x * (180.0 / PI)),
    (I::Erf, libm::erf),
    (I::Erfc, libm::erfc),
    (I::Exp, libm::exp),
    (I::Exp10, libm::exp10),
    (I::Exp2, libm::exp2),
    (I::Expm1, libm::expm1),
    (I::Fabs, f64::abs),
    (I::Floor, f64::floor),
    (I::HalfCos, libm::cos),
    (I::HalfExp, libm::exp),
    (I::HalfExp10, libm::exp10),
    (I::HalfExp2, libm::exp2),
    (I::HalfLog, libm::log),
    (I::HalfLog10, libm::log10),
    (I::HalfLog2, libm::log2),
    (I::HalfRecip, |x| 1.0 / x),
    (I::HalfRsqrt, |x| 1.0 / x.sqrt()),
    (I::HalfSin, libm::sin),
    (I::HalfSqrt, f64::sqrt),
    (I::HalfTan, libm::tan),
    (I::Lgamma, libm::lgamma),
    (I::Log, libm::log),
    (I::Log10, libm::log10),
    (I::Log1p, libm::log1p),
    (I::Log2, libm::log2),
    (I::Logb, logb),
    (I::NativeCos, libm::cos),
    (I::NativeExp, libm::exp),
    (I::NativeExp10, libm::exp10),
    (I::NativeExp2, libm::exp2),
    (I::NativeLog, libm::log),
    (I::NativeLog10, libm::log10),
    (I::NativeLog2, libm::log2),
    (I::NativeRecip, |x| 1.0 / x),
    (I::NativeRsqrt, |x| 1.0 / x.sqrt()),
    (I::NativeSin, libm::sin),
    (I::NativeSqrt, f64::sqrt),
    (I::NativeTan, libm::tan),
    (I::Radians, |x| x * (PI / 180.0)),
    (I::Rint, f64::round_ties_even),
    (I::Round, f64::round),
    (I::Rsqrt, |x| 1.0 / x.sqrt()),
    (
        I::Sign,
        |x| if x.is_nan() || x == 0.0 { if x.is_nan() { 0.0 } else { x } } else { x.signum() },
    ),
    (I::Sin, libm::sin),
    (I::Sinh, libm::sinh),
    (I::Sinpi, |x| of_half_turns(x).0),
    (I::Sqrt, f64::sqrt),
    (I::Tan, libm::tan),
    (I::Tanh, libm::tanh),
    (I::Tanpi, |x| {
        let (sine, cosine) = of_half_turns(x);
        sine / cosine
    }),
    (I::Tgamma, libm::tgamma),
    (I::Trunc, f64::trunc),
];

const OF_2: &[(I, Of2)] = &[
    (I::Atan2, libm::atan2),
    (I::Atan2pi, |y, x| libm::atan2(y, x) / PI),
    (
        I::Fdim,
        |x, y| if x > y { x - y } else { if x.is_nan() || y.is_nan() { f64::NAN } else { 0.0 } },
    ),
    (I::Fmax, f64::max),
    (I::FMaxCommon, |x, y| if x < y { y } else { x }),
    (I::Fmin, f64::min),
    (I::FMinCommon, |x, y| if y < x { y } else { x }),
    (I::Fmod, libm::fmod),
    (I::HalfDivide, |x, y| x / y),
    (I::HalfPowr, libm::pow),
    (I::Hypot, libm::hypot),
    (I::Maxmag, |x, y| {
        if x.abs() > y.abs() {
            x
        } else if y.abs() > x.abs() {
            y
        } else {
            x.max(y)
        }
    }),
    (I::Minmag, |x, y| {
        if x.abs() < y.abs() {
            x
        } else if y.abs() < x.abs() {
            y
        } else {
            x.min(y)
        }
    }),
    (I::NativeDivide, |x, y| x / y),
    (I::NativePowr, libm::pow),
    (I::Pow, libm::pow),
    (I::Powr, powr),
    (I::Remainder, libm::remainder),
    (I::Step, |edge, x| if x < edge { 0.0 } else { 1.0 }),
];

const OF_3: &[(I, Of3)] = &[
    (I::FClamp, |x, low, high| x.max(low).min(high)),
    (I::Mix, |x, y, a| x + (y - x) * a),
    (I::Smoothstep, |low, high, x| {
        let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }),
];

/// `sinpi` and `cospi`, with zeros as they ask for: `cospi(n + 0.5)` is +0, `sinpi(n)` has the sign of `n`.
fn of_half_turns(x: f64) -> (f64, f64) {
    if !x.is_finite() {
        return (f64::NAN, f64::NAN);
    }
    // Both exact: the nearest quarter, and what is left.
    let turn = libm::remainder(x, 2.0);
    let quarter = libm::rint(2.0 * turn);
    let rest = turn - quarter / 2.0;
    let (sine, cosine) = (libm::sin(PI * rest), libm::cos(PI * rest));
    let (sine, cosine) = match (quarter as i32).rem_euclid(4) {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    };
    (if sine == 0.0 { 0f64.copysign(x) } else { sine }, cosine + 0.0)
}

fn logb(x: f64) -> f64 {
    match x {
        x if x.is_nan() => x,
        0.0 => f64::NEG_INFINITY,
        x if x.is_infinite() => f64::INFINITY,
        x => f64::from(libm::ilogb(x)),
    }
}

fn powr(x: f64, y: f64) -> f64 {
    let both_zero = x == 0.0 && y == 0.0;
    let no_logarithm = x.is_infinite() && y == 0.0 || x == 1.0 && y.is_infinite();
    if x < 0.0 || both_zero || no_logarithm || x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    libm::pow(x.abs(), y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_take_as_many_numbers_as_they_are_of() {
        let of = |intrinsic, arguments: &[f64]| function(intrinsic)?.of(arguments);
        assert_eq!(of(I::Exp, &[0.0]), Some(1.0));
        assert_eq!(of(I::Exp, &[0.0, 1.0]), None);
        assert_eq!(of(I::Fmax, &[1.0, 2.0]), Some(2.0));
        assert_eq!(of(I::FClamp, &[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(of(I::SMax, &[1.0, 2.0]), None);
        // Exact where the specification asks for it.
        assert_eq!(of(I::Cospi, &[0.5]), Some(0.0));
        assert_eq!(of(I::Sinpi, &[-3.0]).map(f64::to_bits), Some((-0.0f64).to_bits()));
        assert_eq!(of(I::Logb, &[9.5]), Some(3.0));
        assert!(of(I::Powr, &[-1.0, 2.0]).is_some_and(f64::is_nan));
    }
}
