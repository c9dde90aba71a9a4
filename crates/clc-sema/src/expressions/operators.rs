//! Unary, binary and conditional operators (C99 6.5.3, 6.5.5 to 6.5.15; OpenCL C 6.5).

use clc_base::{AddressSpace, Diagnostic, Span};
use clc_builtins::Scalar;
use clc_syntax::ast::{self, BinaryOp as AstOp, ExprKind as Ast, UnaryOp as AstUnary};
use smallvec::SmallVec;

use crate::context::Sema;
use crate::diagnostics::conversions::*;
use crate::diagnostics::expressions::*;
use crate::folding;
use crate::hir::{self, BinaryOp, CompareOp, ExprKind, LogicalOp, UnaryOp};
use crate::pointers::Pointees;
use crate::types::{QualType, Qualifiers, Type, TypeId, TypeTable};

/// What a binary operator of the grammar is here.
pub(super) enum Operator {
    Arithmetic(BinaryOp),
    Compare(CompareOp),
    Logical(LogicalOp),
}

pub(super) fn operator(op: AstOp) -> Operator {
    use Operator::{Arithmetic, Compare, Logical};
    match op {
        AstOp::Mul => Arithmetic(BinaryOp::Mul),
        AstOp::Div => Arithmetic(BinaryOp::Div),
        AstOp::Rem => Arithmetic(BinaryOp::Rem),
        AstOp::Add => Arithmetic(BinaryOp::Add),
        AstOp::Sub => Arithmetic(BinaryOp::Sub),
        AstOp::Shl => Arithmetic(BinaryOp::Shl),
        AstOp::Shr => Arithmetic(BinaryOp::Shr),
        AstOp::BitAnd => Arithmetic(BinaryOp::And),
        AstOp::BitXor => Arithmetic(BinaryOp::Xor),
        AstOp::BitOr => Arithmetic(BinaryOp::Or),
        AstOp::Less => Compare(CompareOp::Less),
        AstOp::Greater => Compare(CompareOp::Greater),
        AstOp::LessEqual => Compare(CompareOp::LessEqual),
        AstOp::GreaterEqual => Compare(CompareOp::GreaterEqual),
        AstOp::Equal => Compare(CompareOp::Equal),
        AstOp::NotEqual => Compare(CompareOp::NotEqual),
        AstOp::LogicalAnd => Logical(LogicalOp::And),
        AstOp::LogicalOr => Logical(LogicalOp::Or),
    }
}

fn operator_text(op: AstOp) -> &'static str {
    match op {
        AstOp::Mul => "*",
        AstOp::Div => "/",
        AstOp::Rem => "%",
        AstOp::Add => "+",
        AstOp::Sub => "-",
        AstOp::Shl => "<<",
        AstOp::Shr => ">>",
        AstOp::Less => "<",
        AstOp::Greater => ">",
        AstOp::LessEqual => "<=",
        AstOp::GreaterEqual => ">=",
        AstOp::Equal => "==",
        AstOp::NotEqual => "!=",
        AstOp::BitAnd => "&",
        AstOp::BitXor => "^",
        AstOp::BitOr => "|",
        AstOp::LogicalAnd => "&&",
        AstOp::LogicalOr => "||",
    }
}

/// Whether only integers have the operator.
pub(super) fn integers_only(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => false,
        BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => true,
    }
}

pub(super) fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl | BinaryOp::Shr)
}

impl<'a> Sema<'a> {
    /// A binary expression. Chains that lean to the left, as `a + b + c + …` does, take no stack.
    pub(super) fn binary(&mut self, e: ast::ExprId) -> hir::ExprId {
        let tree = self.ast;
        let mut spine: SmallVec<[ast::ExprId; 8]> = SmallVec::new();
        let mut leftmost = e;
        while let Ast::Binary { left, .. } = &tree.exprs[leftmost].kind {
            spine.push(leftmost);
            leftmost = *left;
        }
        let mut result = self.value(leftmost);
        for &node in spine.iter().rev() {
            let ast::Expr { kind: Ast::Binary { op, op_span, right, .. }, span } =
                &tree.exprs[node]
            else {
                continue;
            };
            let right = self.value(*right);
            result = self.binary_values(*op, *op_span, *span, result, right);
        }
        result
    }

    fn binary_values(
        &mut self,
        op: AstOp,
        op_span: Span,
        span: Span,
        left: hir::ExprId,
        right: hir::ExprId,
    ) -> hir::ExprId {
        if self.is_error(left) || self.is_error(right) {
            return self.error_expr(span);
        }
        match operator(op) {
            Operator::Arithmetic(BinaryOp::Add) if self.is_pointer(left) => {
                self.pointer_offset(op, left, right, false, op_span, span)
            }
            Operator::Arithmetic(BinaryOp::Add) if self.is_pointer(right) => {
                self.pointer_offset(op, right, left, false, op_span, span)
            }
            Operator::Arithmetic(BinaryOp::Sub)
                if self.is_pointer(left) && self.is_pointer(right) =>
            {
                self.pointer_difference(left, right, op_span, span)
            }
            Operator::Arithmetic(BinaryOp::Sub) if self.is_pointer(left) => {
                self.pointer_offset(op, left, right, true, op_span, span)
            }
            Operator::Arithmetic(kind) if is_shift(kind) => {
                match self.shift_operands(op, left, right, op_span) {
                    Some((left, right)) => self.arithmetic(kind, left, right, op_span, span),
                    None => self.error_expr(span),
                }
            }
            Operator::Arithmetic(kind) => {
                match self.common_operands(op, integers_only(kind), left, right, op_span) {
                    Some((left, right)) => self.arithmetic(kind, left, right, op_span, span),
                    None => self.error_expr(span),
                }
            }
            Operator::Compare(kind) => self.compare(op, kind, left, right, op_span, span),
            Operator::Logical(kind) => self.logical(op, kind, left, right, op_span, span),
        }
    }

    fn is_pointer(&self, value: hir::ExprId) -> bool {
        self.module.types.as_pointer(self.ty(value)).is_some()
    }

    /// The operation on operands that have the types it asks for; constants fold.
    fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: hir::ExprId,
        right: hir::ExprId,
        op_span: Span,
        span: Span,
    ) -> hir::ExprId {
        let ty = self.ty(left);
        if let Some((right_bits, scalar)) = self.as_constant(right) {
            if right_bits == 0 && scalar.is_integer() && matches!(op, BinaryOp::Div | BinaryOp::Rem)
            {
                self.report(Diagnostic::new(&W0420, op_span, "division by zero"));
            } else if let Some((left_bits, scalar)) = self.as_constant(left)
                && let Some(bits) = folding::binary(op, scalar, left_bits, right_bits)
            {
                return self.push_expr(ExprKind::Constant(bits), ty, span);
            }
        }
        self.push_expr(ExprKind::Binary { op, left, right }, ty, span)
    }

    /// The usual arithmetic conversions (C99 6.3.1.8), and for vectors OpenCL C 6.4.4: a scalar
    /// operand is converted to the element type, which must not have lower rank, and widened.
    pub(super) fn common_operands(
        &mut self,
        op: AstOp,
        integers: bool,
        left: hir::ExprId,
        right: hir::ExprId,
        op_span: Span,
    ) -> Option<(hir::ExprId, hir::ExprId)> {
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        let ty = self.common_type(op, integers, left, right, left_ty, right_ty, op_span)?;
        Some((self.convert_arithmetic(left, ty), self.convert_arithmetic(right, ty)))
    }

    /// The type that both operands convert to; reports if there is none. `left` and `right` are
    /// the operands for diagnostics; their types are given apart.
    pub(super) fn common_type(
        &mut self,
        op: AstOp,
        integers: bool,
        left: hir::ExprId,
        right: hir::ExprId,
        left_ty: TypeId,
        right_ty: TypeId,
        op_span: Span,
    ) -> Option<TypeId> {
        // What most operations are.
        if left_ty == right_ty
            && (matches!(left_ty, TypeTable::INT | TypeTable::UINT | TypeTable::ULONG)
                || left_ty == TypeTable::FLOAT && !integers)
        {
            return Some(left_ty);
        }
        let types = &self.module.types;
        let (Some((left_scalar, left_count)), Some((right_scalar, right_count))) =
            (types.as_arithmetic(left_ty), types.as_arithmetic(right_ty))
        else {
            self.invalid_operands(op, left, right, op_span);
            return None;
        };
        if integers && (left_scalar.is_float() || right_scalar.is_float()) {
            self.invalid_operands(op, left, right, op_span);
            return None;
        }
        match (left_count, right_count) {
            (1, 1) => {
                Some(self.module.types.scalar(Self::common_scalar(left_scalar, right_scalar)))
            }
            (_, 1) => self.vector_and_scalar(left, left_ty, left_scalar, right, right_scalar),
            (1, _) => self.vector_and_scalar(right, right_ty, right_scalar, left, left_scalar),
            _ if left_ty == right_ty => Some(left_ty),
            _ => {
                let (left_text, right_text) = (self.type_text(left_ty), self.type_text(right_ty));
                let mut diagnostic = Diagnostic::new(
                    &E0422,
                    op_span,
                    format!(
                        "`{}` is applied to vectors of different types, `{left_text}` and `{right_text}`",
                        operator_text(op)
                    ),
                )
                .label(self.span(left), format!("this is `{left_text}`"))
                .label(self.span(right), format!("this is `{right_text}`"))
                .note("vectors do not convert implicitly (OpenCL C 6.4.1)");
                if left_count == right_count {
                    diagnostic = diagnostic.help(format!(
                        "convert one of them: `convert_{left_text}(…)` or `convert_{right_text}(…)`"
                    ));
                }
                self.report(diagnostic);
                None
            }
        }
    }

    fn vector_and_scalar(
        &mut self,
        vector: hir::ExprId,
        vector_ty: TypeId,
        element: Scalar,
        scalar_operand: hir::ExprId,
        scalar: Scalar,
    ) -> Option<TypeId> {
        // `Scalar` is ordered by rank.
        if scalar <= element {
            return Some(vector_ty);
        }
        let vector_text = self.type_text(vector_ty);
        let (scalar, element) = (scalar.name(), element.name());
        let message =
            format!("an operand of type `{scalar}` does not fit one of type `{vector_text}`");
        let mut diagnostic = Diagnostic::new(&E0421, self.span(scalar_operand), message)
            .at(format!("this is `{scalar}`"))
            .label(self.span(vector), format!("this is `{vector_text}`"))
            .note(format!(
                "a scalar becomes a vector only if its type has no greater rank than the element type (OpenCL C 6.4.4): `{scalar}` is greater than `{element}`"
            ));
        diagnostic = if (scalar, element) == ("double", "float")
            && self.as_constant(scalar_operand).is_some()
        {
            diagnostic.help("write a `float` constant, with suffix `f`")
        } else {
            diagnostic.help(format!("convert the scalar: `({element})`"))
        };
        self.report(diagnostic);
        None
    }

    pub(super) fn invalid_operands(
        &mut self,
        op: AstOp,
        left: hir::ExprId,
        right: hir::ExprId,
        op_span: Span,
    ) {
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        let (left_text, right_text) = (self.type_text(left_ty), self.type_text(right_ty));
        let message = format!(
            "`{}` cannot be applied to `{left_text}` and `{right_text}`",
            operator_text(op)
        );
        let mut diagnostic = Diagnostic::new(&E0422, op_span, message)
            .label(self.span(left), format!("this is `{left_text}`"))
            .label(self.span(right), format!("this is `{right_text}`"));
        let types = &self.module.types;
        let float = |ty| types.as_arithmetic(ty).is_some_and(|(scalar, _)| scalar.is_float());
        if float(left_ty) || float(right_ty) {
            diagnostic = match op {
                AstOp::Rem => diagnostic.help("the remainder of floats is `fmod`"),
                AstOp::BitAnd | AstOp::BitOr | AstOp::BitXor | AstOp::Shl | AstOp::Shr => {
                    diagnostic.help("`as_int` and its kin give the bits of a float")
                }
                _ => diagnostic,
            };
        }
        if matches!(types.get(left_ty), Type::Atomic(_))
            || matches!(types.get(right_ty), Type::Atomic(_))
        {
            diagnostic =
                diagnostic.help("atomic objects are accessed by `atomic_load` and its kin");
        }
        self.report(diagnostic);
    }

    /// Operands of a shift: scalars are promoted each for itself; a vector's count is a vector of
    /// the same length, or a scalar for all components (OpenCL C 6.5.10).
    pub(super) fn shift_operands(
        &mut self,
        op: AstOp,
        left: hir::ExprId,
        right: hir::ExprId,
        op_span: Span,
    ) -> Option<(hir::ExprId, hir::ExprId)> {
        let left_ty = self.ty(left);
        let right = self.shift_count(op, left, left_ty, right, op_span)?;
        Some((self.promote(left), right))
    }

    /// The count of a shift of something of type `left_ty`.
    pub(super) fn shift_count(
        &mut self,
        op: AstOp,
        left: hir::ExprId,
        left_ty: TypeId,
        right: hir::ExprId,
        op_span: Span,
    ) -> Option<hir::ExprId> {
        let types = &self.module.types;
        match (types.as_arithmetic(left_ty), types.as_arithmetic(self.ty(right))) {
            (Some((left_scalar, left_count)), Some((right_scalar, right_count)))
                if left_scalar.is_integer()
                    && right_scalar.is_integer()
                    && (left_count == right_count || right_count == 1) =>
            {
                Some(match (left_count, right_count) {
                    (1, 1) => self.promote(right),
                    // Only the low bits of the count matter, and the element type keeps them.
                    (_, 1) => self.convert_arithmetic(right, left_ty),
                    _ => right,
                })
            }
            _ => {
                self.invalid_operands(op, left, right, op_span);
                None
            }
        }
    }

    /// `pointer + index`, `pointer - index`.
    fn pointer_offset(
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
        self.pointer_add(pointer, index, negate, span)
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
            self.report(Diagnostic::new(&E0440, span, message));
        }
        false
    }

    fn pointer_difference(
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
            let diagnostic = Diagnostic::new(&E0345, at, message);
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
                self.report(Diagnostic::new(&W0342, at, message));
                left_pointee.ty
            }
        };
        let pointee = QualType { ty: pointee, quals: Qualifiers { is_restrict: false, ..quals } };
        let ty = self.module.types.pointer(pointee, space);
        Some((self.cast_pointer(left, ty), self.cast_pointer(right, ty)))
    }

    /// A pointer met an integer where two pointers are needed: accepted with a warning, as C
    /// compilers do.
    fn pointer_and_integer(
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
            self.report(Diagnostic::new(&W0342, at, message));
            let (ty, span) = (self.ty(left), self.span(right));
            let right = self.promote(right);
            return Some((left, self.push_expr(ExprKind::IntToPtr(right), ty, span)));
        }
        if self.is_pointer(right) && self.is_integer(left) {
            self.report(Diagnostic::new(&W0342, at, message));
            let (ty, span) = (self.ty(right), self.span(left));
            let left = self.promote(left);
            return Some((self.push_expr(ExprKind::IntToPtr(left), ty, span), right));
        }
        self.report(Diagnostic::new(&E0422, at, message).note("they have no common type"));
        None
    }

    /// The type of a truth value: `int`, or the signed integer vector that matches a vector.
    fn truth_type(&mut self, ty: TypeId) -> TypeId {
        match *self.module.types.get(ty) {
            Type::Vector(element, count) => self.module.types.vector(element.to_signed(), count),
            _ => TypeTable::INT,
        }
    }

    fn compare(
        &mut self,
        op: AstOp,
        kind: CompareOp,
        left: hir::ExprId,
        right: hir::ExprId,
        op_span: Span,
        span: Span,
    ) -> hir::ExprId {
        let operands = if self.is_pointer(left) || self.is_pointer(right) {
            self.common_pointers(left, right, "compared", op_span)
        } else {
            self.common_operands(op, false, left, right, op_span)
        };
        let Some((left, right)) = operands else { return self.error_expr(span) };
        if let (Some((left, scalar)), Some((right, _))) =
            (self.as_constant(left), self.as_constant(right))
        {
            let bits = u64::from(folding::compare(kind, scalar, left, right));
            return self.push_expr(ExprKind::Constant(bits), TypeTable::INT, span);
        }
        let ty = self.truth_type(self.ty(left));
        self.push_expr(ExprKind::Compare { op: kind, left, right }, ty, span)
    }

    fn logical(
        &mut self,
        op: AstOp,
        kind: LogicalOp,
        left: hir::ExprId,
        right: hir::ExprId,
        op_span: Span,
        span: Span,
    ) -> hir::ExprId {
        let types = &self.module.types;
        if types.is_vector(self.ty(left)) || types.is_vector(self.ty(right)) {
            let operands = self.common_operands(op, false, left, right, op_span);
            let Some((left, right)) = operands else { return self.error_expr(span) };
            let ty = self.truth_type(self.ty(left));
            return self.push_expr(ExprKind::Logical { op: kind, left, right }, ty, span);
        }
        let what = match kind {
            LogicalOp::And => "an operand of `&&`",
            LogicalOp::Or => "an operand of `||`",
        };
        let left = self.truth_operand(left, what);
        let right = self.truth_operand(right, what);
        if self.is_error(left) || self.is_error(right) {
            return self.error_expr(span);
        }
        if let Some((bits, scalar)) = self.as_constant(left) {
            let left = folding::is_true(scalar, bits);
            // The left side may settle it.
            let settled = match kind {
                LogicalOp::And => !left,
                LogicalOp::Or => left,
            };
            let right =
                self.as_constant(right).map(|(bits, scalar)| folding::is_true(scalar, bits));
            if let Some(value) = if settled { Some(left) } else { right } {
                return self.push_expr(ExprKind::Constant(value.into()), TypeTable::INT, span);
            }
        }
        self.push_expr(ExprKind::Logical { op: kind, left, right }, TypeTable::INT, span)
    }

    pub(super) fn unary(&mut self, op: AstUnary, operand: ast::ExprId, span: Span) -> hir::ExprId {
        match op {
            AstUnary::PreIncrement => self.increment(operand, true, true, span),
            AstUnary::PreDecrement => self.increment(operand, false, true, span),
            AstUnary::PostIncrement => self.increment(operand, true, false, span),
            AstUnary::PostDecrement => self.increment(operand, false, false, span),
            AstUnary::AddressOf => self.address_of(operand, span),
            AstUnary::Dereference => {
                let pointer = self.value(operand);
                self.dereference(pointer, span)
            }
            AstUnary::Plus => self.unary_arithmetic(None, "+", operand, span),
            AstUnary::Minus => self.unary_arithmetic(Some(UnaryOp::Negate), "-", operand, span),
            AstUnary::BitNot => self.unary_arithmetic(Some(UnaryOp::BitNot), "~", operand, span),
            AstUnary::LogicalNot => self.logical_not(operand, span),
        }
    }

    /// `op` is `None` for `+`.
    fn unary_arithmetic(
        &mut self,
        op: Option<UnaryOp>,
        text: &str,
        operand: ast::ExprId,
        span: Span,
    ) -> hir::ExprId {
        let operand = self.value(operand);
        if self.is_error(operand) {
            return self.error_expr(span);
        }
        let ty = self.ty(operand);
        match self.module.types.as_arithmetic(ty) {
            Some((scalar, _)) if op != Some(UnaryOp::BitNot) || scalar.is_integer() => {}
            _ => {
                let message = format!("`{text}` cannot be applied to `{}`", self.type_text(ty));
                self.report(Diagnostic::new(&E0422, span, message));
                return self.error_expr(span);
            }
        }
        let operand = self.promote(operand);
        let ty = self.ty(operand);
        let Some(op) = op else { return operand };
        if let Some((bits, scalar)) = self.as_constant(operand) {
            let bits = match op {
                UnaryOp::Negate => folding::negate(scalar, bits),
                UnaryOp::BitNot => folding::bit_not(scalar, bits),
                UnaryOp::LogicalNot => u64::from(!folding::is_true(scalar, bits)),
            };
            return self.push_expr(ExprKind::Constant(bits), ty, span);
        }
        self.push_expr(ExprKind::Unary { op, operand }, ty, span)
    }

    fn logical_not(&mut self, operand: ast::ExprId, span: Span) -> hir::ExprId {
        let operand = self.value(operand);
        let operand = if self.module.types.is_vector(self.ty(operand)) {
            operand
        } else {
            self.truth_operand(operand, "the operand of `!`")
        };
        if self.is_error(operand) {
            return self.error_expr(span);
        }
        let ty = self.truth_type(self.ty(operand));
        if let Some((bits, scalar)) = self.as_constant(operand) {
            let bits = u64::from(!folding::is_true(scalar, bits));
            return self.push_expr(ExprKind::Constant(bits), ty, span);
        }
        self.push_expr(ExprKind::Unary { op: UnaryOp::LogicalNot, operand }, ty, span)
    }

    fn address_of(&mut self, operand: ast::ExprId, span: Span) -> hir::ExprId {
        let place = self.expr(operand);
        if self.is_error(place) {
            return self.error_expr(span);
        }
        let ty = self.module.exprs[place].ty;
        if !self.module.is_place(place) {
            let message = format!("a value of type `{}` has no address", self.type_text(ty.ty));
            let diagnostic = Diagnostic::new(&E0424, span, message)
                .note("only objects have addresses: variables, and what pointers point to");
            self.report(diagnostic);
            return self.error_expr(span);
        }
        let why = match (&self.module.exprs[place].kind, self.module.types.get(ty.ty)) {
            // `&*p` is `p` (C99 6.5.3.2).
            (&ExprKind::Deref(pointer), _) => return pointer,
            (ExprKind::Swizzle { .. } | ExprKind::VectorElement { .. }, _) => {
                Some("components of a vector have no address (OpenCL C 6.3.7)")
            }
            (_, Type::Image(..)) => Some("pointers to images are not allowed (OpenCL C 6.11)"),
            (_, Type::Sampler) => Some("pointers to samplers are not allowed (OpenCL C 6.11)"),
            (_, Type::Pipe { .. }) => Some("pointers to pipes are not allowed (OpenCL C 6.11)"),
            _ => None,
        };
        if let Some(why) = why {
            self.report(Diagnostic::new(&E0424, span, why));
            return self.error_expr(span);
        }
        let space = self.module.place_space(place);
        let pointer = self.module.types.pointer(ty, space);
        self.push_expr(ExprKind::AddressOf(place), pointer, span)
    }

    /// `condition ? then : otherwise`, and GNU `condition ?: otherwise`.
    pub(super) fn conditional(
        &mut self,
        condition: ast::ExprId,
        then: Option<ast::ExprId>,
        otherwise: ast::ExprId,
        span: Span,
    ) -> hir::ExprId {
        let mut condition = self.value(condition);
        let then = match then {
            Some(then) => self.value(then),
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
        let otherwise = self.value(otherwise);
        if self.module.types.is_vector(self.ty(condition)) {
            return self.vector_select(condition, then, otherwise, span);
        }
        let condition = self.truth_operand(condition, "the condition of `?:`");
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
    fn conditional_sides(
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
        .label(self.span(then), format!("this is `{then_text}`"))
        .label(self.span(otherwise), format!("this is `{otherwise_text}`"));
        self.report(diagnostic);
        None
    }

    fn conditional_type(
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
            )
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
    fn vector_select(
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
            self.report(Diagnostic::new(&E0423, span, message));
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
                )
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
