//! Addresses, pointer arithmetic, and what two pointers have in common (C99 6.5.3.2, 6.5.6, 6.5.8;
//! OpenCL C 6.7.9).

use clc_base::{AddressSpace, Diagnostic, Span};
use clc_builtins::Scalar;
use clc_syntax::ast::{self, BinaryOp as AstOp};

use crate::context::Sema;
use crate::diagnostics::conversions::*;
use crate::diagnostics::expressions::*;
use crate::hir::{self, ExprKind};
use crate::pointers::Pointees;
use crate::types::{QualType, Qualifiers, Type, TypeId, TypeTable};

impl Sema<'_> {
    pub(super) fn address_of(&mut self, operand: ast::ExprId, span: Span) -> hir::ExprId {
        let lvalue = self.expr(operand);
        if self.is_error(lvalue) {
            return self.error_expr(span);
        }
        let ty = self.module.exprs[lvalue].ty;
        if self.refuse_block(ty.ty, "`&`", span) || self.refuse_matrix(ty.ty, "`&`", span) {
            return self.error_expr(span);
        }
        if !self.module.is_lvalue(lvalue) {
            let message = format!("a value of type `{}` has no address", self.type_text(ty.ty));
            let diagnostic = Diagnostic::new(&E0424, span, message)
                .at("the operand is a value, not an object")
                .note("only objects have addresses: variables, and what pointers point to");
            self.report(diagnostic);
            return self.error_expr(span);
        }
        let why = match (&self.module.exprs[lvalue].kind, self.module.types.get(ty.ty)) {
            // `&*p` is `p` (C99 6.5.3.2).
            (&ExprKind::Deref(pointer), _) => return pointer,
            (&ExprKind::VectorElement { base, .. }, _) if self.has_matrix(self.ty(base)) => {
                Some("elements of a cooperative matrix have no address")
            }
            (ExprKind::Swizzle { .. } | ExprKind::VectorElement { .. }, _) => {
                Some("components of a vector have no address (OpenCL C 6.3.7)")
            }
            (_, Type::Image(..)) => Some("pointers to images are not allowed (OpenCL C 6.11)"),
            (_, Type::Sampler) => Some("pointers to samplers are not allowed (OpenCL C 6.11)"),
            (_, Type::Pipe { .. }) => Some("pointers to pipes are not allowed (OpenCL C 6.11)"),
            _ => None,
        };
        if let Some(why) = why {
            self.report(Diagnostic::new(&E0424, span, why).at("the address is taken here"));
            return self.error_expr(span);
        }
        let space = self.module.lvalue_space(lvalue);
        let pointer = self.module.types.pointer(ty, space);
        self.push_expr(ExprKind::AddressOf(lvalue), pointer, span)
    }

    pub(super) fn is_pointer(&self, value: hir::ExprId) -> bool {
        self.module.types.as_pointer(self.ty(value)).is_some()
    }

    /// `pointer + index`, `pointer - index`.
    pub(super) fn pointer_offset(
        &mut self,
        op: AstOp,
        pointer: hir::ExprId,
        index: hir::ExprId,
        negate: bool,
        op_span: Span,
        span: Span,
    ) -> hir::ExprId {
        if !self.is_integer(index) {
            self.invalid_operands(op, pointer, index, op_span);
            return self.error_expr(span);
        }
        if self.points_to_void(pointer) {
            self.warn_of_void_arithmetic(op_span);
        }
        self.pointer_add(pointer, index, negate, span)
    }

    fn points_to_void(&self, pointer: hir::ExprId) -> bool {
        let pointee = self.module.types.as_pointer(self.ty(pointer));
        pointee.is_some_and(|(pointee, _)| pointee.ty == TypeTable::VOID)
    }

    /// C99 6.5.6 wants pointers to objects; as in other compilers, `void` has a size of one here.
    fn warn_of_void_arithmetic(&mut self, at: Span) {
        let message = "arithmetic on a pointer to `void` counts in bytes, and only as an extension";
        let diagnostic = Diagnostic::new(&W0440, at, message)
            .at("steps through `void`")
            .note("`void` is no object, so that it has no size (C99 6.5.6)")
            .help("cast the pointer to one to `char` first");
        self.report(diagnostic);
    }

    /// Whether a pointer can be stepped in place: as `pointer + 1` can; reports if not.
    pub(super) fn require_stepping(
        &mut self,
        pointer: hir::ExprId,
        pointee: TypeId,
        op_span: Span,
        span: Span,
    ) -> bool {
        if pointee == TypeTable::VOID {
            self.warn_of_void_arithmetic(op_span);
            return true;
        }
        self.require_complete_pointee(pointer, pointee, span)
    }

    /// `pointer + index` for a pointer and an integer; steps of one byte for `void`.
    pub(super) fn pointer_add(
        &mut self,
        pointer: hir::ExprId,
        index: hir::ExprId,
        negate: bool,
        span: Span,
    ) -> hir::ExprId {
        let ty = self.ty(pointer);
        let Some((pointee, space)) = self.module.types.as_pointer(ty) else {
            return self.error_expr(span);
        };
        let index = match self.module.types.get(self.ty(index)) {
            Type::Enum(_) | Type::Scalar(Scalar::Bool) => self.promote(index),
            _ => index,
        };
        if pointee.ty == TypeTable::VOID {
            let bytes = QualType { ty: TypeTable::CHAR, quals: pointee.quals };
            let bytes = self.module.types.pointer(bytes, space);
            let pointer = self.cast_pointer(pointer, bytes);
            let sum = self.push_expr(ExprKind::PtrAdd { pointer, index, negate }, bytes, span);
            return self.cast_pointer(sum, ty);
        }
        if !self.require_complete_pointee(pointer, pointee.ty, span) {
            return self.error_expr(span);
        }
        self.push_expr(ExprKind::PtrAdd { pointer, index, negate }, ty, span)
    }

    /// Whether the size of what a pointer points to is known; reports if not.
    pub(super) fn require_complete_pointee(
        &mut self,
        pointer: hir::ExprId,
        pointee: TypeId,
        span: Span,
    ) -> bool {
        if self.module.types.size(pointee).is_some() {
            return true;
        }
        if pointee != TypeTable::ERROR {
            let message = format!(
                "the size of `{}` is not known, so `{}` cannot be stepped",
                self.type_text(pointee),
                self.type_text(self.ty(pointer))
            );
            self.report(Diagnostic::new(&E0440, span, message).at("steps by an unknown size"));
        }
        false
    }

    pub(super) fn pointer_difference(
        &mut self,
        left: hir::ExprId,
        right: hir::ExprId,
        op_span: Span,
        span: Span,
    ) -> hir::ExprId {
        let types = &self.module.types;
        if let (Some((left_pointee, _)), Some((right_pointee, _))) =
            (types.as_pointer(self.ty(left)), types.as_pointer(self.ty(right)))
            && left_pointee.ty != right_pointee.ty
            && !matches!(
                self.compare_pointees(left_pointee.ty, right_pointee.ty),
                Pointees::Compatible | Pointees::InnerSpace(..)
            )
        {
            self.invalid_operands(AstOp::Sub, left, right, op_span);
            return self.error_expr(span);
        }
        let Some((left, right)) = self.common_pointers(left, right, "subtracted", op_span) else {
            return self.error_expr(span);
        };
        let Some((pointee, space)) = self.module.types.as_pointer(self.ty(left)) else {
            return self.error_expr(span);
        };
        let ty = self.module.types.difference_type();
        let (mut left, mut right) = (left, right);
        if pointee.ty == TypeTable::VOID {
            self.warn_of_void_arithmetic(op_span);
            let bytes = QualType { ty: TypeTable::CHAR, quals: pointee.quals };
            let bytes = self.module.types.pointer(bytes, space);
            left = self.cast_pointer(left, bytes);
            right = self.cast_pointer(right, bytes);
        } else if !self.require_complete_pointee(left, pointee.ty, span) {
            return self.error_expr(span);
        }
        self.push_expr(ExprKind::PtrDiff { left, right }, ty, span)
    }

    /// Two pointers (or a pointer and a null pointer constant) as pointers of one type; reports
    /// disjoint address spaces. `verb` says what happens to the two: "compared".
    pub(super) fn common_pointers(
        &mut self,
        left: hir::ExprId,
        right: hir::ExprId,
        verb: &str,
        at: Span,
    ) -> Option<(hir::ExprId, hir::ExprId)> {
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        if left_ty == right_ty {
            return Some((left, right));
        }
        let types = &self.module.types;
        let (left_pointer, right_pointer) = (types.as_pointer(left_ty), types.as_pointer(right_ty));
        if right_pointer.is_some() && self.is_null_constant(left) {
            let span = self.span(left);
            return Some((self.push_expr(ExprKind::Null, right_ty, span), right));
        }
        if left_pointer.is_some() && self.is_null_constant(right) {
            let span = self.span(right);
            return Some((left, self.push_expr(ExprKind::Null, left_ty, span)));
        }
        let (Some((left_pointee, left_space)), Some((right_pointee, right_space))) =
            (left_pointer, right_pointer)
        else {
            return self.pointer_and_integer(left, right, verb, at);
        };
        let space = if Self::space_encloses(left_space, right_space) {
            left_space
        } else if Self::space_encloses(right_space, left_space) {
            right_space
        } else {
            let message = format!("a `{left_space}` and a `{right_space}` pointer are {verb}");
            let diagnostic =
                Diagnostic::new(&E0345, at, message).at("the address spaces are disjoint");
            let diagnostic = self.explain_space(diagnostic, left, left_space);
            let diagnostic = self.explain_space(diagnostic, right, right_space);
            let note =
                if left_space == AddressSpace::Generic || right_space == AddressSpace::Generic {
                    "`constant` is not part of the generic address space (OpenCL C 6.7.9)"
                } else {
                    "the two address spaces have no memory in common (OpenCL C 6.7.9)"
                };
            self.report(diagnostic.note(note));
            return None;
        };
        let quals = left_pointee.quals.union(right_pointee.quals);
        let pointee = match self.compare_pointees(left_pointee.ty, right_pointee.ty) {
            Pointees::Compatible => left_pointee.ty,
            Pointees::Void => TypeTable::VOID,
            Pointees::InnerSpace(..) => {
                let (left_text, right_text) = (self.type_text(left_ty), self.type_text(right_ty));
                let diagnostic = Diagnostic::new(
                    &E0344,
                    at,
                    format!("`{left_text}` and `{right_text}` are {verb}"),
                )
                .at("the inner pointers are in different address spaces")
                .label(self.span(left), format!("this is `{left_text}`"))
                .label(self.span(right), format!("this is `{right_text}`"))
                .note("inner pointers must be in the same address space (OpenCL C 6.7.9)");
                self.report(diagnostic);
                return None;
            }
            Pointees::Signedness | Pointees::InnerQualifiers | Pointees::Incompatible => {
                let message = format!(
                    "pointers of different types are {verb}, `{}` and `{}`",
                    self.type_text(left_ty),
                    self.type_text(right_ty)
                );
                self.report(Diagnostic::new(&W0342, at, message).at("one side needs a cast"));
                left_pointee.ty
            }
        };
        let pointee = QualType { ty: pointee, quals: Qualifiers { is_restrict: false, ..quals } };
        let ty = self.module.types.pointer(pointee, space);
        Some((self.cast_pointer(left, ty), self.cast_pointer(right, ty)))
    }

    /// A pointer met an integer where two pointers are needed: accepted with a warning, as C
    /// compilers do.
    pub(super) fn pointer_and_integer(
        &mut self,
        left: hir::ExprId,
        right: hir::ExprId,
        verb: &str,
        at: Span,
    ) -> Option<(hir::ExprId, hir::ExprId)> {
        let message = format!(
            "`{}` and `{}` are {verb}",
            self.type_text(self.ty(left)),
            self.type_text(self.ty(right))
        );
        if self.is_pointer(left) && self.is_integer(right) {
            self.report(
                Diagnostic::new(&W0342, at, message).at("one is a pointer, the other an integer"),
            );
            let (ty, span) = (self.ty(left), self.span(right));
            let right = self.promote(right);
            return Some((left, self.push_expr(ExprKind::IntToPtr(right), ty, span)));
        }
        if self.is_pointer(right) && self.is_integer(left) {
            self.report(
                Diagnostic::new(&W0342, at, message).at("one is a pointer, the other an integer"),
            );
            let (ty, span) = (self.ty(right), self.span(left));
            let left = self.promote(left);
            return Some((self.push_expr(ExprKind::IntToPtr(left), ty, span), right));
        }
        self.report(Diagnostic::new(&E0422, at, message).at("they have no common type"));
        None
    }
}
