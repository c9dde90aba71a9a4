//! Arithmetic, comparisons and conversions of scalars, by Rust's own integers and [`floats`](crate::floats).

use clc_base::memory_model::AtomicOp;
use clc_builtins::GroupOp;
use clc_builtins::resolve::Rounding;
use clc_ir::{BinaryOp, CompareOp, ConvertOp, UnaryOp};

use crate::floats;
use crate::value::{Scalar, mask, signed};

/// What a scalar's bits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// 1 for booleans.
    pub width: u32,
    /// Not an integer, a boolean or an address.
    pub is_float: bool,
}

/// The result of a binary operation, or why it has none.
pub fn binary(
    op: BinaryOp,
    left: Scalar,
    right: Scalar,
    number: Number,
) -> Result<Scalar, &'static str> {
    let width = number.width;
    if number.is_float {
        let (a, b) = (floats::number(left, width), floats::number(right, width));
        let (Some(a), Some(b)) = (a, b) else {
            // Whatever the other is.
            let is_nan = a.is_some_and(f64::is_nan) || b.is_some_and(f64::is_nan);
            let nan = floats::nearest(f64::NAN, width);
            return Ok(if is_nan { nan } else { Scalar::unknown(width) });
        };
        let value = match op {
            BinaryOp::FAdd => a + b,
            BinaryOp::FSub => a - b,
            BinaryOp::FMul => a * b,
            BinaryOp::FDiv => a / b,
            BinaryOp::FRem => libm::fmod(a, b),
            _ => return Err("an operation of integers on floats"),
        };
        return Ok(floats::nearest(value, width));
    }
    let (Scalar { bits: a, unknown: ua }, Scalar { bits: b, unknown: ub }) = (left, right);
    let unknown = ua | ub;
    // Carries go up only.
    let from_lowest = |bits: u64| {
        let above = if unknown == 0 { 0 } else { u64::MAX << unknown.trailing_zeros() };
        Scalar::partly(bits & mask(width), above & mask(width))
    };
    let zero = Some(0);
    Ok(match op {
        BinaryOp::IAdd => from_lowest(a.wrapping_add(b)),
        BinaryOp::ISub => from_lowest(a.wrapping_sub(b)),
        BinaryOp::IMul if left.get() == zero || right.get() == zero => Scalar::known(0),
        BinaryOp::IMul => from_lowest(a.wrapping_mul(b)),
        BinaryOp::And => {
            let zeros = !a & !ua | !b & !ub;
            Scalar::partly(a & b, unknown & !zeros)
        }
        BinaryOp::Or => Scalar::partly(a | b, unknown & !(a | b)),
        BinaryOp::Xor => Scalar::partly(a ^ b, unknown),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            let Some(count) = right.get().filter(|&count| count < u64::from(width)) else {
                return Ok(Scalar::unknown(width));
            };
            let shift = |bits: u64| match op {
                BinaryOp::Shl => bits << count & mask(width),
                BinaryOp::LShr => bits >> count,
                _ => (signed(bits, width) >> count) as u64 & mask(width),
            };
            Scalar::partly(shift(a), shift(ua))
        }
        BinaryOp::SDiv | BinaryOp::SRem | BinaryOp::UDiv | BinaryOp::URem => {
            if right.get() == zero {
                return Err("division by zero");
            }
            if unknown != 0 {
                return Ok(Scalar::unknown(width));
            }
            let (x, y) = (signed(a, width), signed(b, width));
            let is_signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
            if is_signed && y == -1 && x == signed(1 << (width - 1), width) {
                return Err("a quotient that overflows");
            }
            let bits = match op {
                BinaryOp::SDiv => (x / y) as u64,
                BinaryOp::SRem => (x % y) as u64,
                BinaryOp::UDiv => a / b,
                _ => a % b,
            };
            Scalar::known(bits & mask(width))
        }
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            return Err("an operation of floats on integers");
        }
    })
}

/// Whether a sum, difference or product of known signed numbers is none of that width.
pub fn wraps(op: BinaryOp, left: Scalar, right: Scalar, width: u32) -> bool {
    let (Some(a), Some(b)) = (left.get(), right.get()) else { return false };
    let (a, b) = (i128::from(signed(a, width)), i128::from(signed(b, width)));
    let exact = match op {
        BinaryOp::IAdd => a + b,
        BinaryOp::ISub => a - b,
        BinaryOp::IMul => a * b,
        _ => return false,
    };
    let least = -1 << (width - 1);
    !(least..-least).contains(&exact)
}

/// The result of an operation on one operand.
pub fn unary(op: UnaryOp, operand: Scalar, width: u32) -> Scalar {
    let Scalar { bits, unknown } = operand;
    match op {
        UnaryOp::Not => Scalar::partly(!bits & mask(width), unknown),
        UnaryOp::FNeg => Scalar::partly(bits ^ 1 << (width - 1), unknown),
        UnaryOp::INeg => {
            let above = if unknown == 0 { 0 } else { u64::MAX << unknown.trailing_zeros() };
            Scalar::partly(bits.wrapping_neg() & mask(width), above & mask(width))
        }
    }
}

/// A boolean; unknown if it depends on unknown bits.
pub fn compare(op: CompareOp, left: Scalar, right: Scalar, number: Number) -> Scalar {
    use CompareOp as Op;
    let width = number.width;
    let of = |result: Option<bool>| match result {
        Some(result) => Scalar::known(u64::from(result)),
        None => Scalar::unknown(1),
    };
    if matches!(
        op,
        Op::FEqual | Op::FNotEqual | Op::FLess | Op::FLessEqual | Op::FGreater | Op::FGreaterEqual
    ) {
        let numbers = floats::number(left, width).zip(floats::number(right, width));
        return of(numbers.map(|(a, b)| match op {
            Op::FEqual => a == b,
            Op::FNotEqual => a != b,
            Op::FLess => a < b,
            Op::FLessEqual => a <= b,
            Op::FGreater => a > b,
            _ => a >= b,
        }));
    }
    // The least and the greatest that each can be.
    let flip = match op {
        Op::SLess | Op::SLessEqual | Op::SGreater | Op::SGreaterEqual => 1 << (width - 1),
        _ => 0,
    };
    let range = |scalar: Scalar| {
        let bits = (scalar.bits ^ flip) & !scalar.unknown;
        (bits, bits | scalar.unknown)
    };
    let ((a, most_a), (b, most_b)) = (range(left), range(right));
    let less = |or_equal: bool, (a, most_a): (u64, u64), (b, most_b): (u64, u64)| {
        if most_a < b || or_equal && most_a <= b {
            Some(true)
        } else if a > most_b || !or_equal && a >= most_b {
            Some(false)
        } else {
            None
        }
    };
    let (x, y) = ((a, most_a), (b, most_b));
    let equal = || {
        let both_known = !(left.unknown | right.unknown);
        if (left.bits ^ right.bits) & both_known != 0 {
            Some(false)
        } else {
            (left.unknown | right.unknown == 0).then_some(true)
        }
    };
    of(match op {
        Op::Equal => equal(),
        Op::NotEqual => equal().map(|equal| !equal),
        Op::SLess | Op::ULess => less(false, x, y),
        Op::SLessEqual | Op::ULessEqual => less(true, x, y),
        Op::SGreater | Op::UGreater => less(false, y, x),
        _ => less(true, y, x),
    })
}

/// A conversion of a scalar from `from` to `to` bits.
pub fn convert(
    op: ConvertOp,
    operand: Scalar,
    from: u32,
    to: u32,
    rounding: Option<Rounding>,
    saturate: bool,
) -> Scalar {
    let Scalar { bits, unknown } = operand;
    let saturated = |value: i128, least: i128, most: i128| {
        if unknown != 0 {
            return Scalar::unknown(to);
        }
        Scalar::known(value.clamp(least, most) as u64 & mask(to))
    };
    let (least, most) = (-(1i128 << (to - 1)), (1i128 << (to - 1)) - 1);
    let (as_signed, as_unsigned) = (i128::from(signed(bits, from)), i128::from(bits));
    match op {
        ConvertOp::Truncate
        | ConvertOp::ZeroExtend
        | ConvertOp::Bitcast
        | ConvertOp::PtrToInt
        | ConvertOp::IntToPtr
        | ConvertOp::ToGeneric
        | ConvertOp::FromGeneric => Scalar::partly(bits & mask(to), unknown & mask(to)),
        ConvertOp::SignExtend => Scalar::partly(
            signed(bits, from) as u64 & mask(to),
            signed(unknown, from) as u64 & mask(to),
        ),
        ConvertOp::SaturateSToS => saturated(as_signed, least, most),
        ConvertOp::SaturateSToU => saturated(as_signed, 0, i128::from(mask(to))),
        ConvertOp::SaturateUToS => saturated(as_unsigned, least, most),
        ConvertOp::SaturateUToU => saturated(as_unsigned, 0, i128::from(mask(to))),
        ConvertOp::SToF | ConvertOp::UToF => {
            if unknown != 0 {
                return Scalar::unknown(to);
            }
            let value = if op == ConvertOp::SToF { as_signed } else { as_unsigned };
            floats::of_integer(value, to, rounding.unwrap_or(Rounding::NearestEven))
        }
        ConvertOp::FToF => match floats::number(operand, from) {
            Some(value) => floats::rounded(value, to, rounding.unwrap_or(Rounding::NearestEven)),
            None => Scalar::unknown(to),
        },
        ConvertOp::FToS | ConvertOp::FToU => {
            let Some(value) = floats::number(operand, from) else { return Scalar::unknown(to) };
            let value = floats::integral(value, rounding.unwrap_or(Rounding::TowardZero));
            let (least, most) = match op {
                ConvertOp::FToS => (least, most),
                _ => (0, i128::from(mask(to))),
            };
            // What is out of range becomes any number (OpenCL C 6.4.3.3).
            let is_inside = value >= least as f64 && value < most as f64 + 1.0;
            if value.is_nan() {
                return if saturate { Scalar::known(0) } else { Scalar::unknown(to) };
            }
            if !is_inside && !saturate {
                return Scalar::unknown(to);
            }
            // Rust's conversion saturates, to more bits than there are.
            Scalar::known((value as i128).clamp(least, most) as u64 & mask(to))
        }
    }
}

/// What an atomic leaves where `old` was.
pub fn modified(op: AtomicOp, old: Scalar, value: Scalar, width: u32) -> Scalar {
    let op = match op {
        AtomicOp::IAdd => GroupOp::IAdd,
        AtomicOp::ISub => {
            return combined(GroupOp::IAdd, old, unary(UnaryOp::INeg, value, width), width);
        }
        AtomicOp::FAdd => GroupOp::FAdd,
        AtomicOp::SMin => GroupOp::SMin,
        AtomicOp::UMin => GroupOp::UMin,
        AtomicOp::FMin => GroupOp::FMin,
        AtomicOp::SMax => GroupOp::SMax,
        AtomicOp::UMax => GroupOp::UMax,
        AtomicOp::FMax => GroupOp::FMax,
        AtomicOp::And => GroupOp::And,
        AtomicOp::Or => GroupOp::Or,
        AtomicOp::Xor => GroupOp::Xor,
        AtomicOp::Exchange => return value,
    };
    combined(op, old, value, width)
}

/// Two values that a function of a group combines.
pub fn combined(op: GroupOp, left: Scalar, right: Scalar, width: u32) -> Scalar {
    let integers = Number { width, is_float: false };
    let numbers = Number { width, is_float: true };
    let choose = |op: CompareOp| match compare(op, left, right, integers).get() {
        None => left.or(right),
        Some(0) => right,
        Some(_) => left,
    };
    let compute = |op: BinaryOp, number: Number| {
        binary(op, left, right, number).unwrap_or(Scalar::unknown(width))
    };
    let logical = |of: fn(bool, bool) -> bool| match (left.get(), right.get()) {
        (Some(a), Some(b)) => Scalar::known(u64::from(of(a != 0, b != 0))),
        _ => Scalar::unknown(width),
    };
    match op {
        GroupOp::IAdd => compute(BinaryOp::IAdd, integers),
        GroupOp::IMul => compute(BinaryOp::IMul, integers),
        GroupOp::FAdd => compute(BinaryOp::FAdd, numbers),
        GroupOp::FMul => compute(BinaryOp::FMul, numbers),
        GroupOp::And => compute(BinaryOp::And, integers),
        GroupOp::Or => compute(BinaryOp::Or, integers),
        GroupOp::Xor => compute(BinaryOp::Xor, integers),
        GroupOp::SMin => choose(CompareOp::SLess),
        GroupOp::UMin => choose(CompareOp::ULess),
        GroupOp::SMax => choose(CompareOp::SGreater),
        GroupOp::UMax => choose(CompareOp::UGreater),
        GroupOp::FMin | GroupOp::FMax => {
            match (floats::number(left, width), floats::number(right, width)) {
                (Some(a), Some(b)) => {
                    let is_min = op == GroupOp::FMin;
                    floats::nearest(if is_min { a.min(b) } else { a.max(b) }, width)
                }
                _ => Scalar::unknown(width),
            }
        }
        GroupOp::LogicalAnd => logical(|a, b| a && b),
        GroupOp::LogicalOr => logical(|a, b| a || b),
        GroupOp::LogicalXor => logical(|a, b| a != b),
    }
}

/// What combines with any value to that value.
pub fn identity(op: GroupOp, width: u32) -> Scalar {
    let infinity = |sign: f64| floats::nearest(sign * f64::INFINITY, width);
    match op {
        GroupOp::IAdd
        | GroupOp::Or
        | GroupOp::Xor
        | GroupOp::UMax
        | GroupOp::LogicalOr
        | GroupOp::LogicalXor => Scalar::known(0),
        GroupOp::IMul | GroupOp::LogicalAnd => Scalar::known(1),
        GroupOp::FAdd => floats::nearest(0.0, width),
        GroupOp::FMul => floats::nearest(1.0, width),
        GroupOp::And | GroupOp::UMin => Scalar::known(mask(width)),
        GroupOp::SMin => Scalar::known(mask(width - 1)),
        GroupOp::SMax => Scalar::known(1 << (width - 1)),
        GroupOp::FMin => infinity(1.0),
        GroupOp::FMax => infinity(-1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Number = Number { width: 32, is_float: false };

    #[test]
    fn bits_that_do_not_depend_on_unknown_ones_are_known() {
        let low = Scalar::partly(0x1200, 0xff);
        let shifted = binary(BinaryOp::LShr, low, Scalar::known(8), INT).unwrap();
        assert_eq!(shifted, Scalar::known(0x12));
        assert_eq!(
            binary(BinaryOp::And, low, Scalar::known(0xff00), INT).unwrap(),
            Scalar::known(0x1200)
        );
        let sum = binary(BinaryOp::IAdd, Scalar::partly(3, 0x30), Scalar::known(1), INT).unwrap();
        assert_eq!(sum, Scalar::partly(4, 0xffff_fff0));
        assert_eq!(compare(CompareOp::ULess, low, Scalar::known(0x1300), INT), Scalar::known(1));
        assert_eq!(compare(CompareOp::Equal, low, Scalar::known(0), INT), Scalar::known(0));
        assert_eq!(compare(CompareOp::Equal, low, Scalar::known(0x1201), INT), Scalar::unknown(1));
    }

    #[test]
    fn signed_comparisons_look_at_the_sign() {
        let minus = Scalar::known(0xffff_ffff);
        assert_eq!(compare(CompareOp::SLess, minus, Scalar::known(0), INT), Scalar::known(1));
        assert_eq!(compare(CompareOp::ULess, minus, Scalar::known(0), INT), Scalar::known(0));
        assert_eq!(compare(CompareOp::SGreaterEqual, minus, minus, INT), Scalar::known(1));
    }

    #[test]
    fn undefined_quotients_are_reported() {
        let (zero, minus) = (Scalar::known(0), Scalar::known(0xffff_ffff));
        assert!(binary(BinaryOp::UDiv, minus, zero, INT).is_err());
        assert!(binary(BinaryOp::SRem, Scalar::known(1 << 31), minus, INT).is_err());
        assert_eq!(
            binary(BinaryOp::SDiv, Scalar::known(6), minus, INT),
            Ok(Scalar::known(0xffff_fffa))
        );
    }

    #[test]
    fn floats_out_of_range_saturate_or_are_anything() {
        let of = |value: f64, saturate| {
            let operand = floats::nearest(value, 32);
            convert(ConvertOp::FToS, operand, 32, 8, None, saturate)
        };
        assert_eq!(of(-3.9, false), Scalar::known(0xfd));
        assert_eq!(of(300.0, true), Scalar::known(0x7f));
        assert_eq!(of(300.0, false), Scalar::unknown(8));
        assert_eq!(of(f64::NAN, true), Scalar::known(0));
        let most = floats::nearest(1e30, 64);
        assert_eq!(convert(ConvertOp::FToU, most, 64, 64, None, true), Scalar::known(u64::MAX));
    }

    #[test]
    fn identities_change_nothing() {
        for (op, value) in [
            (GroupOp::SMin, 0x8000_0000),
            (GroupOp::SMax, 0x7fff_ffff),
            (GroupOp::UMin, 5),
            (GroupOp::And, 77),
            (GroupOp::IMul, 1234),
            (GroupOp::FMax, 0xc000_0000),
        ] {
            let value = Scalar::known(value);
            assert_eq!(combined(op, identity(op, 32), value, 32), value, "{op:?}");
        }
    }
}
