//! Constant expressions (C99 6.6).

use clc_syntax::ast;

use crate::context::Sema;
use crate::hir;
use crate::types::TypeId;

/// The value of an integer constant expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntegerConstant {
    /// The mathematical value.
    pub value: i128,
    /// An integer type (enums are given as their underlying integer).
    pub ty: TypeId,
}

/// Where the evaluation of a constant expression got stuck.
#[derive(Clone, Debug)]
pub(crate) enum NotConstant {
    /// Something already reported.
    Reported,
    /// This operand is not constant.
    At(hir::ExprId),
}

impl Sema<'_> {
    /// The value of an integer constant expression; reports and gives `None` if `e` isn't one.
    /// `what` completes "… must be an integer constant expression": "the size of an array".
    pub(crate) fn integer_constant(
        &mut self,
        e: ast::ExprId,
        what: &str,
    ) -> Option<IntegerConstant> {
        let _ = (e, what);
        None
    }

    /// The value of a constant expression of any type (an initialiser with static storage
    /// duration); addresses of globals too. Reports nothing.
    pub(crate) fn try_evaluate(
        &mut self,
        value: hir::ExprId,
    ) -> Result<hir::Constant, NotConstant> {
        Err(NotConstant::At(value))
    }

    /// As [`Sema::try_evaluate`]; reports "initialiser is not constant" at the operand that
    /// isn't. `what` names the thing initialised: "an initializer of a `constant` variable".
    pub(crate) fn evaluate(&mut self, value: hir::ExprId, what: &str) -> Option<hir::Constant> {
        let _ = (value, what);
        None
    }
}
