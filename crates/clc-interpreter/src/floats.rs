//! Floating-point formats of 16, 32 and 64 bits: what their bits mean, and rounding to them.
//!
//! Numbers of all three are computed as `f64`. Sums, products, quotients and square roots of the narrower
//! formats, rounded once to `f64` and once more, are as if rounded once, as `f64` has more than twice the
//! digits of `f32` and two more.

use clc_builtins::resolve::Rounding;

use crate::value::{Scalar, mask};

/// Digits behind the point, and the greatest exponent.
const fn format(width: u32) -> (u32, i32) {
    match width {
        16 => (10, 15),
        32 => (23, 127),
        _ => (52, 1023),
    }
}

/// The number; `None` if it depends on unknown bits. A NaN may have some.
pub fn number(scalar: Scalar, width: u32) -> Option<f64> {
    let (digits, _) = format(width);
    let exponent = mask(width - 1) & !mask(digits);
    if scalar.unknown == 0 {
        return Some(decode(scalar.bits, width));
    }
    let is_nan = scalar.bits & exponent == exponent && scalar.bits & mask(digits) != 0;
    is_nan.then_some(f64::NAN)
}

fn decode(bits: u64, width: u32) -> f64 {
    match width {
        32 => f64::from(f32::from_bits(bits as u32)),
        64 => f64::from_bits(bits),
        _ => {
            let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
            let (exponent, fraction) = (bits >> 10 & 31, (bits & 0x3ff) as f64);
            match exponent {
                0 => sign * fraction * 2f64.powi(-24),
                31 if fraction == 0.0 => sign * f64::INFINITY,
                31 => f64::NAN,
                _ => sign * (1024.0 + fraction) * 2f64.powi(exponent as i32 - 25),
            }
        }
    }
}

/// The nearest number of the format. The sign and the digits of a NaN are not promised to be any.
pub fn nearest(value: f64, width: u32) -> Scalar {
    rounded(value, width, Rounding::NearestEven)
}

/// A number rounded to the format.
pub fn rounded(value: f64, width: u32, rounding: Rounding) -> Scalar {
    let (digits, _) = format(width);
    if value.is_nan() {
        let quiet = 1 << (digits - 1);
        let bits = mask(width - 1) & !mask(digits) | quiet;
        return Scalar::partly(bits, 1 << (width - 1) | (quiet - 1));
    }
    if width == 64 {
        return Scalar::known(value.to_bits());
    }
    let sign = u64::from(value.is_sign_negative()) << (width - 1);
    if value == 0.0 {
        return Scalar::known(sign);
    }
    if value.is_infinite() {
        return Scalar::known(sign | mask(width - 1) & !mask(digits));
    }
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    // Subnormal numbers of 64 bits are far below those of the others.
    let significand = u128::from(bits & mask(52) | u64::from(exponent != 0) << 52);
    integer_times_power(value < 0.0, significand, exponent.max(1) - 1075, width, rounding)
}

/// An integer rounded to the format.
pub fn of_integer(value: i128, width: u32, rounding: Rounding) -> Scalar {
    if value == 0 {
        return Scalar::known(0);
    }
    integer_times_power(value < 0, value.unsigned_abs(), 0, width, rounding)
}

/// `significand * 2^power`, which is not zero, rounded.
fn integer_times_power(
    negative: bool,
    significand: u128,
    power: i32,
    width: u32,
    rounding: Rounding,
) -> Scalar {
    let (digits, greatest) = format(width);
    let sign = u64::from(negative) << (width - 1);
    let length = 128 - significand.leading_zeros() as i32;
    // The exponent of the leading one, and of the last digit that there is room for.
    let leading = length - 1 + power;
    let last = leading.max(1 - greatest) - digits as i32;
    let drop = last - power;
    let (mut kept, rest, half) = if drop <= 0 {
        (significand << -drop, 0, 0)
    } else if drop > 127 {
        (0, 1, 2)
    } else {
        (significand >> drop, significand & ((1 << drop) - 1), 1u128 << (drop - 1))
    };
    let up = match rounding {
        Rounding::NearestEven => rest > half || rest == half && rest != 0 && kept & 1 == 1,
        Rounding::TowardZero => false,
        Rounding::TowardPositive => rest != 0 && !negative,
        Rounding::TowardNegative => rest != 0 && negative,
    };
    kept += u128::from(up);
    // A carry into a new digit becomes one of the exponent, as the bits lie.
    let biased = u64::from(kept >> digits != 0) * (last + digits as i32 + greatest - 1) as u64;
    let bits = (biased << digits) + kept as u64;
    let infinite = mask(width - 1) & !mask(digits);
    if bits < infinite {
        return Scalar::known(sign | bits);
    }
    let overflows = match rounding {
        Rounding::NearestEven => true,
        Rounding::TowardZero => false,
        Rounding::TowardPositive => !negative,
        Rounding::TowardNegative => negative,
    };
    Scalar::known(sign | if overflows { infinite } else { infinite - 1 })
}

/// `a * b + c`, rounded once.
pub fn fused(a: f64, b: f64, c: f64, width: u32) -> Scalar {
    match width {
        64 => nearest(libm::fma(a, b, c), 64),
        32 => nearest(f64::from(libm::fmaf(a as f32, b as f32, c as f32)), 32),
        _ => {
            // The product is exact. The sum's last bit says whether there was more, so that rounding
            // once more is as rounding once.
            let product = a * b;
            let sum = product + c;
            let back = sum - product;
            let error = (product - (sum - back)) + (c - back);
            let mut bits = sum.to_bits();
            if sum.is_finite() && error != 0.0 && bits & 1 == 0 {
                let grows = (error > 0.0) == (sum > 0.0);
                bits = if grows { bits + 1 } else { bits - 1 };
            }
            nearest(f64::from_bits(bits), 16)
        }
    }
}

/// The integer that rounding makes of a number.
pub fn integral(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::NearestEven => value.round_ties_even(),
        Rounding::TowardZero => value.trunc(),
        Rounding::TowardPositive => value.ceil(),
        Rounding::TowardNegative => value.floor(),
    }
}

/// The neighbour of a number in the format, towards another.
pub fn next_after(from: Scalar, to: Scalar, width: u32) -> Scalar {
    let (Some(from_number), Some(to_number)) = (number(from, width), number(to, width)) else {
        return Scalar::unknown(width);
    };
    if from_number.is_nan() || to_number.is_nan() {
        return nearest(f64::NAN, width);
    }
    if from_number == to_number {
        return to;
    }
    let sign = 1 << (width - 1);
    if from_number == 0.0 {
        return Scalar::known(if to_number > 0.0 { 1 } else { sign | 1 });
    }
    let grows = (from_number > 0.0) == (to_number > from_number);
    Scalar::known(if grows { from.bits + 1 } else { from.bits - 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_32_bits_round_as_the_host_does() {
        let mut state = 1u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let value = f64::from_bits(state ^ state >> 29);
            let found = nearest(value, 32);
            if value.is_nan() {
                assert!(number(found, 32).is_some_and(f64::is_nan));
            } else {
                assert_eq!(found.get(), Some(u64::from((value as f32).to_bits())), "{value:e}");
            }
            let single = f64::from(f32::from_bits(state as u32));
            if !single.is_nan() {
                assert_eq!(
                    nearest(single * 1.5, 32).bits as u32,
                    ((single * 1.5) as f32).to_bits()
                );
            }
            let integer = state as i64;
            let nearest_even = Rounding::NearestEven;
            assert_eq!(
                of_integer(i128::from(integer), 32, nearest_even).bits as u32,
                (integer as f32).to_bits()
            );
            assert_eq!(
                of_integer(i128::from(state), 64, nearest_even).bits,
                (state as f64).to_bits()
            );
        }
    }

    #[test]
    fn every_half_is_itself() {
        for bits in 0..=0xffff {
            let value = decode(bits, 16);
            if !value.is_nan() {
                assert_eq!(nearest(value, 16).bits, bits);
            }
        }
        // Between two halves, and beyond the last.
        assert_eq!(nearest(1.0 + 2f64.powi(-11), 16).bits, 0x3c00);
        assert_eq!(nearest(1.0 + 3.0 * 2f64.powi(-11), 16).bits, 0x3c02);
        assert_eq!(nearest(65519.0, 16).bits, 0x7bff);
        assert_eq!(nearest(65520.0, 16).bits, 0x7c00);
        assert_eq!(nearest(2f64.powi(-25), 16).bits, 0);
        assert_eq!(nearest(2f64.powi(-25) * 1.5, 16).bits, 1);
        assert_eq!(rounded(65535.0, 16, Rounding::TowardZero).bits, 0x7bff);
        assert_eq!(rounded(-65535.0, 16, Rounding::TowardPositive).bits, 0xfbff);
        assert_eq!(rounded(1e-300, 16, Rounding::TowardPositive).bits, 1);
    }

    #[test]
    fn a_fused_product_of_halves_rounds_once() {
        // 1.0009765625 * 0.5 + 2^-24 is just above the middle of two halves.
        let (a, b) = (decode(0x3c01, 16), 0.5);
        assert_eq!(fused(a, b, 0.0, 16).bits, 0x3801);
        let c = 2f64.powi(-12) + 2f64.powi(-24);
        assert_eq!(fused(1.0, 0.5, c, 16).bits, 0x3801);
        assert_eq!(fused(1.0, 0.5, 2f64.powi(-12), 16).bits, 0x3800);
    }

    #[test]
    fn what_depends_on_unknown_bits_is_no_number() {
        assert_eq!(number(Scalar::unknown(32), 32), None);
        assert!(number(nearest(f64::NAN, 32), 32).is_some_and(f64::is_nan));
    }
}
