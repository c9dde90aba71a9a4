//! The numbers an integer expression can have, as far as its own text tells.

use clc_builtins::{Intrinsic, Scalar};

use super::context::Lints;
use crate::hir::{BinaryOp, ExprId, ExprKind, UnaryOp};

/// Inclusive bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub low: i128,
    pub high: i128,
}

/// Deeper operands count as anything their type can hold.
const DEPTH: u32 = 12;

impl Range {
    pub fn of(scalar: Scalar) -> Range {
        match scalar {
            Scalar::Bool => Range { low: 0, high: 1 },
            _ if scalar.is_signed() => {
                let high = (1i128 << (scalar.bits() - 1)) - 1;
                Range { low: -high - 1, high }
            }
            _ => Range { low: 0, high: (1i128 << scalar.bits()) - 1 },
        }
    }

    fn within(self, other: Range) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    fn union(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

impl Lints<'_> {
    /// The numbers a scalar integer value can have; `None` for other types.
    pub(super) fn range(&self, expr: ExprId) -> Option<Range> {
        self.range_within(expr, DEPTH)
    }

    fn range_within(&self, expr: ExprId, depth: u32) -> Option<Range> {
        let scalar = self.scalar(expr).filter(|scalar| scalar.is_integer())?;
        let all = Range::of(scalar);
        let Some(depth) = depth.checked_sub(1) else { return Some(all) };
        let of = |operand| self.range_within(operand, depth);
        let found = match self.kind(expr) {
            ExprKind::Constant(_) => {
                self.integer(expr).map(|value| Range { low: value, high: value })
            }
            ExprKind::Convert { operand, saturate: false, .. } => of(*operand),
            ExprKind::Compare { .. }
            | ExprKind::Logical { .. }
            | ExprKind::Unary { op: UnaryOp::LogicalNot, .. } => Some(Range { low: 0, high: 1 }),
            ExprKind::Conditional { then, otherwise, .. } => {
                of(*then).zip(of(*otherwise)).map(|(a, b)| a.union(b))
            }
            ExprKind::Comma(parts) => parts.last().and_then(|&last| of(last)),
            ExprKind::Assign { value, .. } => of(*value),
            ExprKind::Intrinsic { intrinsic, arguments } => match (intrinsic, &arguments[..]) {
                (Intrinsic::GetWorkDim, _) => Some(Range { low: 1, high: 3 }),
                (Intrinsic::Popcount | Intrinsic::Clz | Intrinsic::Ctz, _) => {
                    Some(Range { low: 0, high: i128::from(scalar.bits()) })
                }
                (Intrinsic::SMax, &[a, b]) => of(a)
                    .zip(of(b))
                    .map(|(a, b)| Range { low: a.low.max(b.low), high: a.high.max(b.high) }),
                (Intrinsic::SMin | Intrinsic::UMin, &[a, b]) => of(a)
                    .zip(of(b))
                    .map(|(a, b)| Range { low: a.low.min(b.low), high: a.high.min(b.high) }),
                (Intrinsic::SClamp | Intrinsic::UClamp, &[_, low, high]) => {
                    of(low).zip(of(high)).map(|(a, b)| a.union(b))
                }
                _ => None,
            },
            ExprKind::Binary { op, left, right } => {
                let (a, b) = of(*left).zip(of(*right))?;
                binary(*op, a, b, scalar)
            }
            _ => None,
        };
        // What leaves the type wraps around, to anywhere.
        Some(found.filter(|range| range.within(all)).unwrap_or(all))
    }
}

fn binary(op: BinaryOp, a: Range, b: Range, scalar: Scalar) -> Option<Range> {
    let corners = |f: fn(i128, i128) -> Option<i128>| {
        let values = [f(a.low, b.low)?, f(a.low, b.high)?, f(a.high, b.low)?, f(a.high, b.high)?];
        Some(Range {
            low: values.into_iter().min().unwrap_or(0),
            high: values.into_iter().max().unwrap_or(0),
        })
    };
    match op {
        BinaryOp::Add => corners(i128::checked_add),
        BinaryOp::Sub => corners(i128::checked_sub),
        BinaryOp::Mul => corners(i128::checked_mul),
        BinaryOp::Div if a.low >= 0 && b.low > 0 => {
            Some(Range { low: a.low / b.high, high: a.high / b.low })
        }
        BinaryOp::Rem if b.low > 0 => {
            let most = b.high - 1;
            let low = if a.low >= 0 { 0 } else { (-most).max(a.low) };
            Some(Range { low, high: most.min(a.high).max(0) })
        }
        BinaryOp::And if a.low >= 0 || b.low >= 0 => {
            let most = match (a.low >= 0, b.low >= 0) {
                (true, true) => a.high.min(b.high),
                (true, false) => a.high,
                _ => b.high,
            };
            Some(Range { low: 0, high: most })
        }
        BinaryOp::Or | BinaryOp::Xor if a.low >= 0 && b.low >= 0 => {
            let bits = 128 - a.high.max(b.high).leading_zeros();
            Some(Range { low: 0, high: (1i128 << bits.min(126)) - 1 })
        }
        BinaryOp::Shr if a.low >= 0 && b.low == b.high && b.low >= 0 => {
            let count = b.low % i128::from(scalar.bits());
            Some(Range { low: a.low >> count, high: a.high >> count })
        }
        BinaryOp::Shr if a.low >= 0 => Some(Range { low: 0, high: a.high }),
        BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => None,
    }
}
