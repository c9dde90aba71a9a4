//! Arithmetic on the bits of scalars, as devices compute it. `None` is what they may compute
//! differently.

use clc_ir::{BinaryOp, CompareOp};
use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

/// The bits of `value` kept to `width`.
pub(crate) fn mask(value: u64, width: u8) -> u64 {
    if width >= 64 { value } else { value & ((1 << width) - 1) }
}

/// `value`, `width` bits wide, sign-extended.
pub(crate) fn sign_extend(value: u64, width: u8) -> i64 {
    let shift = 64 - u32::from(width);
    (value << shift) as i64 >> shift
}

pub(super) fn signed_range(width: u8) -> (i64, i64) {
    let max = mask(u64::MAX, width - 1) as i64;
    (-max - 1, max)
}

/// `None` for what has no defined result.
pub(super) fn int_binary(op: BinaryOp, left: u64, right: u64, width: u8) -> Option<u64> {
    let (signed_left, signed_right) = (sign_extend(left, width), sign_extend(right, width));
    let overflows = right == 0 || (signed_left == signed_range(width).0 && signed_right == -1);
    Some(match op {
        BinaryOp::IAdd => left.wrapping_add(right),
        BinaryOp::ISub => left.wrapping_sub(right),
        BinaryOp::IMul => left.wrapping_mul(right),
        BinaryOp::SDiv if overflows => return None,
        BinaryOp::SDiv => (signed_left / signed_right) as u64,
        BinaryOp::UDiv => left.checked_div(right)?,
        BinaryOp::SRem if overflows => return None,
        BinaryOp::SRem => (signed_left % signed_right) as u64,
        BinaryOp::URem => left.checked_rem(right)?,
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if right >= u64::from(width) => {
            return None;
        }
        BinaryOp::Shl => left << right,
        BinaryOp::LShr => left >> right,
        BinaryOp::AShr => (signed_left >> right) as u64,
        BinaryOp::And => left & right,
        BinaryOp::Or => left | right,
        BinaryOp::Xor => left ^ right,
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            return None;
        }
    })
}

pub(super) fn int_compare(op: CompareOp, left: u64, right: u64, width: u8) -> Option<bool> {
    let (signed_left, signed_right) = (sign_extend(left, width), sign_extend(right, width));
    Some(match op {
        CompareOp::Equal => left == right,
        CompareOp::NotEqual => left != right,
        CompareOp::SLess => signed_left < signed_right,
        CompareOp::SLessEqual => signed_left <= signed_right,
        CompareOp::SGreater => signed_left > signed_right,
        CompareOp::SGreaterEqual => signed_left >= signed_right,
        CompareOp::ULess => left < right,
        CompareOp::ULessEqual => left <= right,
        CompareOp::UGreater => left > right,
        CompareOp::UGreaterEqual => left >= right,
        CompareOp::FEqual
        | CompareOp::FNotEqual
        | CompareOp::FLess
        | CompareOp::FLessEqual
        | CompareOp::FGreater
        | CompareOp::FGreaterEqual => return None,
    })
}

pub(super) fn float_binary<F: Float>(op: BinaryOp, left: u64, right: u64) -> Option<u64> {
    let left = F::from_bits(u128::from(left));
    let right = F::from_bits(u128::from(right));
    let round = Round::NearestTiesToEven;
    let result = match op {
        BinaryOp::FAdd => left.add_r(right, round),
        BinaryOp::FSub => left.sub_r(right, round),
        BinaryOp::FMul => left.mul_r(right, round),
        BinaryOp::FDiv => left.div_r(right, round),
        BinaryOp::FRem => left.c_fmod(right),
        _ => return None,
    };
    if result.value.is_nan() || result.status.contains(Status::DIV_BY_ZERO) {
        return None;
    }
    Some(result.value.to_bits() as u64)
}

pub(super) fn float_compare<F: Float>(op: CompareOp, left: u64, right: u64) -> Option<bool> {
    let order = F::from_bits(u128::from(left)).partial_cmp(&F::from_bits(u128::from(right)));
    Some(match op {
        CompareOp::FEqual => order.is_some_and(|order| order.is_eq()),
        CompareOp::FNotEqual => order.is_none_or(|order| order.is_ne()),
        CompareOp::FLess => order.is_some_and(|order| order.is_lt()),
        CompareOp::FLessEqual => order.is_some_and(|order| order.is_le()),
        CompareOp::FGreater => order.is_some_and(|order| order.is_gt()),
        CompareOp::FGreaterEqual => order.is_some_and(|order| order.is_ge()),
        _ => return None,
    })
}

pub(super) fn int_to_float(width: u8, value: i128, round: Round) -> Option<u64> {
    Some(match width {
        16 => Half::from_i128_r(value, round).value.to_bits() as u64,
        32 => Single::from_i128_r(value, round).value.to_bits() as u64,
        64 => Double::from_i128_r(value, round).value.to_bits() as u64,
        _ => return None,
    })
}

pub(super) fn float_to_int(
    width: u8,
    bits: u64,
    to_width: u8,
    signed: bool,
    round: Round,
    saturate: bool,
) -> Option<u64> {
    fn convert<F: Float>(
        bits: u64,
        to_width: u8,
        signed: bool,
        round: Round,
        saturate: bool,
    ) -> Option<u64> {
        let value = F::from_bits(u128::from(bits));
        if value.is_nan() {
            // convert_*_sat makes it zero (OpenCL C 6.4.3.3).
            return saturate.then_some(0);
        }
        let mut exact = false;
        let width = usize::from(to_width);
        let (status, result) = if signed {
            let result = value.to_i128_r(width, round, &mut exact);
            (result.status, result.value as u64)
        } else {
            let result = value.to_u128_r(width, round, &mut exact);
            (result.status, result.value as u64)
        };
        // Out of range gives the nearest value, which only saturation promises.
        if status.contains(Status::INVALID_OP) && !saturate {
            return None;
        }
        Some(result)
    }
    match width {
        16 => convert::<Half>(bits, to_width, signed, round, saturate),
        32 => convert::<Single>(bits, to_width, signed, round, saturate),
        64 => convert::<Double>(bits, to_width, signed, round, saturate),
        _ => None,
    }
}

pub(super) fn float_to_float(width: u8, bits: u64, to_width: u8, round: Round) -> Option<u64> {
    fn convert<F: Float + FloatConvert<G>, G: Float>(bits: u64, round: Round) -> Option<u64> {
        let value = F::from_bits(u128::from(bits));
        if value.is_nan() {
            return None;
        }
        let mut loses = false;
        let result: G = value.convert_r(round, &mut loses).value;
        Some(result.to_bits() as u64)
    }
    match (width, to_width) {
        (16, 32) => convert::<Half, Single>(bits, round),
        (16, 64) => convert::<Half, Double>(bits, round),
        (32, 16) => convert::<Single, Half>(bits, round),
        (32, 64) => convert::<Single, Double>(bits, round),
        (64, 16) => convert::<Double, Half>(bits, round),
        (64, 32) => convert::<Double, Single>(bits, round),
        _ => (width == to_width).then_some(bits),
    }
}

/// The bits of `1 / value` if that is exact and neither overflows nor is denormal.
pub(crate) fn exact_reciprocal(width: u8, bits: u64) -> Option<u64> {
    match width {
        16 => Half::from_bits(u128::from(bits)).get_exact_inverse().map(|f| f.to_bits() as u64),
        32 => Single::from_bits(u128::from(bits)).get_exact_inverse().map(|f| f.to_bits() as u64),
        64 => Double::from_bits(u128::from(bits)).get_exact_inverse().map(|f| f.to_bits() as u64),
        _ => None,
    }
}

/// The bits of 1.0.
pub(crate) fn one(width: u8) -> u64 {
    match width {
        16 => 0x3c00,
        32 => 0x3f80_0000,
        _ => 0x3ff0_0000_0000_0000,
    }
}
