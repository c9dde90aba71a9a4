//! Binary operators, and the tree that a flat list of operands and operators is (C99 6.5.5–6.5.14).

use clc_base::Span;

use super::input::State;
use crate::ast::{BinaryOp, Expr, ExprId, ExprKind};
use crate::token::{Punctuator, TokenKind};

/// A binary operator with its precedence.
#[derive(Clone, Copy)]
pub(super) struct Operator {
    op: BinaryOp,
    precedence: u8,
}

/// The operator a token is.
#[inline]
pub(super) fn binary_operator(kind: TokenKind) -> Option<Operator> {
    let TokenKind::Punctuator(punctuator) = kind else { return None };
    let (op, precedence) = match punctuator {
        Punctuator::Star => (BinaryOp::Mul, 10),
        Punctuator::Slash => (BinaryOp::Div, 10),
        Punctuator::Percent => (BinaryOp::Rem, 10),
        Punctuator::Plus => (BinaryOp::Add, 9),
        Punctuator::Minus => (BinaryOp::Sub, 9),
        Punctuator::ShiftLeft => (BinaryOp::Shl, 8),
        Punctuator::ShiftRight => (BinaryOp::Shr, 8),
        Punctuator::Less => (BinaryOp::Less, 7),
        Punctuator::Greater => (BinaryOp::Greater, 7),
        Punctuator::LessEqual => (BinaryOp::LessEqual, 7),
        Punctuator::GreaterEqual => (BinaryOp::GreaterEqual, 7),
        Punctuator::EqualEqual => (BinaryOp::Equal, 6),
        Punctuator::NotEqual => (BinaryOp::NotEqual, 6),
        Punctuator::Ampersand => (BinaryOp::BitAnd, 5),
        Punctuator::Caret => (BinaryOp::BitXor, 4),
        Punctuator::Bar => (BinaryOp::BitOr, 3),
        Punctuator::AndAnd => (BinaryOp::LogicalAnd, 2),
        Punctuator::OrOr => (BinaryOp::LogicalOr, 1),
        _ => return None,
    };
    Some(Operator { op, precedence })
}

/// Number of precedence levels.
const LEVELS: usize = 10;

/// A left operand and its operator, waiting for the right one.
#[derive(Clone, Copy)]
struct Pending {
    left: ExprId,
    operator: Operator,
    op_span: Span,
}

/// What waits has strictly rising precedence, so there is at most one entry for each level.
pub(super) fn fold(
    state: &mut State<'_>,
    first: ExprId,
    rest: Vec<((Operator, Span), ExprId)>,
) -> ExprId {
    let mut right = first;
    let mut waiting: [Option<Pending>; LEVELS] = [None; LEVELS];
    let mut count = 0;
    for ((operator, op_span), operand) in rest {
        while let Some(pending) = waiting[..count].last().copied().flatten()
            && pending.operator.precedence >= operator.precedence
        {
            count -= 1;
            right = binary(state, pending, right);
        }
        waiting[count] = Some(Pending { left: right, operator, op_span });
        count += 1;
        right = operand;
    }
    for pending in waiting[..count].iter().rev().flatten() {
        right = binary(state, *pending, right);
    }
    right
}

fn binary(state: &mut State<'_>, pending: Pending, right: ExprId) -> ExprId {
    let Pending { left, operator, op_span } = pending;
    let exprs = &mut state.ast.exprs;
    let span = exprs[left].span.to(exprs[right].span);
    exprs.push(Expr { kind: ExprKind::Binary { op: operator.op, op_span, left, right }, span })
}
