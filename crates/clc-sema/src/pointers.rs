//! Conversions between pointers, and the address-space rules they obey (OpenCL C 6.7).

use std::borrow::Cow;

use clc_base::{AddressSpace, Diagnostic, Span};

use crate::context::{ConversionContext, Sema};
use crate::diagnostics::conversions::*;
use crate::hir::{self, ExprKind};
use crate::types::{QualType, Qualifiers, Type, TypeId, TypeTable};

/// How two pointee types relate, qualifiers of the outermost level aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointees {
    Compatible,
    /// One side is `void`.
    Void,
    /// Integers that differ in signedness only.
    Signedness,
    /// Equal but for qualifiers at an inner level.
    InnerQualifiers,
    /// An inner pointer is in another address space.
    InnerSpace(AddressSpace, AddressSpace),
    Incompatible,
}

impl Sema<'_> {
    /// Whether a value is a null pointer constant: an integer constant 0, or that cast to `void *`
    /// (C99 6.3.2.3).
    pub(crate) fn is_null_constant(&self, value: hir::ExprId) -> bool {
        let expr = &self.module.exprs[value];
        match expr.kind {
            ExprKind::Constant(0) => {
                self.module.types.as_scalar(expr.ty.ty).is_some_and(|scalar| scalar.is_integer())
            }
            ExprKind::Null => matches!(
                self.module.types.as_pointer(expr.ty.ty),
                Some((
                    QualType { ty: TypeTable::VOID, quals: Qualifiers::NONE },
                    AddressSpace::Private | AddressSpace::Generic
                ))
            ),
            _ => false,
        }
    }

    /// Whether a pointer to `from` becomes a pointer to `to` without a cast: equal spaces, or a
    /// named one, `constant` aside, to generic.
    pub(crate) fn space_encloses(to: AddressSpace, from: AddressSpace) -> bool {
        to == from || to == AddressSpace::Generic && from != AddressSpace::Constant
    }

    pub(crate) fn compare_pointees(&self, left: TypeId, right: TypeId) -> Pointees {
        if left == right {
            return Pointees::Compatible;
        }
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.compare_levels(left, right))
    }

    fn compare_levels(&self, left: TypeId, right: TypeId) -> Pointees {
        let types = &self.module.types;
        match (types.get(left), types.get(right)) {
            (Type::Void, _) | (_, Type::Void) => Pointees::Void,
            (
                &Type::Pointer { pointee: left, space: left_space },
                &Type::Pointer { pointee: right, space: right_space },
            ) => {
                if left_space != right_space {
                    return Pointees::InnerSpace(left_space, right_space);
                }
                match self.compare_pointees(left.ty, right.ty) {
                    Pointees::Compatible if left.quals != right.quals => Pointees::InnerQualifiers,
                    // `void **` is no universal pointer.
                    Pointees::Void => Pointees::Incompatible,
                    inner => inner,
                }
            }
            (
                &Type::Array { element: left, len: left_len },
                &Type::Array { element: right, len: right_len },
            ) => match self.compare_pointees(left.ty, right.ty) {
                Pointees::Compatible
                    if left_len == right_len || left_len.is_none() || right_len.is_none() =>
                {
                    Pointees::Compatible
                }
                Pointees::Compatible => Pointees::Incompatible,
                inner => inner,
            },
            _ => match (types.as_arithmetic(left), types.as_arithmetic(right)) {
                (Some((left, left_count)), Some((right, right_count)))
                    if left_count == right_count
                        && left.is_integer()
                        && right.is_integer()
                        && left.to_signed() == right.to_signed() =>
                {
                    // An enum is compatible with its own integer type.
                    if left == right { Pointees::Compatible } else { Pointees::Signedness }
                }
                _ => Pointees::Incompatible,
            },
        }
    }

    /// Conversion of a pointer to a pointer as if by assignment.
    pub(crate) fn convert_pointer(
        &mut self,
        value: hir::ExprId,
        pointee: QualType,
        space: AddressSpace,
        context: ConversionContext,
        target: Span,
    ) -> hir::ExprId {
        let span = self.span(value);
        let to = self.module.types.pointer(pointee, space);
        if self.is_null_constant(value) {
            return self.push_expr(ExprKind::Null, to, span);
        }
        let from_ty = self.ty(value);
        let Some((from, from_space)) = self.module.types.as_pointer(from_ty) else {
            return self.error_expr(span);
        };
        if !Self::space_encloses(space, from_space) {
            let diagnostic = self.space_mismatch(value, to, from_space, space, context, target);
            self.report(diagnostic);
            return self.error_expr(span);
        }
        let from_text = || self.type_text(from_ty);
        let to_text = || self.type_text(to);
        match self.compare_pointees(from.ty, pointee.ty) {
            Pointees::Compatible | Pointees::Void => {
                if !pointee.quals.includes(Qualifiers { is_restrict: false, ..from.quals }) {
                    let message =
                        format!("`{}` becomes `{}` and loses qualifiers", from_text(), to_text());
                    let mut diagnostic = Diagnostic::new(&W0340, span, message)
                        .at(format!("this is `{}`", from_text()))
                        .label(target, format!("declared here as `{}`", to_text()));
                    if let Some((declaration, _)) = self.declaration_of(value) {
                        diagnostic = diagnostic.label(declaration, "the pointer is declared here");
                    }
                    self.report(diagnostic);
                }
            }
            Pointees::Signedness => {
                let message = format!(
                    "`{}` becomes `{}`, a pointer to integers of the other signedness",
                    from_text(),
                    to_text()
                );
                self.report(
                    Diagnostic::new(&W0341, span, message).at(format!("this is `{}`", from_text())),
                );
            }
            Pointees::InnerQualifiers => {
                let message = format!(
                    "`{}` becomes `{}`, whose qualifiers differ at an inner level",
                    from_text(),
                    to_text()
                );
                self.report(
                    Diagnostic::new(&W0340, span, message).at(format!("this is `{}`", from_text())),
                );
            }
            Pointees::InnerSpace(inner_from, inner_to) => {
                let mut diagnostic = self
                    .mismatch(value, to, context, target)
                    .note(format!(
                        "what it points to is itself a pointer, to `{inner_from}` here and to `{inner_to}` there; inner pointers must match exactly (OpenCL C 6.7.9)"
                    ));
                diagnostic.code = &E0344;
                if let Some((declaration, name)) = self.declaration_of(value) {
                    diagnostic = diagnostic.label(declaration, format!("{name} is declared here"));
                }
                self.report(diagnostic);
                return self.error_expr(span);
            }
            Pointees::Incompatible => {
                let diagnostic = self.mismatch(value, to, context, target).help(format!(
                    "if the memory really holds the other type, cast: `({})`",
                    to_text()
                ));
                self.report(diagnostic);
                return self.error_expr(span);
            }
        }
        self.cast_pointer(value, to)
    }

    /// Pointer to pointer without checks: first the pointee, then the space.
    pub(crate) fn cast_pointer(&mut self, value: hir::ExprId, to: TypeId) -> hir::ExprId {
        let from = self.ty(value);
        let span = self.span(value);
        if from == to {
            return value;
        }
        if matches!(self.module.exprs[value].kind, ExprKind::Null) {
            return self.push_expr(ExprKind::Null, to, span);
        }
        let (Some((from_pointee, from_space)), Some((pointee, space))) =
            (self.module.types.as_pointer(from), self.module.types.as_pointer(to))
        else {
            return self.error_expr(span);
        };
        let mut value = value;
        if from_pointee != pointee {
            let ty = self.module.types.pointer(pointee, from_space);
            value = self.push_expr(ExprKind::Reinterpret(value), ty, span);
        }
        if from_space != space {
            value = self.push_expr(ExprKind::SpaceCast(value), to, span);
        }
        value
    }

    /// The rule at the heart of the language: a pointer into one address space is not a pointer
    /// into another.
    fn space_mismatch(
        &self,
        value: hir::ExprId,
        to: TypeId,
        from_space: AddressSpace,
        space: AddressSpace,
        context: ConversionContext,
        target: Span,
    ) -> Diagnostic {
        let message = match context {
            ConversionContext::Assignment => {
                format!("a `{from_space}` pointer is assigned to a `{space}` pointer")
            }
            ConversionContext::Initialization => {
                format!("a `{from_space}` pointer initializes a `{space}` pointer")
            }
            ConversionContext::Argument { index, callee, .. } => format!(
                "argument {} of `{}` is a `{from_space}` pointer, but the parameter is a `{space}` pointer",
                index + 1,
                self.interner.resolve(callee)
            ),
            ConversionContext::Return => {
                format!("a `{from_space}` pointer is returned as a `{space}` pointer")
            }
        };
        let diagnostic = Diagnostic::new(&E0340, self.span(value), message)
            .at(format!("this is `{}`", self.type_text(self.ty(value))))
            .label(
                target,
                format!("declared here as `{}`, pointing to `{space}`", self.type_text(to)),
            );
        let diagnostic = self.explain_space(diagnostic, value, from_space);
        self.space_help(diagnostic, from_space, space, to)
    }

    /// Marks what a pointer expression is, and where it got its address space.
    pub(crate) fn explain_space(
        &self,
        diagnostic: Diagnostic,
        pointer: hir::ExprId,
        space: AddressSpace,
    ) -> Diagnostic {
        let diagnostic = if diagnostic.primary.span == self.span(pointer) {
            diagnostic
        } else {
            let text = format!("this is `{}`", self.type_text(self.ty(pointer)));
            diagnostic.label(self.span(pointer), text)
        };
        match self.declaration_of(pointer) {
            Some((declaration, name)) => diagnostic
                .label(declaration, format!("{name} leads to `{space}` memory: declared here")),
            None => diagnostic,
        }
    }

    /// Why two address spaces do not convert, and what to do instead.
    pub(crate) fn space_help(
        &self,
        diagnostic: Diagnostic,
        from: AddressSpace,
        to: AddressSpace,
        to_type: TypeId,
    ) -> Diagnostic {
        use AddressSpace::{Constant, Generic};
        match (from, to) {
            (Generic, Constant) | (Constant, Generic) => diagnostic.note(
                "`constant` is not part of the generic address space (OpenCL C 6.7.9)",
            ),
            (Generic, named) => diagnostic
                .note(format!("a generic pointer may point elsewhere than to `{named}`"))
                .help(if named == Constant {
                    Cow::Borrowed("declare the pointer with its address space")
                } else {
                    Cow::Owned(format!(
                        "cast it if it certainly points there, `({})`, or ask with `to_{named}`, which returns null otherwise",
                        self.type_text(to_type)
                    ))
                }),
            (from, AddressSpace::Private) if !self.has_generic_space() => diagnostic
                .note("a pointer declared without an address space points to `private` memory")
                .help(format!(
                    "declare it as `{}` if it shall point to `{from}` memory",
                    self.type_text(to_type).replacen("private", from.name(), 1)
                )),
            _ => diagnostic.note(format!(
                "`{from}` and `{to}` are disjoint: no conversion, implicit or by cast, leads from one to the other (OpenCL C 6.7.9)"
            )),
        }
    }

    /// Where the variable, member or function that an expression refers to was declared, and its name.
    pub(crate) fn declaration_of(&self, expr: hir::ExprId) -> Option<(Span, String)> {
        let mut expr = expr;
        // Expressions can be deep; a declaration far from the operand would explain little.
        for _ in 0..64 {
            expr = match &self.module.exprs[expr].kind {
                ExprKind::Local(id) => {
                    let function = self.function.as_ref()?.id;
                    let local = self.module.functions[function].locals.get(*id)?;
                    let name = match local.name {
                        Some(name) => format!("`{}`", self.interner.resolve(name)),
                        None => "a temporary".into(),
                    };
                    return Some((local.span, name));
                }
                ExprKind::Global(id) => {
                    let global = &self.module.globals[*id];
                    if global.name.starts_with(".str") {
                        return None;
                    }
                    let name = global.name.rsplit('.').next().unwrap_or(&global.name);
                    return Some((global.span, format!("`{name}`")));
                }
                ExprKind::Member { base, field } => {
                    let Type::Record(record) = self.module.types.get(self.ty(*base)) else {
                        return None;
                    };
                    let body = self.module.types.records[*record].body.as_ref()?;
                    let member = body.fields.get(*field as usize)?;
                    let name = match member.name {
                        Some(name) => format!("member `{}`", self.interner.resolve(name)),
                        None => "an unnamed member".into(),
                    };
                    return Some((member.span, name));
                }
                ExprKind::Call { callee, .. } => {
                    let function = &self.module.functions[*callee];
                    let name = format!("`{}`", self.interner.resolve(function.name));
                    return Some((function.span, name));
                }
                ExprKind::Deref(inner)
                | ExprKind::Load(inner)
                | ExprKind::AddressOf(inner)
                | ExprKind::Decay(inner)
                | ExprKind::Reinterpret(inner)
                | ExprKind::SpaceCast(inner)
                | ExprKind::Swizzle { base: inner, .. }
                | ExprKind::VectorElement { base: inner, .. }
                | ExprKind::PtrAdd { pointer: inner, .. }
                | ExprKind::Assign { lvalue: inner, .. }
                | ExprKind::PtrAssign { lvalue: inner, .. }
                | ExprKind::IncDec { lvalue: inner, .. }
                | ExprKind::Conditional { then: inner, .. } => *inner,
                ExprKind::Comma(parts) => *parts.last()?,
                _ => return None,
            };
        }
        None
    }
}
