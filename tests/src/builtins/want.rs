//! What a result may be.

use crate::builtins::value::Value;
use crate::data::Element;

#[derive(Clone, Debug)]
pub enum Want {
    /// These bits; any NaN for a NaN.
    Exactly(Value),
    /// These bits, even of a NaN.
    Bits(Value),
    /// At most so many units in the last place from a real number, which is given in double
    /// precision. Zero for a subnormal result is right, for a device need not have those.
    Within(f64, f64),
    /// At most this far off in value.
    Near(f64, f64),
    /// An integer with this sign and these low seven bits of its magnitude (`remquo`).
    LowBits(i128),
    OneOf(Vec<Want>),
    /// The specification leaves it open.
    Anything,
}

impl Want {
    pub fn int(element: Element, value: i128) -> Want {
        Want::Exactly(Value::int(element, value))
    }

    pub fn float(element: Element, value: f64) -> Want {
        Want::Exactly(Value::float(element, value))
    }

    pub fn allows(&self, got: Value) -> bool {
        match self {
            Want::Exactly(value) => got == *value || (got.is_nan() && value.is_nan()),
            Want::Bits(value) => got == *value,
            Want::Within(value, ulps) => within(got, *value, *ulps),
            Want::Near(value, error) => {
                let got = got.to_float();
                got == *value || (got.is_nan() && value.is_nan()) || (got - value).abs() <= *error
            }
            Want::LowBits(value) => {
                let got = got.to_int();
                let low = |value: i128| value.unsigned_abs() & 0x7f;
                low(got) == low(*value) && (low(got) == 0 || (got < 0) == (*value < 0))
            }
            Want::OneOf(wants) => wants.iter().any(|want| want.allows(got)),
            Want::Anything => true,
        }
    }
}

fn within(got: Value, want: f64, ulps: f64) -> bool {
    let overflows = got.to_float().is_infinite() && want.is_finite();
    units(got, want) <= if overflows { ulps.max(0.5) } else { ulps }
}

/// How many units in the last place a result is away from a real number; infinitely many if it is a
/// NaN or an infinity and should be none. Zero for a subnormal result is right.
pub fn units(got: Value, want: f64) -> f64 {
    let wrong = |is_wrong| if is_wrong { f64::INFINITY } else { 0.0 };
    let float = got.to_float();
    if want.is_nan() || float.is_nan() {
        return wrong(!(want.is_nan() && float.is_nan()));
    }
    if want.is_infinite() || float == want {
        return wrong(float != want);
    }
    let (_, least_normal) = format(got.element);
    if want.abs() < least_normal && float == 0.0 {
        return 0.0;
    }
    if float.is_infinite() {
        // An infinity stands for all from the first power of two that is too large.
        let (beyond, unit) = match got.element {
            Element::Half => (65536.0, 32.0),
            Element::Float => (2f64.powi(128), 2f64.powi(104)),
            _ => (f64::MAX, 2f64.powi(971)),
        };
        if (want < 0.0) != (float < 0.0) {
            return f64::INFINITY;
        }
        return ((beyond - want.abs()) / unit).max(0.0);
    }
    (float - want).abs() / ulp(got.element, want)
}

/// Digits of the significand, and the least normal number.
fn format(element: Element) -> (i32, f64) {
    match element {
        Element::Half => (11, 2f64.powi(-14)),
        Element::Float => (24, f64::from(f32::MIN_POSITIVE)),
        _ => (53, f64::MIN_POSITIVE),
    }
}

/// The distance between the two floats around `value` (OpenCL C 7.4).
pub fn ulp(element: Element, value: f64) -> f64 {
    let (digits, least_normal) = format(element);
    let magnitude = value.abs().max(least_normal);
    let exponent = ((magnitude.to_bits() >> 52) as i32) - 1023;
    let scale = exponent - (digits - 1);
    if scale < -1022 { f64::from_bits(1 << (scale + 1074).max(0)) } else { 2f64.powi(scale) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ulps_are_those_of_the_format() {
        assert_eq!(ulp(Element::Float, 1.0), f64::from(f32::EPSILON));
        assert_eq!(ulp(Element::Float, 1.9), f64::from(f32::EPSILON));
        assert_eq!(ulp(Element::Float, 1e-45), f64::from(f32::from_bits(1)));
        assert_eq!(ulp(Element::Double, -2.0), 2.0 * f64::EPSILON);
        assert_eq!(ulp(Element::Double, 0.0), f64::from_bits(1));
        assert_eq!(ulp(Element::Half, 0.0), half::f16::from_bits(1).to_f64());
    }

    #[test]
    fn bounds_are_met_and_missed() {
        let one_up = Value::from_bits(Element::Float, u64::from(1f32.to_bits()) + 1);
        assert!(Want::Within(1.0, 1.0).allows(one_up));
        assert!(!Want::Within(1.0, 0.5).allows(one_up));
        assert!(Want::Within(1e-40, 0.0).allows(Value::float(Element::Float, 0.0)));
        assert!(!Want::Within(1e-30, 0.5).allows(Value::float(Element::Float, 0.0)));
        assert!(Want::Within(3.5e38, 3.0).allows(Value::float(Element::Float, f64::INFINITY)));
        assert!(!Want::Within(3.0e38, 3.0).allows(Value::float(Element::Float, f64::INFINITY)));
        assert!(!Want::Within(f64::NAN, 3.0).allows(one_up));
        assert_eq!(units(one_up, 1.0), 1.0);
        assert_eq!(units(Value::float(Element::Double, 3.0), f64::INFINITY), f64::INFINITY);
        assert!(!Want::float(Element::Float, 0.0).allows(Value::float(Element::Float, -0.0)));
    }
}
