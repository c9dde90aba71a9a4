//! What is hardest to round: arguments whose results are half way between two doubles, nearly.

use super::inputs::Random;

/// All doubles from 1 to 4 whose roots are closest to half way between two: of which, as an integer of 107 bits, the
/// square of an odd number of 54 bits leaves at most `rest`.
pub fn squares(rest: i64) -> Vec<u64> {
    let mut found = Vec::new();
    // The square of an odd number is one more than a multiple of eight.
    for left in (-rest..=rest).filter(|left| left.rem_euclid(8) == 7) {
        // An odd root of -left modulo 2^55, bit by bit: a root modulo 2^n is one of 2^(n+1), or differs by 2^(n-1).
        let wanted = left.wrapping_neg() as u64;
        let mut odd = 1u64;
        for bit in 3..55 {
            if odd.wrapping_mul(odd).wrapping_sub(wanted) >> bit & 1 != 0 {
                odd += 1 << (bit - 1);
            }
        }
        let top = 1u64 << 54;
        for root in [odd, odd.wrapping_neg(), odd + top, odd.wrapping_neg().wrapping_add(top)] {
            let root = root & (2 * top - 1);
            if !(1 << 53..1 << 54).contains(&root) {
                continue;
            }
            let square = u128::from(root).pow(2).wrapping_add_signed(i128::from(left));
            // With 53 bits, and an even exponent or an odd one.
            for (shift, exponent) in [(54, 1023u64), (55, 1024)] {
                let mantissa = (square >> shift) as u64;
                if square & ((1 << shift) - 1) == 0 && mantissa >> 52 == 1 {
                    found.push((mantissa & ((1 << 52) - 1)) | (exponent << 52));
                }
            }
        }
    }
    found
}

/// `count` pairs of doubles whose quotients are closest to half way between two, of divisors below 2 of whose reciprocals
/// that is nearly true, too. As integers of 53 bits, the product of the divisor and an odd number of 54 bits leaves at
/// most 7 of the dividend.
pub fn quotients(random: &mut Random, count: usize) -> Vec<[f64; 2]> {
    const TWO: u64 = 1 << 53;
    // Two that are rounded wrongly with a reciprocal that is not the nearest.
    let mut found = vec![
        [f64::from_bits(0x433f_ffc0_91c1_0370), f64::from_bits(0x433f_fff4_7eae_aab5)],
        [f64::from_bits(0x433f_ff9f_f5a1_151a), f64::from_bits(0x433f_ffb0_e11c_a9db)],
    ];
    while found.len() < count {
        let divisor = (TWO - 1 - random.word() % (1 << (40 + random.below(12)))) | 1;
        // 2^106 over the divisor has 54 bits: the last one and what is left say how far the double is from it.
        let reciprocal = (1u128 << 106) / u128::from(divisor);
        let rest = (1u128 << 106) % u128::from(divisor);
        let near = if reciprocal & 1 == 1 { rest } else { u128::from(divisor) - rest };
        if near > u128::from(divisor) / 32 {
            continue;
        }
        // Its inverse modulo 2^64, with twice as many bits each time.
        let inverse = (0..6).fold(divisor, |inverse: u64, _| {
            inverse.wrapping_mul(2u64.wrapping_sub(divisor.wrapping_mul(inverse)))
        });
        for left in [-7i64, -5, -3, -1, 1, 3, 5, 7] {
            let odd = inverse.wrapping_mul(left as u64) & (2 * TWO - 1);
            let product = u128::from(divisor) * u128::from(odd);
            let dividend = product.wrapping_add_signed(-i128::from(left)) >> 54;
            // Quotients near two, where units are the smallest part of a number.
            if odd >= TWO / 5 * 9 && dividend >> 52 == 1 {
                found.push([dividend as f64, divisor as f64]);
            }
        }
    }
    found.truncate(count);
    found
}
