//! The conditional operator (C99 6.5.15, OpenCL C 6.5.9).

use clc_base::{Diagnostic, Span};
use clc_syntax::ast::{self, BinaryOp as AstOp};

use crate::context::Sema;
use crate::diagnostics::expressions::*;
use crate::folding;
use crate::hir::{self, ExprKind};
use crate::types::{Scalar, Type, TypeId, TypeTable};

impl Sema<'_> {
    /// `condition ? then : otherwise`, and GNU `condition ?: otherwise`.
    pub(super) fn conditional(
        &mut self,
        condition: ast::ExprId,
        then: Option<ast::ExprId>,
        otherwise: ast::ExprId,
        span: Span,
    ) -> hir::ExprId {
        let mut condition = self.value(condition);
        let truth = self.truth(condition);
        let then = match then {
            Some(then) => self.unless(truth == Some(false), |sema| sema.value(then)),
            None => {
                // The condition is evaluated once, into a temporary.
                if self.function.is_some()
                    && !self.is_error(condition)
                    && self.as_constant(condition).is_none()
                {
                    let hir::Expr { ty, span, .. } = self.module.exprs[condition];
                    let local = self.new_local(None, ty, span);
                    let first = ExprKind::CompoundLiteral { local, value: condition };
                    let first = self.push_expr(first, ty, span);
                    condition = self.push_expr(ExprKind::Load(first), ty, span);
                    let again = self.push_expr(ExprKind::Local(local), ty, span);
                    self.push_expr(ExprKind::Load(again), ty, span)
                } else {
                    condition
                }
            }
        };
        let otherwise = self.unless(truth == Some(true), |sema| sema.value(otherwise));
        if self.module.types.is_vector(self.ty(condition)) {
            return self.vector_select(condition, then, otherwise, span);
        }
        if self.module.types.as_scalar(self.ty(condition)).is_some_and(Scalar::is_float) {
            let text = self.type_text(self.ty(condition));
            let message =
                format!("the condition of `?:` must not be floating-point, but is `{text}`");
            self.report(
                Diagnostic::new(&E0420, self.span(condition), message)
                    .at("this is floating-point")
                    .note("the first operand of `?:` has any type except `float` (OpenCL C 6.5.9)")
                    .help("compare it: `x != 0`"),
            );
            return self.error_expr(span);
        }
        let condition = self.boolean_operand(condition, "the condition of `?:`");
        if self.is_error(condition) || self.is_error(then) || self.is_error(otherwise) {
            return self.error_expr(span);
        }
        let Some((then, otherwise)) = self.conditional_sides(then, otherwise, span) else {
            return self.error_expr(span);
        };
        if let Some((bits, scalar)) = self.as_constant(condition) {
            let chosen = if folding::is_true(scalar, bits) { then } else { otherwise };
            return chosen;
        }
        let ty = self.ty(then);
        self.push_expr(ExprKind::Conditional { condition, then, otherwise }, ty, span)
    }

    /// The two sides with one type.
    pub(super) fn conditional_sides(
        &mut self,
        then: hir::ExprId,
        otherwise: hir::ExprId,
        span: Span,
    ) -> Option<(hir::ExprId, hir::ExprId)> {
        let (then_ty, otherwise_ty) = (self.ty(then), self.ty(otherwise));
        let types = &self.module.types;
        let arithmetic = |ty| types.as_arithmetic(ty).is_some();
        if arithmetic(then_ty) && arithmetic(otherwise_ty) {
            let ty = self.conditional_type(then, otherwise, span)?;
            return Some((
                self.convert_arithmetic(then, ty),
                self.convert_arithmetic(otherwise, ty),
            ));
        }
        if self.refuse_block(then_ty, "`?:`", self.span(then)) {
            return None;
        }
        if then_ty == otherwise_ty {
            return Some((then, otherwise));
        }
        if self.is_pointer(then) || self.is_pointer(otherwise) {
            return self.common_pointers(then, otherwise, "the two sides of `?:`", span);
        }
        if then_ty == TypeTable::VOID || otherwise_ty == TypeTable::VOID {
            // One side without value: the other's is not used either.
            return Some((self.void_of(then, span), self.void_of(otherwise, span)));
        }
        let (then_text, otherwise_text) = (self.type_text(then_ty), self.type_text(otherwise_ty));
        let diagnostic = Diagnostic::new(
            &E0423,
            span,
            format!("the sides of `?:` have no common type, `{then_text}` and `{otherwise_text}`"),
        )
        .at("the result has no type")
        .label(self.span(then), format!("this is `{then_text}`"))
        .label(self.span(otherwise), format!("this is `{otherwise_text}`"));
        self.report(diagnostic);
        None
    }

    pub(super) fn conditional_type(
        &mut self,
        then: hir::ExprId,
        otherwise: hir::ExprId,
        span: Span,
    ) -> Option<TypeId> {
        let (then_ty, otherwise_ty) = (self.ty(then), self.ty(otherwise));
        let types = &self.module.types;
        if types.is_vector(then_ty) && types.is_vector(otherwise_ty) && then_ty != otherwise_ty {
            let (then_text, otherwise_text) =
                (self.type_text(then_ty), self.type_text(otherwise_ty));
            let diagnostic = Diagnostic::new(
                &E0423,
                span,
                format!("the sides of `?:` are vectors of different types, `{then_text}` and `{otherwise_text}`"),
            ).at("the result has no type")
            .label(self.span(then), format!("this is `{then_text}`"))
            .label(self.span(otherwise), format!("this is `{otherwise_text}`"))
            .note("vectors do not convert implicitly (OpenCL C 6.4.1)");
            self.report(diagnostic);
            return None;
        }
        self.common_type(AstOp::Add, false, then, otherwise, then_ty, otherwise_ty, span)
    }

    /// `?:` on a vector condition: each component's most significant bit chooses
    /// (OpenCL C 6.5.9).
    pub(super) fn vector_select(
        &mut self,
        condition: hir::ExprId,
        then: hir::ExprId,
        otherwise: hir::ExprId,
        span: Span,
    ) -> hir::ExprId {
        if self.is_error(then) || self.is_error(otherwise) {
            return self.error_expr(span);
        }
        let condition_ty = self.ty(condition);
        let &Type::Vector(condition_element, count) = self.module.types.get(condition_ty) else {
            return self.error_expr(span);
        };
        if condition_element.is_float() {
            let text = self.type_text(condition_ty);
            let diagnostic = Diagnostic::new(
                &E0423,
                self.span(condition),
                format!("a vector condition has integer components, not `{text}`"),
            )
            .at(format!("its components are `{}`", condition_element.name()))
            .help("compare: `… != 0`");
            self.report(diagnostic);
            return self.error_expr(span);
        }
        let arithmetic = |sema: &Self, value| {
            let ty = sema.ty(value);
            sema.module.types.as_arithmetic(ty)
        };
        if arithmetic(self, then).is_none() || arithmetic(self, otherwise).is_none() {
            let message = "with a vector condition both sides of `?:` must be vectors or scalars";
            self.report(Diagnostic::new(&E0423, span, message).at(format!(
                "the sides are `{}` and `{}`",
                self.type_text(self.ty(then)),
                self.type_text(self.ty(otherwise))
            )));
            return self.error_expr(span);
        }
        let scalars = (arithmetic(self, then), arithmetic(self, otherwise));
        let ty = if let (Some((then, 1)), Some((otherwise, 1))) = scalars {
            // Two scalars become vectors as long as the condition, without promotion.
            Some(self.module.types.vector(then.max(otherwise), count))
        } else {
            self.conditional_type(then, otherwise, span)
        };
        let Some(ty) = ty else { return self.error_expr(span) };
        match *self.module.types.get(ty) {
            Type::Vector(element, sides)
                if sides == count && element.size() == condition_element.size() => {}
            _ => {
                let (condition_text, text) = (self.type_text(condition_ty), self.type_text(ty));
                let diagnostic = Diagnostic::new(
                    &E0423,
                    span,
                    format!("a `{condition_text}` condition cannot choose between `{text}` values"),
                ).at(format!("the sides are `{text}`"))
                .label(self.span(condition), format!("this is `{condition_text}`"))
                .note("both must have the same number of components, of the same size (OpenCL C 6.5.9)");
                self.report(diagnostic);
                return self.error_expr(span);
            }
        }
        let then = self.convert_arithmetic(then, ty);
        let otherwise = self.convert_arithmetic(otherwise, ty);
        self.push_expr(ExprKind::VectorSelect { condition, then, otherwise }, ty, span)
    }
}
