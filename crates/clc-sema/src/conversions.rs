//! Conversions (C99 6.3, OpenCL C 6.4): lvalue conversion, arithmetic conversions, and conversion
//! as if by assignment. Those between pointers are in [`pointers`](crate::pointers).

use clc_base::{Diagnostic, Span};
use clc_builtins::Scalar;

use crate::context::{ConversionContext, Sema};
use crate::diagnostics::conversions::*;
use crate::diagnostics::expressions::W0420;
use crate::diagnostics::lints::{W0831, W0832};
use crate::folding;
use crate::hir::{self, CompareOp, Constant, ExprKind, SamplerInit};
use crate::types::{QualType, Qualifiers, Type, TypeId, TypeTable};

/// Warnings of what happens when something is computed.
const OF_VALUES: [&str; 3] = [W0420.id, W0831.id, W0832.id];

impl Sema<'_> {
    /// The type of an expression, without qualifiers.
    pub(crate) fn ty(&self, expr: hir::ExprId) -> TypeId {
        self.module.exprs[expr].ty.ty
    }

    pub(crate) fn span(&self, expr: hir::ExprId) -> Span {
        self.module.exprs[expr].span
    }

    pub(crate) fn is_error(&self, expr: hir::ExprId) -> bool {
        self.ty(expr) == TypeTable::ERROR
    }

    /// The bits of a scalar constant with its scalar type (enums are their integers).
    pub(crate) fn as_constant(&self, expr: hir::ExprId) -> Option<(u64, Scalar)> {
        match self.module.exprs[expr].kind {
            ExprKind::Constant(bits) => {
                self.module.types.as_scalar(self.ty(expr)).map(|scalar| (bits, scalar))
            }
            _ => None,
        }
    }

    /// Whether a scalar condition is true, if it is a constant.
    pub(crate) fn truth(&self, condition: hir::ExprId) -> Option<bool> {
        self.as_constant(condition).map(|(bits, scalar)| folding::is_true(scalar, bits))
    }

    /// Checks a branch. If a constant turns it off (`is_dead`), warnings about the values that it would compute are dropped.
    pub(crate) fn unless<R>(&mut self, is_dead: bool, check: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.diagnostics.len();
        let checked = check(self);
        if is_dead {
            let mut index = 0;
            self.diagnostics.retain(|diagnostic| {
                index += 1;
                index <= before || !OF_VALUES.contains(&diagnostic.code.id)
            });
        }
        checked
    }

    /// Lvalue conversion (loads an lvalue), decay of an array; values stay as they are
    /// (C99 6.3.2.1).
    pub(crate) fn rvalue(&mut self, expr: hir::ExprId) -> hir::ExprId {
        let hir::Expr { ty, span, .. } = self.module.exprs[expr];
        match self.module.types.get(ty.ty) {
            Type::Array { .. } if self.has_matrix(ty.ty) => {
                self.refuse_matrix(ty.ty, "a pointer to the first element", span);
                return self.error_expr(span);
            }
            Type::Array { .. } => return self.decay(expr),
            Type::Error => return expr,
            Type::Scalar(Scalar::Half) if self.module.is_lvalue(expr) && !self.has_half() => {
                let message = "loading a `half` needs `cl_khr_fp16`";
                let diagnostic = Diagnostic::new(&E0348, span, message)
                    .at("this reads a `half` from memory")
                    .note(
                        "without the extension `half` is only a storage format (OpenCL C 6.3.1.1)",
                    )
                    .help(self.help_with_half("read it with `vload_half`"));
                self.report(diagnostic);
                return self.error_expr(span);
            }
            _ => {}
        }
        if !self.module.is_lvalue(expr) {
            return expr;
        }
        // A compound literal that is only read is just its value.
        if let ExprKind::CompoundLiteral { value, .. } = self.module.exprs[expr].kind {
            return value;
        }
        self.push_expr(ExprKind::Load(expr), ty.ty, span)
    }

    /// An lvalue of array type as the pointer to its first element. The element has the qualifiers
    /// of the array it is part of.
    pub(crate) fn decay(&mut self, expr: hir::ExprId) -> hir::ExprId {
        let lvalue = self.materialize(expr);
        let hir::Expr { ty, span, .. } = self.module.exprs[lvalue];
        let &Type::Array { element, .. } = self.module.types.get(ty.ty) else { return lvalue };
        let quals = element.quals.union(Qualifiers { is_restrict: false, ..ty.quals });
        let space = self.module.lvalue_space(lvalue);
        let pointer = self.module.types.pointer(QualType { ty: element.ty, quals }, space);
        self.push_expr(ExprKind::Decay(lvalue), pointer, span)
    }

    /// A value as an lvalue: itself if it is one, otherwise a temporary that holds it.
    pub(crate) fn materialize(&mut self, expr: hir::ExprId) -> hir::ExprId {
        if self.module.is_lvalue(expr) || self.is_error(expr) {
            return expr;
        }
        let hir::Expr { ty, span, .. } = self.module.exprs[expr];
        if let ExprKind::Member { base, field } = self.module.exprs[expr].kind {
            let base = self.materialize(base);
            return self.push_expr(ExprKind::Member { base, field }, ty, span);
        }
        if self.function.is_none() {
            return expr;
        }
        let local = self.new_local(None, ty, span);
        self.push_expr(ExprKind::CompoundLiteral { local, value: expr }, ty, span)
    }

    /// Conversion between arithmetic scalars (enums too); constants convert at once.
    pub(crate) fn convert_scalar(&mut self, expr: hir::ExprId, to: TypeId) -> hir::ExprId {
        let from = self.ty(expr);
        if from == to {
            return expr;
        }
        let types = &self.module.types;
        if let (Some((bits, from)), Some(to_scalar)) = (self.as_constant(expr), types.as_scalar(to))
        {
            let bits = folding::convert(bits, from, to_scalar);
            let span = self.span(expr);
            return self.push_expr(ExprKind::Constant(bits), to, span);
        }
        let span = self.span(expr);
        let kind = ExprKind::Convert { operand: expr, rounding: None, saturate: false };
        self.push_expr(kind, to, span)
    }

    /// Conversion between arithmetic types that the caller knows to be allowed: scalar to scalar,
    /// scalar to vector, or vectors of equal length.
    pub(crate) fn convert_arithmetic(&mut self, expr: hir::ExprId, to: TypeId) -> hir::ExprId {
        let from = self.ty(expr);
        if from == to {
            return expr;
        }
        let span = self.span(expr);
        match *self.module.types.get(to) {
            Type::Vector(..) if self.module.types.is_vector(from) => {
                let kind = ExprKind::Convert { operand: expr, rounding: None, saturate: false };
                self.push_expr(kind, to, span)
            }
            Type::Vector(element, _) => {
                let element = self.module.types.scalar(element);
                let scalar = self.convert_scalar(expr, element);
                self.push_expr(ExprKind::Splat(scalar), to, span)
            }
            _ => self.convert_scalar(expr, to),
        }
    }

    /// A pointer as a boolean of type `int`.
    pub(crate) fn pointer_to_boolean(&mut self, pointer: hir::ExprId) -> hir::ExprId {
        let hir::Expr { ty, span, .. } = self.module.exprs[pointer];
        let null = self.push_expr(ExprKind::Null, ty, span);
        let kind = ExprKind::Compare { op: CompareOp::NotEqual, left: pointer, right: null };
        self.push_expr(kind, TypeTable::INT, span)
    }

    /// The scalar that an arithmetic scalar has after the integer promotions (C99 6.3.1.1).
    pub(crate) fn promoted(scalar: Scalar) -> Scalar {
        match scalar {
            Scalar::Bool
            | Scalar::Char
            | Scalar::UChar
            | Scalar::Short
            | Scalar::UShort
            | Scalar::Int => Scalar::Int,
            Scalar::UInt
            | Scalar::Long
            | Scalar::ULong
            | Scalar::Half
            | Scalar::Float
            | Scalar::Double => scalar,
        }
    }

    /// The integer promotions of an arithmetic scalar.
    pub(crate) fn promote(&mut self, expr: hir::ExprId) -> hir::ExprId {
        match self.module.types.as_scalar(self.ty(expr)) {
            Some(scalar) => {
                let ty = self.module.types.scalar(Self::promoted(scalar));
                self.convert_scalar(expr, ty)
            }
            None => expr,
        }
    }

    /// The default argument promotions (C99 6.5.2.2; `float` becomes `double` only where there is
    /// `double`, OpenCL C 6.15.14).
    pub(crate) fn promote_argument(&mut self, expr: hir::ExprId) -> hir::ExprId {
        match self.module.types.get(self.ty(expr)) {
            Type::Scalar(Scalar::Half | Scalar::Float) => {
                let ty = if self.has_double() { TypeTable::DOUBLE } else { TypeTable::FLOAT };
                self.convert_scalar(expr, ty)
            }
            Type::Matrix(_) => {
                let (ty, span) = (self.ty(expr), self.span(expr));
                self.refuse_matrix(ty, "an argument of any type", span);
                self.error_expr(span)
            }
            _ => self.promote(expr),
        }
    }

    /// The common type of two arithmetic scalars (C99 6.3.1.8).
    pub(crate) fn common_scalar(left: Scalar, right: Scalar) -> Scalar {
        // `Scalar` is ordered by conversion rank, unsigned above signed; `long` holds every
        // `uint`, so the greater rank is always the common type.
        Self::promoted(left).max(Self::promoted(right))
    }

    /// Conversion of a value to `ty` as if by assignment, with diagnostics. The result has type
    /// `ty`, or is an error expression.
    pub(crate) fn implicit_convert(
        &mut self,
        value: hir::ExprId,
        ty: TypeId,
        context: ConversionContext,
    ) -> hir::ExprId {
        self.implicit_convert_to(value, ty, context, Span::NONE)
    }

    /// [`Sema::implicit_convert`] where the destination was declared at `target`, to be shown in
    /// diagnostics.
    pub(crate) fn implicit_convert_to(
        &mut self,
        value: hir::ExprId,
        ty: TypeId,
        context: ConversionContext,
        target: Span,
    ) -> hir::ExprId {
        let from = self.ty(value);
        if from == ty {
            return value;
        }
        let span = self.span(value);
        let target = match context {
            ConversionContext::Argument { parameter, .. } => parameter,
            ConversionContext::Assignment
            | ConversionContext::Initialization
            | ConversionContext::Return => target,
        };
        let types = &self.module.types;
        match (types.get(from), types.get(ty)) {
            (Type::MatrixOfContext, Type::Error) => {
                self.module.exprs[value].ty = TypeTable::ERROR.into();
                self.error_expr(span)
            }
            (Type::Error, _) | (_, Type::Error) => self.error_expr(span),
            (Type::Scalar(_) | Type::Enum(_), Type::Scalar(_) | Type::Enum(_)) => {
                self.warn_of_changed_value(value, ty);
                self.convert_scalar(value, ty)
            }
            (Type::Scalar(_) | Type::Enum(_), Type::Vector(..)) => {
                self.convert_arithmetic(value, ty)
            }
            (Type::Pointer { .. }, &Type::Pointer { pointee, space }) => {
                self.convert_pointer(value, pointee, space, context, target)
            }
            (Type::Scalar(_) | Type::Enum(_), Type::Pointer { .. })
                if self.is_null_constant(value) =>
            {
                self.push_expr(ExprKind::Null, ty, span)
            }
            (Type::Pointer { .. }, Type::Scalar(Scalar::Bool)) => {
                let boolean = self.pointer_to_boolean(value);
                self.convert_scalar(boolean, ty)
            }
            (Type::Scalar(scalar), Type::Sampler) if scalar.is_integer() => {
                match self.module.exprs[value].kind {
                    ExprKind::Constant(bits) => {
                        let Some(bits) = self.sampler_bits(bits, value) else {
                            return self.error_expr(span);
                        };
                        let sampler = Constant::Sampler(SamplerInit { bits });
                        self.push_expr(ExprKind::ConstantValue(Box::new(sampler)), ty, span)
                    }
                    _ => {
                        let diagnostic = Diagnostic::new(
                            &E0347,
                            span,
                            "a sampler must be initialized with a constant",
                        ).at("known only at run time")
                        .help("combine `CLK_*` constants: one for addressing, one for filtering, one for normalized coordinates");
                        self.report(diagnostic);
                        self.error_expr(span)
                    }
                }
            }
            (
                Type::Scalar(_) | Type::Pointer { .. },
                Type::Event | Type::Queue | Type::ClkEvent | Type::ReserveId,
            ) if self.is_null_constant(value) => {
                self.push_expr(ExprKind::ConstantValue(Box::new(Constant::Zero)), ty, span)
            }
            (Type::Scalar(from), &Type::Atomic(scalar)) => {
                match (context, self.as_constant(value)) {
                    (ConversionContext::Initialization, Some((bits, _))) => {
                        let bits = folding::convert(bits, *from, scalar);
                        let constant = Constant::Scalar(bits);
                        self.push_expr(ExprKind::ConstantValue(Box::new(constant)), ty, span)
                    }
                    _ => {
                        let diagnostic = self
                            .mismatch(value, ty, context, target)
                            .help("use `atomic_init` or `atomic_store`");
                        self.report(diagnostic);
                        self.error_expr(span)
                    }
                }
            }
            (Type::Scalar(_), Type::AtomicFlag)
                if matches!(context, ConversionContext::Initialization)
                    && self.as_constant(value).is_some() =>
            {
                let bits = self.as_constant(value).map_or(0, |(bits, _)| bits);
                let constant = Constant::Scalar(bits);
                self.push_expr(ExprKind::ConstantValue(Box::new(constant)), ty, span)
            }
            (Type::MatrixOfContext, Type::Matrix(_)) => self.matrix_of_context(value, ty),
            (Type::Void, _) => {
                let message = format!("`void` is not a value; `{}` is needed", self.type_text(ty));
                self.report(Diagnostic::new(&E0342, span, message).at("this is `void`"));
                self.error_expr(span)
            }
            _ => {
                let diagnostic = self.mismatch(value, ty, context, target);
                let diagnostic = self.conversion_help(diagnostic, value, ty);
                self.report(diagnostic);
                if matches!(self.module.types.get(from), Type::MatrixOfContext) {
                    self.module.exprs[value].ty = TypeTable::ERROR.into();
                }
                self.error_expr(span)
            }
        }
    }

    /// Warns if a constant does not survive an implicit conversion to an integer type. Negative
    /// numbers in unsigned types are left alone: `-1` commonly stands for all bits.
    fn warn_of_changed_value(&mut self, value: hir::ExprId, ty: TypeId) {
        let Some((bits, from)) = self.as_constant(value) else { return };
        let Some(to) = self.module.types.as_scalar(ty) else { return };
        if let Some((number, becomes)) = crate::lints::inexact_constant(bits, from, to) {
            let message = format!("`{}` cannot hold {number}: it becomes {becomes}", to.name());
            let span = self.span(value);
            self.report(
                Diagnostic::new(&crate::diagnostics::lints::W0853, span, message)
                    .at(format!("this is `{}`", from.name())),
            );
            return;
        }
        if to.is_float() || to == Scalar::Bool {
            return;
        }
        let (before, after) = if from.is_float() {
            let number = f64::from_bits(folding::convert(bits, from, Scalar::Double));
            let converted = folding::integer_value(to, folding::convert(bits, from, to));
            if converted as f64 == number {
                return;
            }
            (number.to_string(), converted)
        } else {
            let number = folding::integer_value(from, bits);
            let unsigned_keeps_bits = number < 0 && folding::fits(to.to_signed(), number)
                || from == from.to_unsigned() && folding::fits(to.to_unsigned(), number);
            if folding::fits(to, number) || unsigned_keeps_bits {
                return;
            }
            (number.to_string(), folding::integer_value(to, folding::wrap(to, number)))
        };
        let message = format!("`{}` cannot hold {before}: it becomes {after}", to.name());
        let span = self.span(value);
        self.report(
            Diagnostic::new(&W0343, span, message)
                .at(format!("this is `{}`", self.type_text(self.ty(value)))),
        );
    }

    /// "This cannot become that", in the words of the context.
    pub(crate) fn mismatch(
        &self,
        value: hir::ExprId,
        ty: TypeId,
        context: ConversionContext,
        target: Span,
    ) -> Diagnostic {
        let from = self.type_text(self.ty(value));
        let to = self.type_text(ty);
        let message = match context {
            ConversionContext::Assignment => {
                format!("a value of type `{from}` cannot be assigned to `{to}`")
            }
            ConversionContext::Initialization => {
                format!("a value of type `{from}` cannot initialize `{to}`")
            }
            ConversionContext::Argument { index, callee, .. } => format!(
                "argument {} of `{}` has type `{from}`, but the parameter is `{to}`",
                index + 1,
                self.interner.resolve(callee)
            ),
            ConversionContext::Return => {
                format!("a value of type `{from}` cannot be returned as `{to}`")
            }
        };
        Diagnostic::new(&E0341, self.span(value), message)
            .at(format!("this is `{from}`"))
            .label(target, format!("declared here as `{to}`"))
    }

    /// Says how to convert where a conversion exists.
    fn conversion_help(
        &self,
        diagnostic: Diagnostic,
        value: hir::ExprId,
        ty: TypeId,
    ) -> Diagnostic {
        let from = self.ty(value);
        let types = &self.module.types;
        match (types.get(from), types.get(ty)) {
            (Type::Vector(from_element, from_count), Type::Vector(element, count)) => {
                let name = self.type_text(ty);
                if from_count == count {
                    let diagnostic = diagnostic.note(
                        "vectors of different types do not convert implicitly (OpenCL C 6.4.1)",
                    );
                    if from_element.size() == element.size() {
                        diagnostic.help(format!(
                            "`convert_{name}(…)` converts the values, `as_{name}(…)` keeps the bits"
                        ))
                    } else {
                        diagnostic.help(format!("`convert_{name}(…)` converts the values"))
                    }
                } else if count < from_count {
                    let first = &".s0123456789abcdef"[..usize::from(*count) + 2];
                    diagnostic.help(format!("select components: `{first}`"))
                } else {
                    diagnostic
                }
            }
            (Type::Vector(..), Type::Scalar(_)) => diagnostic.help("select one component: `.x`"),
            (Type::Image(from_kind, _), Type::Image(kind, _)) if from_kind == kind => {
                diagnostic.note("the access qualifier is part of an image's type (OpenCL C 6.6)")
            }
            (Type::Scalar(_), Type::Pointer { pointee, .. })
                if pointee.ty == from
                    && matches!(self.module.exprs[value].kind, ExprKind::Load(_)) =>
            {
                diagnostic.help("take the address with `&`")
            }
            (Type::Pointer { pointee, .. }, Type::Scalar(_)) if pointee.ty == ty => {
                diagnostic.help("read what it points to with `*`")
            }
            (Type::Pointer { .. }, Type::Scalar(scalar)) if scalar.is_integer() => {
                diagnostic.help("cast it: `(uintptr_t)`")
            }
            (Type::Scalar(scalar), Type::Pointer { .. }) if scalar.is_integer() => {
                diagnostic.help(format!("cast it: `({})`", self.type_text(ty)))
            }
            _ => diagnostic,
        }
    }
}
