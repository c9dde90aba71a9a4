//! `sizeof`, `alignof`, `vec_step` and `offsetof` (C99 6.5.3.4, 7.17; OpenCL C 6.15.13.8).

use clc_base::{Diagnostic, Span};
use clc_syntax::ast;

use crate::context::Sema;
use crate::diagnostics::expressions::*;
use crate::hir::{self, ExprKind};
use crate::types::{Type, TypeId, TypeTable};

impl<'a> Sema<'a> {
    fn size_constant(&mut self, value: u64, span: Span) -> hir::ExprId {
        let ty = self.module.types.size_type();
        self.push_expr(ExprKind::Constant(value), ty, span)
    }

    pub(super) fn size_operator(
        &mut self,
        operator: ast::SizeOperator,
        ty: TypeId,
        span: Span,
    ) -> hir::ExprId {
        match operator {
            ast::SizeOperator::Sizeof => self.size_of(ty, span),
            ast::SizeOperator::Alignof => self.align_of(ty, span),
            ast::SizeOperator::VecStep => self.vec_step(ty, span),
        }
    }

    fn size_of(&mut self, ty: TypeId, span: Span) -> hir::ExprId {
        if ty == TypeTable::ERROR
            || self.refuse_block(ty, "`sizeof`", span)
            || self.refuse_matrix(ty, "`sizeof`", span)
        {
            return self.error_expr(span);
        }
        match self.module.types.size(ty) {
            Some(size) => self.size_constant(size, span),
            None => self.no_size(ty, span),
        }
    }

    fn align_of(&mut self, ty: TypeId, span: Span) -> hir::ExprId {
        if ty == TypeTable::ERROR
            || self.refuse_block(ty, "`alignof`", span)
            || self.refuse_matrix(ty, "`alignof`", span)
        {
            return self.error_expr(span);
        }
        // The alignment of an array is known even where its length is not.
        let mut element = ty;
        while let Type::Array { element: inner, .. } = self.module.types.get(element) {
            element = inner.ty;
        }
        if self.module.types.size(element).is_none() {
            return self.no_size(ty, span);
        }
        let align = self.module.types.align(element);
        self.size_constant(align, span)
    }

    fn no_size(&mut self, ty: TypeId, span: Span) -> hir::ExprId {
        let why = match self.module.types.get(ty) {
            Type::Void => "`void` has no size".to_string(),
            Type::Function(_) => "a function has no size".to_string(),
            _ => format!("the size of `{}` is not known here", self.type_text(ty)),
        };
        self.report(Diagnostic::new(&E0440, span, why).at("the size is asked for here"));
        self.error_expr(span)
    }

    /// The number of components, with three counting as four; 1 for scalars and `void`.
    fn vec_step(&mut self, ty: TypeId, span: Span) -> hir::ExprId {
        let count = match self.module.types.get(ty) {
            Type::Error => return self.error_expr(span),
            Type::Vector(_, 3) => 4,
            Type::Vector(_, count) => u64::from(*count),
            Type::Scalar(_) | Type::Enum(_) | Type::Void => 1,
            _ => {
                let message =
                    format!("`vec_step` takes a scalar or a vector, not `{}`", self.type_text(ty));
                self.report(
                    Diagnostic::new(&E0440, span, message).at("neither a scalar nor a vector"),
                );
                return self.error_expr(span);
            }
        };
        // The result is an int (OpenCL C 6.15.13.8); in other compilers it is a size_t.
        self.size_constant(count, span)
    }

    pub(super) fn offset_of(
        &mut self,
        name: &'a ast::TypeName,
        path: &'a [ast::Designator],
        span: Span,
    ) -> hir::ExprId {
        let mut ty = self.type_name(name).ty;
        let mut offset = 0u64;
        for designator in path {
            if ty == TypeTable::ERROR {
                return self.error_expr(span);
            }
            match designator {
                ast::Designator::Member(member, member_span) => {
                    let Some(fields) = self.find_member(ty, *member, *member_span) else {
                        return self.error_expr(span);
                    };
                    for &field in &*fields {
                        let Type::Record(record) = self.module.types.get(ty) else { break };
                        let Some(body) = &self.module.types.records[*record].body else { break };
                        let Some(field) = body.fields.get(field as usize) else { break };
                        offset = offset.wrapping_add(field.offset);
                        ty = field.ty.ty;
                    }
                }
                ast::Designator::Index(index, index_span) => {
                    let &Type::Array { element, .. } = self.module.types.get(ty) else {
                        let message = format!("`{}` is not an array", self.type_text(ty));
                        self.report(Diagnostic::new(&E0427, *index_span, message).at("an index"));
                        return self.error_expr(span);
                    };
                    let Some(index) = self.integer_constant(*index, "an index in `offsetof`")
                    else {
                        return self.error_expr(span);
                    };
                    let size = self.module.types.size(element.ty).unwrap_or(0);
                    offset = offset.wrapping_add((index.value as u64).wrapping_mul(size));
                    ty = element.ty;
                }
                ast::Designator::Range(_, _, range) => {
                    let message = "`offsetof` takes one element, not a range";
                    self.report(Diagnostic::new(&E0440, *range, message).at("several elements"));
                    return self.error_expr(span);
                }
            }
        }
        self.size_constant(offset, span)
    }
}
