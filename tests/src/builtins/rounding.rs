//! Exact rounding of numbers to a floating-point format, in every rounding mode.

use super::value::Value;
use crate::data::Element;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    NearestEven,
    TowardZero,
    Up,
    Down,
}

/// The suffixes of `convert_` and `vstore_half`; none is `default`.
pub const SUFFIXES: [(&str, Option<Mode>); 5] = [
    ("", None),
    ("_rte", Some(Mode::NearestEven)),
    ("_rtz", Some(Mode::TowardZero)),
    ("_rtp", Some(Mode::Up)),
    ("_rtn", Some(Mode::Down)),
];

/// A finite number: `(-1)^negative * magnitude * 2^exponent`.
#[derive(Clone, Copy, Debug)]
struct Exact {
    negative: bool,
    magnitude: u128,
    exponent: i32,
}

fn exact(value: f64) -> Exact {
    let bits = value.to_bits();
    let field = (bits >> 52 & 0x7ff) as i32;
    let fraction = u128::from(bits & ((1 << 52) - 1));
    let (magnitude, exponent) =
        if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    Exact { negative: bits >> 63 != 0, magnitude, exponent }
}

/// `magnitude / 2^shift` as an integer.
fn divide(magnitude: u128, shift: i32, negative: bool, mode: Mode) -> u128 {
    if shift <= 0 {
        return magnitude << -shift;
    }
    if shift > 127 {
        let up = magnitude != 0
            && match mode {
                Mode::NearestEven | Mode::TowardZero => false,
                Mode::Up => !negative,
                Mode::Down => negative,
            };
        return u128::from(up);
    }
    let (quotient, rest) = (magnitude >> shift, magnitude & ((1 << shift) - 1));
    let half = 1u128 << (shift - 1);
    let up = match mode {
        Mode::NearestEven => rest > half || (rest == half && quotient & 1 != 0),
        Mode::TowardZero => false,
        Mode::Up => rest != 0 && !negative,
        Mode::Down => rest != 0 && negative,
    };
    quotient + u128::from(up)
}

/// `number` in the format of `element`.
fn round(number: Exact, element: Element, mode: Mode) -> Value {
    if number.magnitude == 0 {
        return Value::float(element, if number.negative { -0.0 } else { 0.0 });
    }
    // Digits of the significand, and the exponent of the last digit of subnormal numbers.
    let (digits, least, width) = match element {
        Element::Half => (11, -24, 16),
        Element::Float => (24, -149, 32),
        _ => (53, -1074, 64),
    };
    let sign = u64::from(number.negative) << (width - 1);
    let length = 128 - number.magnitude.leading_zeros() as i32;
    let last = (number.exponent + length - digits).max(least);
    let mut significand =
        divide(number.magnitude, last - number.exponent, number.negative, mode) as u64;
    let mut last = last;
    if significand >> digits != 0 {
        significand >>= 1;
        last += 1;
    }
    // The hidden digit adds one to the exponent field, unless there is none.
    let field = (last - least) as u64;
    let bits = (field << (digits - 1)) + significand;
    let infinity = ((1u64 << (width - digits)) - 1) << (digits - 1);
    let bits = if bits < infinity {
        bits
    } else {
        let to_infinity = match mode {
            Mode::NearestEven => true,
            Mode::TowardZero => false,
            Mode::Up => !number.negative,
            Mode::Down => number.negative,
        };
        infinity - u64::from(!to_infinity)
    };
    Value::from_bits(element, sign | bits)
}

/// Any number as a float.
pub fn to_float(value: Value, element: Element, mode: Mode) -> Value {
    if !value.element.is_float() {
        let value = value.to_int();
        let number = Exact { negative: value < 0, magnitude: value.unsigned_abs(), exponent: 0 };
        return round(number, element, mode);
    }
    let float = value.to_float();
    if !float.is_finite() {
        return Value::float(element, float);
    }
    round(exact(float), element, mode)
}

/// A finite float as an integer; `None` if it is far outside of all types.
pub fn to_integer(value: f64, mode: Mode) -> Option<i128> {
    if value.abs() > 1e30 {
        return None;
    }
    let number = exact(value);
    let magnitude = divide(number.magnitude, -number.exponent, number.negative, mode) as i128;
    Some(if number.negative { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_is_what_the_host_does() {
        let mut random = crate::builtins::inputs::Random::new(7);
        for _ in 0..20_000 {
            let double = f64::from_bits(random.word());
            if double.is_nan() {
                continue;
            }
            let value = Value::float(Element::Double, double);
            let float = to_float(value, Element::Float, Mode::NearestEven);
            assert_eq!(float, Value::float(Element::Float, double), "{double:e}");
            let half = Value::float(
                Element::Double,
                f64::from(f32::from_bits(random.word() as u32 & 0x8fff_ffff | 0x3000_0000)),
            );
            let rounded = to_float(half, Element::Half, Mode::NearestEven);
            assert_eq!(rounded, Value::float(Element::Half, half.to_float()), "{half:?}");
            let long = Value::from_bits(Element::Long, random.word() >> random.below(64));
            let float = to_float(long, Element::Float, Mode::NearestEven);
            assert_eq!(float.bits, u64::from((long.bits as i64 as f32).to_bits()));
        }
    }

    #[test]
    fn directed_roundings_stop_at_the_limits() {
        let double = |x: f64| Value::float(Element::Double, x);
        let half = |x: f64, mode| to_float(double(x), Element::Half, mode).bits;
        assert_eq!(half(1e9, Mode::TowardZero), 0x7bff);
        assert_eq!(half(1e9, Mode::Down), 0x7bff);
        assert_eq!(half(1e9, Mode::Up), 0x7c00);
        assert_eq!(half(-1e9, Mode::Up), 0xfbff);
        assert_eq!(half(1e-30, Mode::Up), 0x0001);
        assert_eq!(half(1e-30, Mode::Down), 0x0000);
        assert_eq!(half(-1e-30, Mode::Down), 0x8001);
        assert_eq!(half(65519.99, Mode::NearestEven), 0x7bff);
        assert_eq!(half(65520.0, Mode::NearestEven), 0x7c00);
        assert_eq!(to_integer(-2.5, Mode::NearestEven), Some(-2));
        assert_eq!(to_integer(-2.5, Mode::Down), Some(-3));
        assert_eq!(to_integer(2.5, Mode::Up), Some(3));
        assert_eq!(to_integer(-2.5, Mode::TowardZero), Some(-2));
    }
}
