//! Initialisers (C99 6.7.8).

use clc_syntax::ast;

use crate::context::Sema;
use crate::hir::ExprId;
use crate::types::QualType;

impl<'a> Sema<'a> {
    /// A brace-enclosed list as a value of type `ty`. The type of the returned expression is `ty`
    /// unqualified, with the length filled in if `ty` is an array of unknown length. With
    /// `constant`, elements must be constant expressions and the result is a constant.
    pub fn initializer_list(
        &mut self,
        ty: QualType,
        list: &'a ast::InitializerList,
        constant: bool,
    ) -> ExprId {
        let _ = (ty, constant);
        self.error_expr(list.span)
    }
}
