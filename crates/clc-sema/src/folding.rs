//! Arithmetic on constants, exactly as the target would do it: integers wrap, floats round to
//! nearest even in their own format.
//!
//! A constant is the `u64` of [`hir::ExprKind::Constant`](crate::hir::ExprKind::Constant): the
//! bits of an integer, zero above its width, or of a float in its format.

use std::cmp::Ordering;

use clc_builtins::Scalar;
use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round, StatusAnd};

use crate::hir::{BinaryOp, CompareOp};

const NEAREST: Round = Round::NearestTiesToEven;

/// Evaluates `$body` with `$F` as the format of a floating scalar; `$otherwise` for integers.
macro_rules! with_format {
    ($scalar:expr, $F:ident => $body:expr, otherwise $otherwise:expr) => {
        match $scalar {
            Scalar::Half => {
                type $F = Half;
                $body
            }
            Scalar::Float => {
                type $F = Single;
                $body
            }
            Scalar::Double => {
                type $F = Double;
                $body
            }
            Scalar::Bool
            | Scalar::Char
            | Scalar::UChar
            | Scalar::Short
            | Scalar::UShort
            | Scalar::Int
            | Scalar::UInt
            | Scalar::Long
            | Scalar::ULong => $otherwise,
        }
    };
}

fn float<F: Float>(bits: u64) -> F {
    F::from_bits(u128::from(bits))
}

fn bits<F: Float>(value: StatusAnd<F>) -> u64 {
    value.value.to_bits() as u64
}

/// The low bits of a mathematical value: what an integer of this type holds after wrapping.
pub(crate) fn wrap(scalar: Scalar, value: i128) -> u64 {
    if scalar == Scalar::Bool {
        return u64::from(value != 0);
    }
    match scalar.bits() {
        64 => value as u64,
        width => value as u64 & ((1 << width) - 1),
    }
}

/// The mathematical value of an integer constant.
pub(crate) fn integer_value(scalar: Scalar, bits: u64) -> i128 {
    if scalar.is_signed() {
        let unused = 64 - scalar.bits();
        i128::from((bits << unused) as i64 >> unused)
    } else {
        i128::from(bits)
    }
}

/// Whether an integer type holds `value` unchanged.
pub(crate) fn fits(scalar: Scalar, value: i128) -> bool {
    integer_value(scalar, wrap(scalar, value)) == value
}

/// Whether a constant is not equal to zero.
pub(crate) fn is_true(scalar: Scalar, bits: u64) -> bool {
    with_format!(scalar, F => !float::<F>(bits).is_zero(), otherwise bits != 0)
}

/// Conversion between arithmetic scalars (C99 6.3.1). What C leaves undefined (a float outside
/// the range of the integer) saturates, and NaN becomes 0.
pub(crate) fn convert(value: u64, from: Scalar, to: Scalar) -> u64 {
    if from == to {
        return value;
    }
    if to == Scalar::Bool {
        return u64::from(is_true(from, value));
    }
    if from.is_integer() {
        let value = integer_value(from, value);
        return with_format!(to, F => bits(F::from_i128_r(value, NEAREST)), otherwise wrap(to, value));
    }
    if to.is_integer() {
        let width = to.bits() as usize;
        let exact = &mut false;
        let integer = with_format!(
            from,
            F => {
                let value = float::<F>(value);
                if value.is_nan() {
                    0
                } else if to.is_signed() {
                    value.to_i128_r(width, Round::TowardZero, exact).value
                } else {
                    value.to_u128_r(width, Round::TowardZero, exact).value as i128
                }
            },
            otherwise 0
        );
        return wrap(to, integer);
    }
    let lossy = &mut false;
    match (from, to) {
        (Scalar::Float, Scalar::Half) => {
            bits::<Half>(float::<Single>(value).convert_r(NEAREST, lossy))
        }
        (Scalar::Double, Scalar::Half) => {
            bits::<Half>(float::<Double>(value).convert_r(NEAREST, lossy))
        }
        (Scalar::Half, Scalar::Float) => {
            bits::<Single>(float::<Half>(value).convert_r(NEAREST, lossy))
        }
        (Scalar::Double, Scalar::Float) => {
            bits::<Single>(float::<Double>(value).convert_r(NEAREST, lossy))
        }
        (Scalar::Half, Scalar::Double) => {
            bits::<Double>(float::<Half>(value).convert_r(NEAREST, lossy))
        }
        (Scalar::Float, Scalar::Double) => {
            bits::<Double>(float::<Single>(value).convert_r(NEAREST, lossy))
        }
        _ => value,
    }
}

/// `left op right` on two constants of one type; for shifts `right` is only a count. `None` where
/// the operation has no value: division by zero, an operation floats do not have.
pub(crate) fn binary(op: BinaryOp, scalar: Scalar, left: u64, right: u64) -> Option<u64> {
    with_format!(
        scalar,
        F => {
            let (left, right) = (float::<F>(left), float::<F>(right));
            Some(bits(match op {
                BinaryOp::Add => left.add_r(right, NEAREST),
                BinaryOp::Sub => left.sub_r(right, NEAREST),
                BinaryOp::Mul => left.mul_r(right, NEAREST),
                BinaryOp::Div => left.div_r(right, NEAREST),
                BinaryOp::Rem
                | BinaryOp::Shl
                | BinaryOp::Shr
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor => return None,
            }))
        },
        otherwise {
            let (a, b) = (integer_value(scalar, left), integer_value(scalar, right));
            let count = right & u64::from(scalar.bits() - 1);
            Some(wrap(
                scalar,
                match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a.wrapping_mul(b),
                    BinaryOp::Div => a.checked_div(b)?,
                    BinaryOp::Rem => a.checked_rem(b)?,
                    BinaryOp::Shl => a << count,
                    BinaryOp::Shr => a >> count,
                    BinaryOp::And => a & b,
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                },
            ))
        }
    )
}

pub(crate) fn compare(op: CompareOp, scalar: Scalar, left: u64, right: u64) -> bool {
    let order = with_format!(
        scalar,
        F => float::<F>(left).partial_cmp(&float::<F>(right)),
        otherwise Some(integer_value(scalar, left).cmp(&integer_value(scalar, right)))
    );
    match op {
        CompareOp::Equal => order == Some(Ordering::Equal),
        CompareOp::NotEqual => order != Some(Ordering::Equal),
        CompareOp::Less => order == Some(Ordering::Less),
        CompareOp::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        CompareOp::Greater => order == Some(Ordering::Greater),
        CompareOp::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

pub(crate) fn negate(scalar: Scalar, value: u64) -> u64 {
    with_format!(
        scalar,
        F => (-float::<F>(value)).to_bits() as u64,
        otherwise wrap(scalar, -integer_value(scalar, value))
    )
}

pub(crate) fn bit_not(scalar: Scalar, value: u64) -> u64 {
    wrap(scalar, !integer_value(scalar, value))
}

/// A floating constant from its spelling without suffix (C99 6.4.4.2), rounded once, to nearest
/// even. `None` if it isn't one; infinity where it is too large.
pub(crate) fn parse_float(text: &str, scalar: Scalar) -> Option<u64> {
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    match scalar {
        // The standard library's conversions are exact, and much faster.
        Scalar::Float if !hexadecimal => {
            text.parse::<f32>().ok().map(|value| u64::from(value.to_bits()))
        }
        Scalar::Double if !hexadecimal => text.parse::<f64>().ok().map(f64::to_bits),
        _ => with_format!(
            scalar,
            F => F::from_str_r(text, NEAREST).ok().map(bits),
            otherwise None
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_at_their_width() {
        assert_eq!(binary(BinaryOp::Add, Scalar::UChar, 200, 100), Some(44));
        assert_eq!(binary(BinaryOp::Mul, Scalar::Int, 0x1_0000, 0x1_0000), Some(0));
        assert_eq!(binary(BinaryOp::Div, Scalar::Int, 0x8000_0000, 0xffff_ffff), Some(0x8000_0000));
        assert_eq!(binary(BinaryOp::Div, Scalar::Int, 1, 0), None);
        assert_eq!(binary(BinaryOp::Shr, Scalar::Int, 0x8000_0000, 33), Some(0xc000_0000));
        assert_eq!(
            binary(BinaryOp::Mul, Scalar::ULong, u64::MAX, u64::MAX),
            Some(1),
            "the product of two 64-bit numbers fits 128 bits, signed, only modulo 2^128"
        );
    }

    #[test]
    fn conversions_are_those_of_c() {
        let single = |value: f32| u64::from(value.to_bits());
        assert_eq!(convert(single(-2.7), Scalar::Float, Scalar::Int), 0xffff_fffe);
        assert_eq!(convert(single(300.0), Scalar::Float, Scalar::UChar), 255);
        assert_eq!(convert(single(f32::NAN), Scalar::Float, Scalar::Int), 0);
        assert_eq!(convert(single(0.5), Scalar::Float, Scalar::Bool), 1);
        assert_eq!(convert(0xffff_ffff, Scalar::UInt, Scalar::Float), single(4294967296.0));
        assert_eq!(convert(0xffff_ffff, Scalar::Int, Scalar::Long), u64::MAX);
        assert_eq!(convert(0.1f64.to_bits(), Scalar::Double, Scalar::Float), single(0.1));
        assert_eq!(convert(65520.0f64.to_bits(), Scalar::Double, Scalar::Half), 0x7c00);
    }

    #[test]
    fn floating_constants_round_once() {
        assert_eq!(parse_float("0x1.8p1", Scalar::Float), Some(u64::from(3.0f32.to_bits())));
        assert_eq!(parse_float("1.", Scalar::Double), Some(1.0f64.to_bits()));
        assert_eq!(parse_float(".5e1", Scalar::Half), Some(0x4500));
        assert_eq!(parse_float("1e999", Scalar::Double), Some(f64::INFINITY.to_bits()));
        assert_eq!(parse_float("0x.p1", Scalar::Double), None);
    }
}
