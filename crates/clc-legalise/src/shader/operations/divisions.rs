//! Divisions by constants, by the upper half of a product: of 64 bits compilers of shaders divide by them as by any other
//! number, which takes a hundred instructions, and of 32 bits with a sign some divide magnitudes, which takes three times as
//! long.
//!
//! The multipliers are those of Granlund and Montgomery (Division by Invariant Integers using Multiplication): a reciprocal of
//! one bit more than the dividend has, of which the highest is added apart where it does not fit.

use clc_ir::Value;
use clc_passes::fold::Folder;

use super::code::Code;
use super::integer;

/// `left / right`, or what is left, if `right` is such a constant.
pub(super) fn by_constant(
    c: &mut Code<'_, '_>,
    [left, right]: [Value; 2],
    signed: bool,
    wants_rest: bool,
) -> Option<Value> {
    let width = c.width(left);
    if width != 64 && !(width == 32 && signed) {
        return None;
    }
    let folder = Folder { types: &mut *c.builder.types, consts: &mut *c.builder.consts };
    let divisor = folder.splat_bits(right)?;
    let quotient = if signed {
        let unused = 64 - width;
        signed_quotient(c, left, divisor.cast_signed() << unused >> unused)?
    } else {
        unsigned_quotient(c, left, divisor)?
    };
    if !wants_rest {
        return Some(quotient);
    }
    let multiple = c.imul(quotient, right);
    Some(c.isub(left, multiple))
}

/// A multiplier of 65 bits, of which the highest is one where `adds`, and how far its product with a dividend is shifted
/// behind the upper half; the divisor is at least three and no power of two.
fn unsigned_multiplier(divisor: u64) -> (u64, bool, u32) {
    let shift = divisor.ilog2();
    let power = 1u128 << (64 + shift);
    let quotient = (power / u128::from(divisor)) as u64;
    let rest = (power % u128::from(divisor)) as u64;
    if divisor - rest < 1 << shift {
        return (quotient + 1, false, shift);
    }
    // One bit more: twice the quotient, and the bit.
    let next = u64::from(u128::from(rest) * 2 >= u128::from(divisor));
    (quotient.wrapping_mul(2).wrapping_add(next).wrapping_add(1), true, shift)
}

fn unsigned_quotient(c: &mut Code<'_, '_>, left: Value, divisor: u64) -> Option<Value> {
    if divisor < 3 || divisor.is_power_of_two() {
        return None;
    }
    let (multiplier, adds, shift) = unsigned_multiplier(divisor);
    let multiplier = c.int_like(left, multiplier);
    let high = integer::mul_hi(c, [left, multiplier], false);
    if !adds {
        return Some(c.lshr(high, shift));
    }
    // The mean of both, which fits.
    let rest = c.isub(left, high);
    let half = c.lshr(rest, 1);
    let sum = c.iadd(half, high);
    Some(c.lshr(sum, shift))
}

/// A multiplier of `width` bits without a sign, and the shift; the divisor is at least two.
fn signed_multiplier(divisor: u64, width: u32) -> (u64, u32) {
    let divisor = u128::from(divisor);
    let least = 1u128 << (width - 1);
    let most = least - 1 - least % divisor;
    let mut shift = 0;
    loop {
        let power = 1u128 << (width + shift);
        let over = divisor - power % divisor;
        if power > most * over {
            return (((power + over) / divisor) as u64, shift);
        }
        shift += 1;
    }
}

fn signed_quotient(c: &mut Code<'_, '_>, left: Value, divisor: i64) -> Option<Value> {
    let (magnitude, width) = (divisor.unsigned_abs(), c.width(left));
    if magnitude < 2 || magnitude >> (width - 1) != 0 {
        return None;
    }
    let quotient = if magnitude.is_power_of_two() {
        // Of a negative number one more, unless nothing is left.
        let bits = magnitude.ilog2();
        let signs = c.ashr(left, width - 1);
        let more = c.lshr(signs, width - bits);
        let sum = c.iadd(left, more);
        c.ashr(sum, bits)
    } else {
        let (multiplier, shift) = signed_multiplier(magnitude, width);
        let factor = c.int_like(left, multiplier);
        let mut quotient = integer::mul_hi(c, [left, factor], true);
        // The factor is taken for a negative number.
        if multiplier >> (width - 1) != 0 {
            quotient = c.iadd(quotient, left);
        }
        quotient = c.ashr(quotient, shift);
        // Towards zero.
        let sign = c.lshr(left, width - 1);
        c.iadd(quotient, sign)
    };
    Some(if divisor < 0 { c.ineg(quotient) } else { quotient })
}

#[cfg(test)]
mod tests {
    use super::{signed_multiplier, unsigned_multiplier};

    /// Numbers around powers of two and around multiples of a divisor.
    fn dividends(divisor: u64) -> impl Iterator<Item = u64> {
        let powers = (0..64).map(|bit| 1u64 << bit);
        let multiples =
            [1, 2, 3, u64::MAX / divisor, u64::MAX / divisor / 2, u64::MAX / divisor / 3]
                .map(|factor| divisor.wrapping_mul(factor));
        powers.chain(multiples).flat_map(|number| {
            [0, 1, 2, u64::MAX, u64::MAX - 1].map(|step| number.wrapping_add(step))
        })
    }

    fn divisors() -> impl Iterator<Item = u64> {
        let powers = (2..64)
            .flat_map(|bit| [(1u64 << bit) - 1, (1 << bit) + 1, (1 << bit) + (1 << (bit / 2))]);
        (2..1000).chain(powers).chain([10_u64.pow(9), 10_u64.pow(18), 641, 6_700_417, u64::MAX])
    }

    fn high(left: u64, right: u64) -> u64 {
        ((u128::from(left) * u128::from(right)) >> 64) as u64
    }

    #[test]
    fn quotients_without_a_sign_are_exact() {
        for divisor in divisors().filter(|divisor| !divisor.is_power_of_two()) {
            let (multiplier, adds, shift) = unsigned_multiplier(divisor);
            for dividend in dividends(divisor) {
                let high = high(dividend, multiplier);
                let high = if adds { (dividend - high) / 2 + high } else { high };
                assert_eq!(high >> shift, dividend / divisor, "{dividend} / {divisor}");
            }
        }
    }

    #[test]
    fn quotients_with_a_sign_are_exact() {
        for divisor in divisors().filter(|&divisor| divisor < 1 << 63) {
            let (multiplier, shift) = signed_multiplier(divisor, 64);
            for dividend in dividends(divisor).map(u64::cast_signed) {
                let product = i128::from(dividend) * i128::from(multiplier.cast_signed());
                let mut quotient = (product >> 64) as i64;
                if multiplier >> 63 != 0 {
                    quotient = quotient.wrapping_add(dividend);
                }
                quotient = (quotient >> shift) + i64::from(dividend < 0);
                assert_eq!(quotient, dividend / divisor.cast_signed(), "{dividend} / {divisor}");
            }
        }
    }

    #[test]
    fn quotients_of_32_bits_with_a_sign_are_exact() {
        for divisor in divisors().filter(|&divisor| divisor < 1 << 31) {
            let (multiplier, shift) = signed_multiplier(divisor, 32);
            let multiplier = u32::try_from(multiplier).unwrap();
            let lowest = (1u64 << 31).wrapping_sub(3)..(1u64 << 31) + 3;
            for dividend in dividends(divisor).chain(lowest).map(|dividend| dividend as i32) {
                let product = i64::from(dividend) * i64::from(multiplier.cast_signed());
                let mut quotient = (product >> 32) as i32;
                if multiplier >> 31 != 0 {
                    quotient = quotient.wrapping_add(dividend);
                }
                quotient = (quotient >> shift) + i32::from(dividend < 0);
                assert_eq!(quotient, dividend / divisor as i32, "{dividend} / {divisor}");
            }
        }
    }
}
