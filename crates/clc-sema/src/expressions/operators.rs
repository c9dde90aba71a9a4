//! Unary, binary and conditional operators (C99 6.5.3, 6.5.5 to 6.5.15; OpenCL C 6.5).

use clc_base::{Diagnostic, Span};
use clc_builtins::Scalar;
use clc_syntax::ast::{self, BinaryOp as AstOp, ExprKind as Ast, UnaryOp as AstUnary};
use smallvec::SmallVec;

use crate::context::Sema;
use crate::diagnostics::expressions::*;
use crate::folding;
use crate::hir::{self, BinaryOp, CompareOp, ExprKind, LogicalOp, UnaryOp};
use crate::types::{Type, TypeId, TypeTable};

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
            Operator::Arithmetic(kind)
                if self.has_matrix(self.ty(left)) || self.has_matrix(self.ty(right)) =>
            {
                match self.matrix_operands(op, kind, left, right, op_span) {
                    Some((left, right)) => {
                        let ty = self.ty(left);
                        self.push_expr(ExprKind::Binary { op: kind, left, right }, ty, span)
                    }
                    None => self.error_expr(span),
                }
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
                self.report(
                    Diagnostic::new(&W0420, op_span, "division by zero").at("the right side is 0"),
                );
            } else if let Some((left_bits, scalar)) = self.as_constant(left)
                && let Some(bits) = folding::binary(op, scalar, left_bits, right_bits)
            {
                if is_shift(op) {
                    self.check_constant_shift(left, right, scalar);
                }
                return self.push_expr(ExprKind::Constant(bits), ty, span);
            }
        }
        self.push_expr(ExprKind::Binary { op, left, right }, ty, span)
    }

    /// Warns of a count that is not below the width, for a shift that folds.
    fn check_constant_shift(&mut self, left: hir::ExprId, right: hir::ExprId, scalar: Scalar) {
        let Some((bits, count)) = self.as_constant(right) else { return };
        let count = folding::integer_value(count, bits);
        if !(0..i128::from(scalar.bits())).contains(&count) {
            let text = self.type_text(self.ty(left));
            let (at, shifted) = (self.span(right), self.span(left));
            let found = crate::lints::shift_diagnostic(count, scalar.bits(), at, shifted, &text);
            self.diagnostics.extend(found);
        }
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
    /// the operands for diagnostics; their types are passed separately.
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
                ).at("both sides need one type")
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

    pub(crate) fn invalid_operands(
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
            .at("not defined for these types")
            .label(self.span(left), format!("this is `{left_text}`"))
            .label(self.span(right), format!("this is `{right_text}`"));
        let types = &self.module.types;
        let float = |ty| types.as_arithmetic(ty).is_some_and(|(scalar, _)| scalar.is_float());
        if float(left_ty) || float(right_ty) {
            diagnostic = match op {
                AstOp::Rem => diagnostic.help("the remainder of floats is `fmod`"),
                AstOp::BitAnd | AstOp::BitOr | AstOp::BitXor | AstOp::Shl | AstOp::Shr => {
                    diagnostic.help("`as_int` and the like return the bits of a float")
                }
                _ => diagnostic,
            };
        }
        if matches!(types.get(left_ty), Type::Atomic(_))
            || matches!(types.get(right_ty), Type::Atomic(_))
        {
            diagnostic =
                diagnostic.help("atomic objects are accessed by `atomic_load` and the like");
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

    /// The type of a boolean: `int`, or the signed integer vector that matches a vector.
    fn boolean_type(&mut self, ty: TypeId) -> TypeId {
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
        let ty = self.boolean_type(self.ty(left));
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
            let ty = self.boolean_type(self.ty(left));
            return self.push_expr(ExprKind::Logical { op: kind, left, right }, ty, span);
        }
        let what = match kind {
            LogicalOp::And => "an operand of `&&`",
            LogicalOp::Or => "an operand of `||`",
        };
        let left = self.boolean_operand(left, what);
        let right = self.boolean_operand(right, what);
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
        if let (Some(op @ UnaryOp::Negate), Some(_)) = (op, self.as_matrix(ty)) {
            return self.push_expr(ExprKind::Unary { op, operand }, ty, span);
        }
        match self.module.types.as_arithmetic(ty) {
            Some((scalar, _)) if op != Some(UnaryOp::BitNot) || scalar.is_integer() => {}
            _ => {
                let message = format!("`{text}` cannot be applied to `{}`", self.type_text(ty));
                self.report(Diagnostic::new(&E0422, span, message).at(
                    if op == Some(UnaryOp::BitNot) {
                        "the operand is not an integer"
                    } else {
                        "the operand is not a number"
                    },
                ));
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
            self.boolean_operand(operand, "the operand of `!`")
        };
        if self.is_error(operand) {
            return self.error_expr(span);
        }
        let ty = self.boolean_type(self.ty(operand));
        if let Some((bits, scalar)) = self.as_constant(operand) {
            let bits = u64::from(!folding::is_true(scalar, bits));
            return self.push_expr(ExprKind::Constant(bits), ty, span);
        }
        self.push_expr(ExprKind::Unary { op: UnaryOp::LogicalNot, operand }, ty, span)
    }
}
