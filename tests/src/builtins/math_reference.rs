//! Mathematical functions on the host, in double precision, with OpenCL's special cases
//! (OpenCL C 6.15.2 and 7.5).

use std::f64::consts::PI;

use super::value::Value;
use crate::data::Element;

/// `x` as a number of quarter turns and a rest of at most an eighth turn, in units of π.
fn quarters(x: f64) -> (i64, f64) {
    let turn = x % 2.0;
    let quarters = (2.0 * turn).round();
    (quarters as i64, turn - quarters / 2.0)
}

pub fn sinpi(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (quarter, rest) = quarters(x);
    match quarter.rem_euclid(4) {
        0 => libm::sin(PI * rest),
        1 => libm::cos(PI * rest),
        2 => -libm::sin(PI * rest),
        _ => -libm::cos(PI * rest),
    }
}

pub fn cospi(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (quarter, rest) = quarters(x);
    match quarter.rem_euclid(4) {
        0 => libm::cos(PI * rest),
        1 => -libm::sin(PI * rest),
        2 => -libm::cos(PI * rest),
        _ => libm::sin(PI * rest),
    }
}

pub fn tanpi(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (quarter, rest) = quarters(x);
    match (quarter.rem_euclid(4), rest == 0.0) {
        (1, true) => f64::INFINITY,
        (3, true) => f64::NEG_INFINITY,
        (0 | 2, _) => libm::tan(PI * rest),
        _ => -1.0 / libm::tan(PI * rest),
    }
}

pub fn acospi(x: f64) -> f64 {
    libm::acos(x) / PI
}

pub fn asinpi(x: f64) -> f64 {
    libm::asin(x) / PI
}

pub fn atanpi(x: f64) -> f64 {
    libm::atan(x) / PI
}

pub fn acosh(x: f64) -> f64 {
    if x < 1.0 { f64::NAN } else { libm::acosh(x) }
}

pub fn rsqrt(x: f64) -> f64 {
    1.0 / libm::sqrt(x)
}

pub fn atan2pi(y: f64, x: f64) -> f64 {
    libm::atan2(y, x) / PI
}

pub fn pown(x: f64, y: i32) -> f64 {
    libm::pow(x, f64::from(y))
}

pub fn powr(x: f64, y: f64) -> f64 {
    let undefined = x < 0.0
        || x.is_nan()
        || y.is_nan()
        || (y == 0.0 && (x == 0.0 || x.is_infinite()))
        || (x == 1.0 && y.is_infinite());
    if undefined { f64::NAN } else { libm::pow(x.abs(), y) }
}

pub fn rootn(x: f64, y: i32) -> f64 {
    let odd = y % 2 != 0;
    if y == 0 || x.is_nan() || (x < 0.0 && !odd) {
        return f64::NAN;
    }
    let sign = if odd { x.signum() } else { 1.0 };
    let (x, power) = (x.abs(), f64::from(y));
    // Powers of two out, so that no intermediate result is too large or small.
    let scale = match x {
        _ if x == 0.0 || x.is_infinite() => 0,
        _ => (f64::from(libm::ilogb(x)) / power).round() as i32,
    };
    let x = libm::scalbn(x, scale.saturating_mul(y).saturating_neg());
    let root = libm::pow(x, 1.0 / power);
    // One step of Newton's, because the reciprocal was rounded.
    let back = libm::pow(root, power);
    let correction = (back - x) / (x * power);
    let better = if correction.is_finite() { root * (1.0 - correction) } else { root };
    sign * libm::scalbn(better, scale)
}

/// The fraction and the integer.
pub fn modf(x: f64) -> (f64, f64) {
    let whole = x.trunc();
    let fraction = if x.is_infinite() { 0.0f64.copysign(x) } else { (x - whole).copysign(x) };
    (if x.is_nan() { x } else { fraction }, whole)
}

/// Of `e`, the fraction and the integer.
pub fn fract(e: Element, x: f64) -> (f64, f64) {
    let below_one = Value::from_bits(e, Value::float(e, 1.0).bits - 1).to_float();
    let floor = x.floor();
    if x.is_infinite() {
        return (0.0f64.copysign(x), floor);
    }
    if x.is_nan() {
        return (x, x);
    }
    ((x - floor).min(below_one), floor)
}

pub fn logb(x: f64) -> f64 {
    match x {
        _ if x.is_nan() => x,
        _ if x.is_infinite() => f64::INFINITY,
        _ if x == 0.0 => f64::NEG_INFINITY,
        _ => f64::from(libm::ilogb(x)),
    }
}

pub fn fdim(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x > y {
        x - y
    } else {
        0.0
    }
}

/// The magnitude decides; if it is the same, `tie` does.
pub fn by_magnitude(x: f64, y: f64, greater: bool) -> f64 {
    let x_wins = if greater { x.abs() > y.abs() } else { x.abs() < y.abs() };
    let y_wins = if greater { y.abs() > x.abs() } else { y.abs() < x.abs() };
    match (x_wins, y_wins) {
        (true, _) => x,
        (_, true) => y,
        _ if greater => x.max(y),
        _ => x.min(y),
    }
}

/// The next number of the type, in the direction of `to`.
pub fn nextafter(from: Value, to: Value) -> Value {
    let (x, y) = (from.to_float(), to.to_float());
    let e = from.element;
    if x.is_nan() || y.is_nan() {
        return Value::float(e, f64::NAN);
    }
    if x == y {
        return to;
    }
    if x == 0.0 {
        let sign = to.bits & 1 << (to.width() - 1);
        return Value::from_bits(e, sign | 1);
    }
    let away = (x < y) == (x > 0.0);
    Value::from_bits(e, if away { from.bits + 1 } else { from.bits - 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_exact_at_quarters() {
        assert_eq!(sinpi(1e15 + 0.5).abs(), 1.0);
        assert_eq!(sinpi(-3.0), 0.0);
        assert_eq!(cospi(2.5), 0.0);
        assert_eq!(cospi(3.0), -1.0);
        assert_eq!(tanpi(0.5), f64::INFINITY);
        assert_eq!(tanpi(-0.5), f64::NEG_INFINITY);
        assert!((sinpi(1.0 / 6.0) - 0.5).abs() < 1e-15);
        assert!((tanpi(0.75) + 1.0).abs() < 1e-15);
    }

    #[test]
    fn roots_keep_signs() {
        assert_eq!(rootn(-27.0, 3), -3.0);
        assert_eq!(rootn(0.0, -2), f64::INFINITY);
        assert_eq!(rootn(-0.0, -3), f64::NEG_INFINITY);
        assert!(rootn(-1.0, 2).is_nan());
        assert!(powr(0.0, 0.0).is_nan());
    }

    #[test]
    fn neighbours_go_through_zero() {
        let value = |x: f64| Value::float(Element::Float, x);
        assert_eq!(nextafter(value(0.0), value(-1.0)).bits, 0x8000_0001);
        assert_eq!(nextafter(value(1.0), value(2.0)).bits, 0x3f80_0001);
        assert_eq!(nextafter(value(-1.0), value(2.0)).bits, 0xbf7f_ffff);
    }
}
