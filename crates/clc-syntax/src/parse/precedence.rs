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

/// A left operand and its operator, waiting for the right one.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    left: ExprId,
    operator: Operator,
    op_span: Span,
}

/// An expression of which the end has not been seen. What waits is on a stack that expressions share, in
/// strictly rising precedence, so that an expression of any length needs little memory.
#[derive(Clone, Copy)]
pub(super) struct Folding {
    /// Where its part of the stack begins.
    base: usize,
    /// Where it ends; an expression inside that failed may have left something behind.
    end: usize,
    right: ExprId,
}

impl Folding {
    #[inline]
    pub fn new(state: &State<'_>, first: ExprId) -> Folding {
        let base = state.pending.len();
        Folding { base, end: base, right: first }
    }

    /// With another operator and its right operand.
    #[inline]
    pub fn with(
        mut self,
        state: &mut State<'_>,
        (operator, op_span): (Operator, Span),
        operand: ExprId,
    ) -> Folding {
        state.pending.truncate(self.end);
        self.reduce(state, operator.precedence);
        state.pending.push(Pending { left: self.right, operator, op_span });
        Folding { end: state.pending.len(), right: operand, ..self }
    }

    /// The whole expression.
    #[inline]
    pub fn whole(mut self, state: &mut State<'_>) -> ExprId {
        if self.end > self.base {
            state.pending.truncate(self.end);
            self.reduce(state, 0);
        }
        self.right
    }

    /// Makes expressions of what binds at least as closely as `precedence`.
    fn reduce(&mut self, state: &mut State<'_>, precedence: u8) {
        while state.pending.len() > self.base
            && let Some(&pending) = state.pending.last()
            && pending.operator.precedence >= precedence
        {
            state.pending.pop();
            self.right = binary(state, pending, self.right);
        }
    }
}

fn binary(state: &mut State<'_>, pending: Pending, right: ExprId) -> ExprId {
    let Pending { left, operator, op_span } = pending;
    let exprs = &mut state.ast.exprs;
    let span = exprs[left].span.to(exprs[right].span);
    exprs.push(Expr { kind: ExprKind::Binary { op: operator.op, op_span, left, right }, span })
}
