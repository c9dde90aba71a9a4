//! Assignment, compound assignment, increment and decrement (C99 6.5.16, 6.5.2.4, 6.5.3.1).

use clc_base::{AddressSpace, Diagnostic, Span};
use clc_builtins::Scalar;
use clc_syntax::ast::{self, BinaryOp as AstOp};

use super::operators::{Operator, integers_only, is_shift, operator};
use crate::context::{ConversionContext, Sema};
use crate::diagnostics::expressions::*;
use crate::hir::{self, BinaryOp, ExprKind};
use crate::swizzles;
use crate::types::{Type, TypeId};

impl<'a> Sema<'a> {
    pub(super) fn assign(
        &mut self,
        target: ast::ExprId,
        value: ast::ExprId,
        op_span: Span,
        span: Span,
    ) -> hir::ExprId {
        let lvalue = self.expr(target);
        let value = self.value(value);
        if self.is_error(lvalue) || self.is_error(value) {
            return self.error_expr(span);
        }
        if !self.check_assignable(lvalue, op_span) {
            return self.error_expr(span);
        }
        let ty = self.ty(lvalue);
        let target = if self.ty(value) == ty {
            Span::NONE
        } else {
            self.declaration_of(lvalue).map_or(Span::NONE, |(span, _)| span)
        };
        let value = self.implicit_convert_to(value, ty, ConversionContext::Assignment, target);
        if self.is_error(value) {
            return self.error_expr(span);
        }
        self.push_expr(ExprKind::Assign { lvalue, value }, ty, span)
    }

    pub(super) fn compound_assign(
        &mut self,
        op: AstOp,
        target: ast::ExprId,
        value: ast::ExprId,
        op_span: Span,
        span: Span,
    ) -> hir::ExprId {
        let lvalue = self.expr(target);
        let value = self.value(value);
        if self.is_error(lvalue) || self.is_error(value) {
            return self.error_expr(span);
        }
        let Operator::Arithmetic(kind) = operator(op) else { return self.error_expr(span) };
        if !self.check_assignable(lvalue, op_span) {
            return self.error_expr(span);
        }
        let ty = self.ty(lvalue);
        if self.module.types.as_pointer(ty).is_some() {
            let negate = match kind {
                BinaryOp::Add => false,
                BinaryOp::Sub => true,
                _ => {
                    self.invalid_operands(op, lvalue, value, op_span);
                    return self.error_expr(span);
                }
            };
            return self.pointer_assign(op, lvalue, value, negate, op_span, span);
        }
        let operands = if self.as_matrix(ty).is_some() {
            // What is assigned to is the left operand, whose type the result has.
            self.matrix_operands(op, kind, lvalue, value, op_span).map(|(_, value)| (ty, value))
        } else if is_shift(kind) {
            self.shift_count(op, lvalue, ty, value, op_span).map(|value| {
                let compute = match self.module.types.as_scalar(ty) {
                    Some(scalar) => self.module.types.scalar(Self::promoted(scalar)),
                    None => ty,
                };
                (compute, value)
            })
        } else {
            self.compute_type(op, kind, lvalue, ty, value, op_span)
                .map(|compute| (compute, self.convert_arithmetic(value, compute)))
        };
        let Some((compute, value)) = operands else { return self.error_expr(span) };
        let kind = ExprKind::CompoundAssign { op: kind, lvalue, value, compute };
        self.push_expr(kind, ty, span)
    }

    /// The type `lvalue op value` is computed in.
    fn compute_type(
        &mut self,
        op: AstOp,
        kind: BinaryOp,
        lvalue: hir::ExprId,
        ty: TypeId,
        value: hir::ExprId,
        op_span: Span,
    ) -> Option<TypeId> {
        let value_ty = self.ty(value);
        let compute =
            self.common_type(op, integers_only(kind), lvalue, value, ty, value_ty, op_span)?;
        if self.module.types.is_vector(compute) && compute != ty {
            let message = format!(
                "the result is `{}` and cannot be assigned to `{}`",
                self.type_text(compute),
                self.type_text(ty)
            );
            let diagnostic = Diagnostic::new(&E0422, op_span, message)
                .at(format!("computes with `{}`", self.type_text(compute)))
                .label(self.span(lvalue), format!("this is `{}`", self.type_text(ty)))
                .label(self.span(value), format!("this is `{}`", self.type_text(value_ty)));
            self.report(diagnostic);
            return None;
        }
        Some(compute)
    }

    fn pointer_assign(
        &mut self,
        op: AstOp,
        lvalue: hir::ExprId,
        index: hir::ExprId,
        negate: bool,
        op_span: Span,
        span: Span,
    ) -> hir::ExprId {
        if !self.is_integer(index) {
            self.invalid_operands(op, lvalue, index, op_span);
            return self.error_expr(span);
        }
        let ty = self.ty(lvalue);
        let Some((pointee, _)) = self.module.types.as_pointer(ty) else {
            return self.error_expr(span);
        };
        if !self.require_stepping(lvalue, pointee.ty, op_span, span) {
            return self.error_expr(span);
        }
        let index = match self.module.types.get(self.ty(index)) {
            Type::Enum(_) | Type::Scalar(Scalar::Bool) => self.promote(index),
            _ => index,
        };
        self.push_expr(ExprKind::PtrAssign { lvalue, index, negate }, ty, span)
    }

    pub(super) fn increment(
        &mut self,
        operand: ast::ExprId,
        increment: bool,
        prefix: bool,
        span: Span,
    ) -> hir::ExprId {
        let lvalue = self.expr(operand);
        if self.is_error(lvalue) {
            return self.error_expr(span);
        }
        if !self.check_assignable(lvalue, span) {
            return self.error_expr(span);
        }
        let ty = self.ty(lvalue);
        let types = &self.module.types;
        if let Some((pointee, _)) = types.as_pointer(ty) {
            if !self.require_stepping(lvalue, pointee.ty, span, span) {
                return self.error_expr(span);
            }
        } else if let Some((scalar, count)) = types.as_arithmetic(ty)
            && scalar.is_float()
            && count > 1
        {
            let text = self.type_text(ty);
            let word = if increment { "incremented" } else { "decremented" };
            let message = format!("a vector of floating-point type, `{text}`, cannot be {word}");
            self.report(
                Diagnostic::new(&E0422, span, message)
                    .at(format!("its components are `{}`", scalar.name()))
                    .note("`++` and `--` are for integers (OpenCL C 6.5.3)")
                    .help(format!("write `{}= 1`", if increment { "+" } else { "-" })),
            );
            return self.error_expr(span);
        } else if types.as_arithmetic(ty).is_none() {
            let word = if increment { "incremented" } else { "decremented" };
            let message = format!("`{}` cannot be {word}", self.type_text(ty));
            self.report(
                Diagnostic::new(&E0422, span, message).at("neither a number nor a pointer"),
            );
            return self.error_expr(span);
        }
        self.push_expr(ExprKind::IncDec { lvalue, increment, prefix }, ty, span)
    }

    /// Whether an expression may be assigned to (C99 6.3.2.1: a modifiable lvalue); reports if
    /// not.
    pub(super) fn check_assignable(&mut self, lvalue: hir::ExprId, at: Span) -> bool {
        let ty = self.module.exprs[lvalue].ty;
        let span = self.span(lvalue);
        if !self.module.is_lvalue(lvalue) {
            let message = "this is not an object and cannot be assigned to";
            let diagnostic = Diagnostic::new(&E0430, at, message)
                .at("the left side is a value, not an object")
                .label(span, format!("a value of type `{}`", self.type_text(ty.ty)));
            self.report(diagnostic);
            return false;
        }
        if let ExprKind::Swizzle { swizzle, .. } = &self.module.exprs[lvalue].kind
            && swizzles::has_duplicates(swizzle)
        {
            let message = "a component is selected twice and cannot be assigned to";
            let diagnostic = Diagnostic::new(&E0431, span, message)
                .at("a component occurs twice")
                .note("it would get two values (OpenCL C 6.3.7)");
            self.report(diagnostic);
            return false;
        }
        let space = self.module.lvalue_space(lvalue);
        if space == AddressSpace::Constant || ty.quals.is_const {
            let message = if space == AddressSpace::Constant {
                "memory in `constant` is read-only"
            } else {
                "this object is `const` and cannot be assigned to"
            };
            let text = self.qualified_text(ty);
            let mut diagnostic =
                Diagnostic::new(&E0432, at, message).at("this writes to it").label(
                    span,
                    match space {
                        AddressSpace::Constant => format!("this is `{text}` in `constant` memory"),
                        _ => format!("this is `{text}`"),
                    },
                );
            if let Some((declaration, name)) = self.declaration_of(self.qualified_part(lvalue)) {
                diagnostic = diagnostic.label(declaration, format!("{name} is declared here"));
            }
            self.report(diagnostic);
            return false;
        }
        let message = match self.module.types.get(ty.ty) {
            Type::Array { .. } => "an array cannot be assigned to; assign its elements",
            Type::Image(..) => "an image cannot be assigned to",
            Type::Sampler => "a sampler cannot be assigned to",
            Type::Pipe { .. } => "a pipe cannot be assigned to",
            Type::Scalar(Scalar::Half) if !self.has_half() => {
                let help = self.help_with_half("write it with `vstore_half`");
                let message = "storing a `half` needs `cl_khr_fp16`";
                self.report(
                    Diagnostic::new(&E0430, at, message)
                        .at("this writes a `half` to memory")
                        .help(help),
                );
                return false;
            }
            Type::Record(_) => match self.const_member(ty.ty, 0) {
                Some(member) => {
                    let message = "this has a `const` member and cannot be assigned to as a whole";
                    let diagnostic = Diagnostic::new(&E0432, at, message)
                        .at("this writes all members")
                        .label(member, "the member is declared here");
                    self.report(diagnostic);
                    return false;
                }
                None => return true,
            },
            _ => return true,
        };
        self.report(Diagnostic::new(&E0430, at, message).at("this writes to it as a whole"));
        false
    }

    /// The part of an lvalue that its qualifiers come from: `s.a` is `const` if `s` is, or if the
    /// member is declared so.
    fn qualified_part(&self, lvalue: hir::ExprId) -> hir::ExprId {
        let mut part = lvalue;
        while let ExprKind::Member { base, field } = self.module.exprs[part].kind {
            let Type::Record(record) = self.module.types.get(self.ty(base)) else { break };
            let body = self.module.types.records[*record].body.as_ref();
            let member = body.and_then(|body| body.fields.get(field as usize));
            if member.is_some_and(|member| member.ty.quals.is_const) {
                break;
            }
            part = base;
        }
        part
    }

    /// A `const` member of a record, at any depth.
    fn const_member(&self, ty: TypeId, depth: u32) -> Option<Span> {
        let Type::Record(record) = self.module.types.get(ty) else { return None };
        let body = self.module.types.records[*record].body.as_ref()?;
        body.fields.iter().find_map(|field| {
            if field.ty.quals.is_const {
                return Some(field.span);
            }
            (depth < 32).then(|| self.const_member(field.ty.ty, depth + 1)).flatten()
        })
    }
}
