//! Statements (C99 6.8).

use clc_syntax::ast;

use crate::context::Sema;
use crate::hir::{ExprId, StmtId};

impl<'a> Sema<'a> {
    /// The body of a GNU statement expression (a compound statement): all statements, and the
    /// value of the last one if that is an expression that isn't `void` (then it is not among the
    /// statements). To be wrapped as `ExprKind::Statements`.
    pub fn statement_block(&mut self, stmt: ast::StmtId) -> (Vec<StmtId>, Option<ExprId>) {
        let _ = stmt;
        (Vec::new(), None)
    }
}
