//! Expressions (C99 6.5, OpenCL C 6.3 to 6.5).

use clc_syntax::ast;

use crate::context::Sema;
use crate::hir;

/// What is remembered from one expression to the next.
#[derive(Debug, Default)]
pub struct Memory {}

impl Sema<'_> {
    /// A place or a value, as written. Never fails: after an error it is an
    /// [`hir::ExprKind::Error`] of type `ERROR`.
    pub(crate) fn expr(&mut self, e: ast::ExprId) -> hir::ExprId {
        let span = self.ast.exprs[e].span;
        self.error_expr(span)
    }

    /// The expression after lvalue conversion, array and function decay (C99 6.3.2.1). May be
    /// `void`.
    pub(crate) fn value(&mut self, e: ast::ExprId) -> hir::ExprId {
        let place = self.expr(e);
        self.rvalue(place)
    }

    /// A value of scalar type (arithmetic or pointer), for `if` and loops.
    pub(crate) fn condition(&mut self, e: ast::ExprId) -> hir::ExprId {
        self.value(e)
    }

    /// An integer value after the integer promotions: the selector of a `switch`.
    pub(crate) fn promoted_integer(&mut self, e: ast::ExprId, what: &str) -> hir::ExprId {
        let _ = what;
        self.value(e)
    }
}
