//! Casts, vector literals and compound literals (C99 6.5.4, 6.5.2.5; OpenCL C 6.3.6, 6.4.2).

use clc_base::diagnostic::miscounted;
use clc_base::{AddressSpace, Diagnostic, Span};
use clc_builtins::Scalar;
use clc_syntax::ast::{self, ExprKind as Ast};

use crate::context::{ConversionContext, Sema};
use crate::diagnostics::conversions::*;
use crate::diagnostics::expressions::*;
use crate::diagnostics::types;
use crate::hir::{self, ExprKind};
use crate::types::{Type, TypeId, TypeTable};

impl<'a> Sema<'a> {
    pub(super) fn cast(
        &mut self,
        name: &'a ast::TypeName,
        operand: ast::ExprId,
        span: Span,
    ) -> hir::ExprId {
        let ty = self.type_name(name).ty;
        let tree = self.ast;
        if let Type::Vector(element, count) = *self.module.types.get(ty)
            && let Ast::Paren(inner) = &tree.exprs[operand].kind
            && let Ast::Comma(parts) = &tree.exprs[*inner].kind
        {
            return self.vector_literal(ty, element, count, parts, span);
        }
        let operand = self.value(operand);
        if ty == TypeTable::ERROR || self.is_error(operand) {
            return self.error_expr(span);
        }
        if ty == TypeTable::HALF && !self.require_half(span) {
            return self.error_expr(span);
        }
        if ty == TypeTable::SAMPLER || ty == TypeTable::EVENT && self.ty(operand) == ty {
            let diagnostic = self.invalid_cast(operand, ty, span);
            self.report(diagnostic);
            return self.error_expr(span);
        }
        self.explicit_convert(operand, ty, span)
    }

    /// `__builtin_astype` and `__builtin_convertvector`: calls of the function that the type names.
    pub(super) fn gnu_conversion(
        &mut self,
        conversion: &'a ast::GnuConversion,
        span: Span,
    ) -> hir::ExprId {
        let ty = self.type_name(&conversion.ty).ty;
        let operand = self.value(conversion.operand);
        if ty == TypeTable::ERROR || self.is_error(operand) {
            return self.error_expr(span);
        }
        let prefix = if conversion.keeps_bits { "as_" } else { "convert_" };
        let name = match self.module.types.get(ty) {
            Type::Scalar(_) | Type::Vector(..) => format!("{prefix}{}", self.type_text(ty)),
            _ => String::new(),
        };
        if !clc_builtins::is_builtin(&name) {
            let diagnostic = self.invalid_cast(operand, ty, span);
            self.report(diagnostic.note("only scalars and vectors of numbers convert so"));
            return self.error_expr(span);
        }
        let name = self.interner.intern(&name);
        self.builtin_call(name, conversion.name_span, &[operand], span)
    }

    /// `(float4)(a, b, c, d)`: scalars and vectors of the element type that fill the vector
    /// together (OpenCL C 6.3.6).
    fn vector_literal(
        &mut self,
        ty: TypeId,
        element: Scalar,
        count: u8,
        parts: &[ast::ExprId],
        span: Span,
    ) -> hir::ExprId {
        let element_ty = self.module.types.scalar(element);
        let mut values = Vec::with_capacity(parts.len());
        let mut total = 0usize;
        let mut failed = false;
        for &part in parts {
            let value = self.value(part);
            let part_ty = self.ty(value);
            match *self.module.types.get(part_ty) {
                Type::Error => failed = true,
                Type::Scalar(_) | Type::Enum(_) => {
                    values.push(self.convert_scalar(value, element_ty));
                    total += 1;
                }
                Type::Vector(part_element, part_count) if part_element == element => {
                    values.push(value);
                    total += usize::from(part_count);
                }
                ref other => {
                    let vector = match other {
                        Type::Vector(_, part_count) => Some(*part_count),
                        _ => None,
                    };
                    let (text, part_text) = (self.type_text(ty), self.type_text(part_ty));
                    let mut diagnostic = Diagnostic::new(
                        &E0434,
                        self.span(value),
                        format!("a `{part_text}` cannot be part of a `{text}`"),
                    )
                    .at(format!("this is `{part_text}`"))
                    .note(format!(
                        "the parts are scalars, and vectors of `{}` (OpenCL C 6.3.6)",
                        element.name()
                    ));
                    if let Some(count) = vector {
                        diagnostic = diagnostic
                            .help(format!("convert it: `convert_{}{count}(…)`", element.name()));
                    }
                    self.report(diagnostic);
                    failed = true;
                }
            }
        }
        if failed {
            return self.error_expr(span);
        }
        if total != usize::from(count) {
            let text = self.type_text(ty);
            let message = format!(
                "a `{text}` needs {count} components, {total} {} given",
                if total == 1 { "is" } else { "are" }
            );
            self.report(Diagnostic::new(&E0434, span, message).at(miscounted(
                total,
                usize::from(count),
                "component",
            )));
            return self.error_expr(span);
        }
        self.push_expr(ExprKind::VectorBuild(values.into()), ty, span)
    }

    pub(super) fn void_of(&mut self, value: hir::ExprId, span: Span) -> hir::ExprId {
        if self.ty(value) == TypeTable::VOID {
            return value;
        }
        self.push_expr(ExprKind::ToVoid(value), TypeTable::VOID, span)
    }

    /// Conversion of a value by a cast.
    pub(crate) fn explicit_convert(
        &mut self,
        value: hir::ExprId,
        ty: TypeId,
        span: Span,
    ) -> hir::ExprId {
        let from = self.ty(value);
        if from == ty {
            return value;
        }
        let types = &self.module.types;
        match (types.get(from), types.get(ty)) {
            (_, Type::Void) => self.void_of(value, span),
            (Type::Scalar(_) | Type::Enum(_), Type::Scalar(_) | Type::Enum(_)) => {
                let converted = self.convert_scalar(value, ty);
                self.cover(converted, value, span)
            }
            (Type::Scalar(_) | Type::Enum(_), Type::Vector(..)) => {
                let converted = self.convert_arithmetic(value, ty);
                self.cover(converted, value, span)
            }
            (Type::Pointer { .. }, Type::Pointer { .. }) => self.explicit_pointer(value, ty, span),
            (Type::Scalar(_) | Type::Enum(_), Type::Pointer { .. }) if self.is_integer(value) => {
                if self.is_null_constant(value) {
                    return self.push_expr(ExprKind::Null, ty, span);
                }
                let value = self.promote(value);
                self.push_expr(ExprKind::IntToPtr(value), ty, span)
            }
            (Type::Pointer { .. }, Type::Scalar(Scalar::Bool)) => {
                let boolean = self.pointer_to_boolean(value);
                self.convert_scalar(boolean, ty)
            }
            (Type::Pointer { .. }, Type::Scalar(scalar)) if scalar.is_integer() => {
                self.push_expr(ExprKind::PtrToInt(value), ty, span)
            }
            (Type::Pointer { .. }, Type::Enum(_)) => {
                let integer = self.module.types.size_type();
                let integer = self.push_expr(ExprKind::PtrToInt(value), integer, span);
                self.convert_scalar(integer, ty)
            }
            (
                Type::Scalar(_) | Type::Pointer { .. },
                Type::Event | Type::Queue | Type::ClkEvent | Type::ReserveId,
            ) => self.implicit_convert(value, ty, ConversionContext::Initialization),
            (Type::MatrixOfContext, Type::Matrix(_)) => self.matrix_of_context(value, ty),
            (Type::Matrix(before), Type::Matrix(after))
                if (before.rows, before.columns, before.role)
                    == (after.rows, after.columns, after.role) =>
            {
                let kind = ExprKind::Convert { operand: value, rounding: None, saturate: false };
                self.push_expr(kind, ty, span)
            }
            _ => {
                let diagnostic = self.invalid_cast(value, ty, span);
                self.report(diagnostic);
                self.error_expr(span)
            }
        }
    }

    /// Gives the conversions that a cast has put above `value` the span of the cast: an implicit
    /// conversion has that of its operand.
    fn cover(&mut self, converted: hir::ExprId, value: hir::ExprId, span: Span) -> hir::ExprId {
        let mut expr = converted;
        while expr != value {
            self.module.exprs[expr].span = span;
            match self.module.exprs[expr].kind {
                ExprKind::Convert { operand, .. } | ExprKind::Splat(operand) => expr = operand,
                _ => break,
            }
        }
        converted
    }

    fn invalid_cast(&self, value: hir::ExprId, ty: TypeId, span: Span) -> Diagnostic {
        let from = self.ty(value);
        let (from_text, text) = (self.type_text(from), self.type_text(ty));
        let diagnostic =
            Diagnostic::new(&E0343, span, format!("`{from_text}` cannot be cast to `{text}`"))
                .at(format!("the target is `{text}`"))
                .label(self.span(value), format!("this is `{from_text}`"));
        let types = &self.module.types;
        match (types.get(from), types.get(ty)) {
            (Type::Vector(from_element, from_count), Type::Vector(element, count)) => {
                let convert = from_count == count;
                let reinterpret = types.size(from) == types.size(ty);
                let diagnostic =
                    diagnostic.note("casts between vector types are illegal (OpenCL C 6.4.2)");
                if convert && reinterpret && from_element.size() == element.size() {
                    diagnostic.help(format!(
                        "`convert_{text}(…)` converts the values, `as_{text}(…)` keeps the bits"
                    ))
                } else if convert {
                    diagnostic.help(format!("`convert_{text}(…)` converts the values"))
                } else if reinterpret {
                    diagnostic.help(format!("`as_{text}(…)` keeps the bits"))
                } else {
                    diagnostic
                }
            }
            (Type::Vector(..), Type::Scalar(_)) => diagnostic.help("select one component: `.x`"),
            (Type::Void, _) => diagnostic.note("`void` is not a value"),
            _ => diagnostic,
        }
    }

    /// A cast from pointer to pointer: any pointee within one address space; to generic from
    /// named ones and back, `constant` excepted.
    fn explicit_pointer(&mut self, value: hir::ExprId, ty: TypeId, span: Span) -> hir::ExprId {
        let (Some((_, from)), Some((_, to))) =
            (self.module.types.as_pointer(self.ty(value)), self.module.types.as_pointer(ty))
        else {
            return self.error_expr(span);
        };
        if self.is_null_constant(value) {
            return self.push_expr(ExprKind::Null, ty, span);
        }
        let back = from == AddressSpace::Generic && to != AddressSpace::Constant;
        if !Self::space_encloses(to, from) && !back {
            let message = format!("a `{from}` pointer is cast to a `{to}` pointer");
            let diagnostic = Diagnostic::new(&E0340, span, message)
                .at(format!("the cast has type `{}`", self.type_text(ty)));
            let diagnostic = self.explain_space(diagnostic, value, from);
            let diagnostic = self.space_help(diagnostic, from, to, ty);
            self.report(diagnostic);
            return self.error_expr(span);
        }
        self.cast_pointer(value, ty)
    }

    pub(super) fn compound_literal(
        &mut self,
        name: &'a ast::TypeName,
        initializer: &'a ast::InitializerList,
        span: Span,
    ) -> hir::ExprId {
        let ty = self.type_name(name);
        if ty.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        if ty.ty == TypeTable::HALF && !self.require_half(span) {
            return self.error_expr(span);
        }
        if let Type::Sampler | Type::Event | Type::Queue | Type::ClkEvent | Type::ReserveId =
            self.module.types.get(ty.ty)
        {
            let message = format!("there are no literals of type `{}`", self.type_text(ty.ty));
            self.report(
                Diagnostic::new(&types::E0305, span, message).at("a literal of an opaque type"),
            );
            return self.error_expr(span);
        }
        let in_function = self.function.is_some();
        let value = self.initializer_list(ty, initializer, !in_function);
        if self.is_error(value) || !in_function {
            // At program scope only the value can be used: no object holds it.
            return value;
        }
        let complete = self.ty(value);
        let ty = crate::types::QualType { ty: complete, quals: ty.quals };
        let local = self.new_local(None, ty, span);
        self.push_expr(ExprKind::CompoundLiteral { local, value }, ty, span)
    }
}
