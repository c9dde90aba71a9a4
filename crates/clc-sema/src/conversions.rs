//! Conversions (C99 6.3, OpenCL C 6.4).

use crate::context::{ConversionContext, Sema};
use crate::hir;
use crate::types::TypeId;

impl Sema<'_> {
    /// Lvalue conversion of a place (loads it), decay of an array place; values stay as they are.
    pub(crate) fn rvalue(&mut self, expr: hir::ExprId) -> hir::ExprId {
        expr
    }

    /// Conversion of a value to `ty` as if by assignment, with diagnostics. The result has type
    /// `ty`, or is an error expression.
    pub(crate) fn implicit_convert(
        &mut self,
        value: hir::ExprId,
        ty: TypeId,
        context: ConversionContext,
    ) -> hir::ExprId {
        let _ = (ty, context);
        value
    }
}
