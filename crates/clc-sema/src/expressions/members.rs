//! Members, vector components, and elements by index (C99 6.5.2.1, 6.5.2.3; OpenCL C 6.3.7).

use clc_base::diagnostic::did_you_mean;
use clc_base::{Diagnostic, Span, Symbol, Version};
use clc_syntax::ast;

use crate::context::Sema;
use crate::diagnostics::expressions::*;
use crate::folding;
use crate::hir::{self, ExprKind, Swizzle};
use crate::swizzles::{self, SwizzleError};
use crate::types::{QualType, Qualifiers, Type, TypeId};

impl<'a> Sema<'a> {
    pub(super) fn member(
        &mut self,
        base: ast::ExprId,
        name: Symbol,
        name_span: Span,
        arrow: bool,
        span: Span,
    ) -> hir::ExprId {
        let base = if arrow {
            let pointer = self.value(base);
            if self.is_error(pointer) {
                return self.error_expr(span);
            }
            if self.module.types.as_pointer(self.ty(pointer)).is_none() {
                let ty = self.ty(pointer);
                let message = format!("`->` needs a pointer, not `{}`", self.type_text(ty));
                let mut diagnostic =
                    Diagnostic::new(&E0426, span, message).at("the left side is not a pointer");
                if matches!(self.module.types.get(ty), Type::Record(_) | Type::Vector(..)) {
                    diagnostic = diagnostic.help("write `.`");
                }
                self.report(diagnostic);
                return self.error_expr(span);
            }
            self.dereference(pointer, span)
        } else {
            self.expr(base)
        };
        let hir::Expr { ty, .. } = self.module.exprs[base];
        match self.module.types.get(ty.ty) {
            Type::Error => self.error_expr(span),
            Type::Vector(..) => self.swizzle(base, name, name_span, span),
            Type::Record(_) => {
                let Some(path) = self.find_member(ty.ty, name, name_span) else {
                    return self.error_expr(span);
                };
                let mut part = base;
                for &field in &*path {
                    part = self.field(part, field, span);
                }
                part
            }
            other => {
                let is_pointer = matches!(other, Type::Pointer { .. });
                let text = self.type_text(ty.ty);
                let mut diagnostic =
                    Diagnostic::new(&E0426, span, format!("`{text}` has no members")).at(
                        if is_pointer {
                            "`.` is applied to a pointer"
                        } else {
                            "neither a struct, a union nor a vector"
                        },
                    );
                if is_pointer {
                    diagnostic = diagnostic.help("it is a pointer: write `->`");
                }
                self.report(diagnostic);
                self.error_expr(span)
            }
        }
    }

    /// Field number `field` of a record, lvalue or value.
    pub(crate) fn field(&mut self, base: hir::ExprId, field: u32, span: Span) -> hir::ExprId {
        let outer = self.module.exprs[base].ty;
        let Type::Record(record) = self.module.types.get(outer.ty) else {
            return self.error_expr(span);
        };
        let body = self.module.types.records[*record].body.as_ref();
        let Some(member) = body.and_then(|body| body.fields.get(field as usize)) else {
            return self.error_expr(span);
        };
        let quals = member.ty.quals.union(Qualifiers { is_restrict: false, ..outer.quals });
        let ty = QualType { ty: member.ty.ty, quals };
        self.push_expr(ExprKind::Member { base, field }, ty, span)
    }

    /// The fields that lead to a member, through unnamed members; reports what does not exist.
    pub(super) fn find_member(
        &mut self,
        ty: TypeId,
        name: Symbol,
        name_span: Span,
    ) -> Option<Box<[u32]>> {
        let text = self.type_text(ty);
        let &Type::Record(id) = self.module.types.get(ty) else {
            let message = format!("`{text}` has no members");
            self.report(
                Diagnostic::new(&E0426, name_span, message).at("neither a struct nor a union"),
            );
            return None;
        };
        let record = &self.module.types.records[id];
        let Some(body) = &record.body else {
            let declared = record.span;
            if !self.incompleteness_is_news(ty) {
                return None;
            }
            let diagnostic =
                Diagnostic::new(&E0426, name_span, format!("`{text}` is not defined here"))
                    .at("its members are not known")
                    .label(declared, "only declared here");
            self.report(diagnostic);
            return None;
        };
        if let Some(path) = body.lookup.get(&name).cloned() {
            self.index_member(id, &path, name_span);
            return Some(path);
        }
        let is_known = self.reported.partial.contains(&id) || self.is_lost(name);
        if is_known || !self.reported.members.insert((id, name)) {
            return None;
        }
        let record = &self.module.types.records[id];
        let Some(body) = &record.body else { return None };
        let member = self.interner.resolve(name);
        let message = format!("`{text}` has no member `{member}`");
        let diagnostic = Diagnostic::new(&E0426, name_span, message)
            .at("not one of its members")
            .label(record.span, "defined here");
        let members = body.lookup.keys().map(|&name| self.interner.resolve(name));
        let guess = did_you_mean(member, members);
        self.report(diagnostic.suggest(name_span, guess));
        None
    }

    fn swizzle(
        &mut self,
        base: hir::ExprId,
        name: Symbol,
        name_span: Span,
        span: Span,
    ) -> hir::ExprId {
        let hir::Expr { ty, .. } = self.module.exprs[base];
        let &Type::Vector(_, count) = self.module.types.get(ty.ty) else {
            return self.error_expr(span);
        };
        let text = self.interner.resolve(name);
        match swizzles::parse(text, count) {
            Ok((swizzle, rgba)) => {
                if rgba && self.options.version < Version::V3_0 {
                    let message = format!("the component name `{text}` came with OpenCL C 3.0");
                    let diagnostic = Diagnostic::new(&W0426, name_span, message)
                        .at(format!("unknown to OpenCL C {}", self.options.version))
                        .help("use `x`, `y`, `z`, `w`");
                    self.report(diagnostic);
                }
                self.select(base, swizzle, span)
            }
            Err(error) => {
                let vector = self.type_text(ty.ty);
                let (message, label) = match error {
                    SwizzleError::Unknown(letter) => (
                        format!("`{text}` selects no components: `{letter}` is not one"),
                        format!("not components of `{vector}`"),
                    ),
                    SwizzleError::OutOfRange(letter) => (
                        format!("`{vector}` has no component `{letter}`"),
                        match count {
                            2..=4 => format!("it has `{}`", &"xyzw"[..usize::from(count)]),
                            _ => format!("it has `s0` to `s{:x}`", count - 1),
                        },
                    ),
                    SwizzleError::Length(length) => {
                        (format!("{length} components make no vector"), format!("selects {length}"))
                    }
                };
                let guess = swizzles::similar(text, count);
                let diagnostic = Diagnostic::new(&E0425, name_span, message).at(label);
                let diagnostic = match error {
                    SwizzleError::Length(_) => {
                        diagnostic.note("vectors have 2, 3, 4, 8 or 16 components")
                    }
                    _ if guess.is_some() => diagnostic,
                    _ if count <= 4 => diagnostic.help(
                        "components are named `xyzw`, or `s` and digits: `.xy`, `.s01`; halves `lo`, `hi`, `even`, `odd`",
                    ),
                    _ => diagnostic.help(
                        "components are named by `s` and hexadecimal digits: `.s0f`; halves `lo`, `hi`, `even`, `odd`",
                    ),
                };
                self.report(diagnostic.suggest(name_span, guess));
                self.error_expr(span)
            }
        }
    }

    /// Components of a vector, lvalue or value. A swizzle of a swizzle is one swizzle.
    fn select(&mut self, base: hir::ExprId, swizzle: Swizzle, span: Span) -> hir::ExprId {
        let outer = self.module.exprs[base].ty;
        let &Type::Vector(element, _) = self.module.types.get(outer.ty) else {
            return self.error_expr(span);
        };
        let ty = self.module.types.vector_or_scalar(element, swizzle.count);
        let quals = outer.quals;
        let (base, swizzle) = match self.module.exprs[base].kind {
            ExprKind::Swizzle { base, swizzle: inner } => {
                (base, swizzles::compose(&inner, &swizzle))
            }
            _ => (base, swizzle),
        };
        self.push_expr(ExprKind::Swizzle { base, swizzle }, QualType { ty, quals }, span)
    }

    pub(super) fn index(
        &mut self,
        base: ast::ExprId,
        index: ast::ExprId,
        span: Span,
    ) -> hir::ExprId {
        let base = self.expr(base);
        if self.module.types.is_vector(self.ty(base)) {
            return self.vector_element(base, index, span);
        }
        let matrix = self.as_matrix(self.ty(base));
        let base = match self.module.types.get(self.ty(base)) {
            _ if matrix.is_some() => base,
            // An element of an array of matrices, of which there are no pointers.
            Type::Array { .. } => self.decay(base),
            _ => self.rvalue(base),
        };
        let index = self.value(index);
        if self.is_error(base) || self.is_error(index) {
            return self.error_expr(span);
        }
        if let Some(matrix) = matrix {
            return match self.require_index(index) {
                true => self.matrix_element(base, index, matrix, span),
                false => self.error_expr(span),
            };
        }
        // `2[p]` is `p[2]`.
        let (pointer, index) = match self.module.types.as_pointer(self.ty(base)) {
            Some(_) => (base, index),
            None => (index, base),
        };
        if self.module.types.as_pointer(self.ty(pointer)).is_none() {
            let text = self.type_text(self.ty(base));
            let mut diagnostic = Diagnostic::new(
                &E0427,
                span,
                format!("`{text}` is not an array, a pointer or a vector"),
            )
            .at("an index is applied to this");
            if let Some((declaration, name)) = self.declaration_of(base) {
                diagnostic = diagnostic.label(declaration, format!("{name} is declared here"));
            }
            self.report(diagnostic);
            return self.error_expr(span);
        }
        if !self.require_index(index) {
            return self.error_expr(span);
        }
        let element = self.pointer_add(pointer, index, false, span);
        self.dereference(element, span)
    }

    /// Reports an index that is no integer; `false` then.
    fn require_index(&mut self, index: hir::ExprId) -> bool {
        let is_integer = self.is_integer(index);
        if !is_integer {
            let text = self.type_text(self.ty(index));
            let message = format!("an index must be an integer, not `{text}`");
            self.report(Diagnostic::new(&E0427, self.span(index), message).at("used as an index"));
        }
        is_integer
    }

    /// GNU `v[i]`.
    fn vector_element(&mut self, base: hir::ExprId, index: ast::ExprId, span: Span) -> hir::ExprId {
        let outer = self.module.exprs[base].ty;
        let &Type::Vector(element, count) = self.module.types.get(outer.ty) else {
            return self.error_expr(span);
        };
        let index = self.value(index);
        if self.is_error(index) {
            return self.error_expr(span);
        }
        if !self.require_index(index) {
            return self.error_expr(span);
        }
        if let Some((bits, scalar)) = self.as_constant(index) {
            let value = folding::integer_value(scalar, bits);
            if !(0..i128::from(count)).contains(&value) {
                let text = self.type_text(outer.ty);
                let message = format!("`{text}` has no component {value}");
                self.report(
                    Diagnostic::new(&E0427, self.span(index), message)
                        .at(format!("components are 0 to {}", count - 1)),
                );
                return self.error_expr(span);
            }
            let mut swizzle = Swizzle { components: [0; 16], count: 1 };
            swizzle.components[0] = value as u8;
            return self.select(base, swizzle, span);
        }
        let index = self.promote(index);
        let ty = QualType { ty: self.module.types.scalar(element), quals: outer.quals };
        self.push_expr(ExprKind::VectorElement { base, index }, ty, span)
    }

    pub(super) fn is_integer(&self, value: hir::ExprId) -> bool {
        self.module.types.as_scalar(self.ty(value)).is_some_and(|scalar| scalar.is_integer())
    }

    /// What a pointer value points to, as an lvalue.
    pub(super) fn dereference(&mut self, pointer: hir::ExprId, span: Span) -> hir::ExprId {
        if self.is_error(pointer) {
            return self.error_expr(span);
        }
        let Some((pointee, _)) = self.module.types.as_pointer(self.ty(pointer)) else {
            let text = self.type_text(self.ty(pointer));
            let message = format!("`{text}` is not a pointer and cannot be dereferenced");
            self.report(Diagnostic::new(&E0428, span, message).at("`*` needs a pointer"));
            return self.error_expr(span);
        };
        if let ExprKind::AddressOf(lvalue) = self.module.exprs[pointer].kind {
            return lvalue;
        }
        match self.module.types.get(pointee.ty) {
            Type::Error => self.error_expr(span),
            Type::Void => {
                let message = "a pointer to `void` cannot be dereferenced";
                let diagnostic = Diagnostic::new(&E0428, span, message)
                    .at("points to `void`")
                    .help("cast it to a pointer to the type that is stored there");
                self.report(diagnostic);
                self.error_expr(span)
            }
            _ => self.push_expr(ExprKind::Deref(pointer), pointee, span),
        }
    }
}
