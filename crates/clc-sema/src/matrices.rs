//! Cooperative matrices (cl_khr_cooperative_matrix): the attribute that makes the type, where objects of
//! it may be, operators, conversions and calls.

use clc_base::{AddressSpace, Diagnostic, Span, Symbol};
use clc_builtins::{Intrinsic, MatrixOp, MatrixUse, features};
use clc_syntax::ast::{Attribute, AttributeArgument, BinaryOp as AstOp};

use crate::context::{ConversionContext, Sema};
use crate::diagnostics::builtins::*;
use crate::diagnostics::types::*;
use crate::hir::{self, BinaryOp, ExprKind};
use crate::predeclared::SUB_GROUP_SCOPE;
use crate::types::{MatrixType, QualType, Scalar, Type, TypeId, TypeTable};

/// Far more rows or columns than any device has.
const MOST_ROWS: u32 = 1 << 16;

/// A matrix as the operand of a product, for messages.
fn role_name(role: MatrixUse) -> &'static str {
    match role {
        MatrixUse::A => "CLK_COOPERATIVE_MATRIX_A",
        MatrixUse::B => "CLK_COOPERATIVE_MATRIX_B",
        MatrixUse::Accumulator => "CLK_COOPERATIVE_MATRIX_ACCUMULATOR",
    }
}

impl<'a> Sema<'a> {
    /// The matrix that a type is.
    pub(crate) fn as_matrix(&self, ty: TypeId) -> Option<MatrixType> {
        match self.module.types.get(ty) {
            Type::Matrix(matrix) => Some(*matrix),
            _ => None,
        }
    }

    /// Whether a type is a matrix or an array of them.
    pub(crate) fn has_matrix(&self, mut ty: TypeId) -> bool {
        while let Type::Array { element, .. } = self.module.types.get(ty) {
            ty = element.ty;
        }
        matches!(self.module.types.get(ty), Type::Matrix(_) | Type::MatrixOfContext)
    }

    /// `__attribute__((coop_mat(scope, rows, columns, use)))` on a scalar makes a matrix of it.
    pub(crate) fn matrix_attribute(&mut self, attribute: &'a Attribute, ty: QualType) -> QualType {
        if !self.extensions.contains(features::COOPERATIVE_MATRIX) {
            self.require_extension(features::COOPERATIVE_MATRIX, "coop_mat", attribute.span);
            return TypeTable::ERROR.into();
        }
        let [scope, rows, columns, role] = attribute.arguments.as_slice() else {
            let message = "`coop_mat` takes four arguments: scope, rows, columns and use";
            let given = clc_base::diagnostic::counted(attribute.arguments.len(), "argument");
            self.report(
                Diagnostic::new(&E0308, attribute.span, message).at(format!("{given} given")),
            );
            return TypeTable::ERROR.into();
        };
        let element = match self.module.types.get(ty.ty) {
            Type::Scalar(scalar) if *scalar != Scalar::Bool => Some(*scalar),
            Type::Error => None,
            _ => {
                let text = self.type_text(ty.ty);
                let message = format!("there are no cooperative matrices of `{text}`");
                self.report(
                    Diagnostic::new(&E0308, attribute.span, message)
                        .at("the elements are integers or floating-point numbers"),
                );
                None
            }
        };
        let is_known = match element {
            Some(Scalar::Half) => self.require_half(attribute.span),
            _ => true,
        };
        let scope = self.matrix_argument(
            scope,
            attribute.span,
            "the scope of a matrix",
            |value| (value == i128::from(SUB_GROUP_SCOPE)).then_some(()),
            "`memory_scope_sub_group` is the only one",
        );
        let mut extent = |argument, what| {
            self.matrix_argument(
                argument,
                attribute.span,
                what,
                |value| u32::try_from(value).ok().filter(|n| (1..=MOST_ROWS).contains(n)),
                "from 1 to 65536",
            )
        };
        let rows = extent(rows, "the number of rows");
        let columns = extent(columns, "the number of columns");
        let role = self.matrix_argument(
            role,
            attribute.span,
            "the use of a matrix",
            |value| MatrixUse::ALL.get(usize::try_from(value).ok()?).copied(),
            "`CLK_COOPERATIVE_MATRIX_A`, `_B` or `_ACCUMULATOR`",
        );
        let (Some(element), true, Some(()), Some(rows), Some(columns), Some(role)) =
            (element, is_known, scope, rows, columns, role)
        else {
            return TypeTable::ERROR.into();
        };
        let matrix = Type::Matrix(MatrixType { element, rows, columns, role });
        QualType { ty: self.module.types.intern(matrix), quals: ty.quals }
    }

    /// An argument of the attribute: an integer constant that `accept` takes.
    fn matrix_argument<T>(
        &mut self,
        argument: &AttributeArgument,
        span: Span,
        what: &str,
        accept: impl Fn(i128) -> Option<T>,
        allowed: &'static str,
    ) -> Option<T> {
        let AttributeArgument::Expr(e) = argument else {
            let message = format!("{what} is an integer constant, not a type");
            self.report(Diagnostic::new(&E0308, span, message).at("an argument is a type"));
            return None;
        };
        let value = self.integer_constant(*e, what)?.value;
        let accepted = accept(value);
        if accepted.is_none() {
            let span = self.ast.exprs[*e].span;
            let message = format!("{what} cannot be {value}");
            self.report(Diagnostic::new(&E0308, span, message).at(allowed));
        }
        accepted
    }

    /// Reports an object of matrix type that is no private variable; `false` then.
    pub(crate) fn check_matrix_object(
        &mut self,
        ty: TypeId,
        space: AddressSpace,
        span: Span,
    ) -> bool {
        if space == AddressSpace::Private || !self.has_matrix(ty) {
            return true;
        }
        let text = self.type_text(ty);
        let message = format!("a variable of type `{text}` cannot be in `{space}` memory");
        self.report(
            Diagnostic::new(&E0309, span, message)
                .at(format!("in `{space}` memory"))
                .help("declare the matrix in a function; `coop_mat_load` reads it from memory"),
        );
        false
    }

    /// Reports what cannot be done with a matrix; `true` then.
    pub(crate) fn refuse_matrix(&mut self, ty: TypeId, what: &str, span: Span) -> bool {
        let is_matrix = self.has_matrix(ty);
        if is_matrix {
            let text = self.type_text(ty);
            let message = format!("{what} is not defined for `{text}`");
            self.report(
                Diagnostic::new(&E0309, span, message)
                    .at("the work-items of a sub-group have the matrix together"),
            );
        }
        is_matrix
    }

    /// An element of those that this work-item has of a matrix.
    pub(crate) fn matrix_element(
        &mut self,
        base: hir::ExprId,
        index: hir::ExprId,
        matrix: MatrixType,
        span: Span,
    ) -> hir::ExprId {
        // A value has elements as a variable that holds it.
        let base = self.materialize(base);
        let quals = self.module.exprs[base].ty.quals;
        let index = self.promote(index);
        let ty = QualType { ty: self.module.types.scalar(matrix.element), quals };
        self.push_expr(ExprKind::VectorElement { base, index }, ty, span)
    }

    /// The operands of an operator one of which is a matrix: two matrices of one type, or a matrix and
    /// a scalar that multiplies it. Reports others.
    pub(crate) fn matrix_operands(
        &mut self,
        op: AstOp,
        kind: BinaryOp,
        left: hir::ExprId,
        right: hir::ExprId,
        op_span: Span,
    ) -> Option<(hir::ExprId, hir::ExprId)> {
        let by_element =
            matches!(kind, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div);
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        let of_context = |ty: TypeId| matches!(self.module.types.get(ty), Type::MatrixOfContext);
        if of_context(left_ty) || of_context(right_ty) {
            // Reported as what it is, a matrix of no known type.
            return None;
        }
        match (self.as_matrix(left_ty), self.as_matrix(right_ty)) {
            (Some(_), Some(_)) if by_element && left_ty == right_ty => Some((left, right)),
            (Some(_), None) if self.scales(kind, right_ty) => {
                Some((left, self.matrix_of_scalar(right, left_ty)?))
            }
            (None, Some(_)) if self.scales(kind, left_ty) => {
                Some((self.matrix_of_scalar(left, right_ty)?, right))
            }
            _ => {
                self.invalid_operands(op, left, right, op_span);
                None
            }
        }
    }

    fn scales(&self, kind: BinaryOp, scalar: TypeId) -> bool {
        kind == BinaryOp::Mul && self.module.types.as_scalar(scalar).is_some()
    }

    /// A scalar as a matrix whose elements it is.
    fn matrix_of_scalar(&mut self, scalar: hir::ExprId, ty: TypeId) -> Option<hir::ExprId> {
        let matrix = self.as_matrix(ty)?;
        let span = self.span(scalar);
        let element = self.module.types.scalar(matrix.element);
        let scalar = self.implicit_convert(scalar, element, ConversionContext::Initialization);
        if self.is_error(scalar) {
            return None;
        }
        Some(self.push_expr(ExprKind::Splat(scalar), ty, span))
    }

    /// A call of a function of matrices. `arguments` have the types that the overload asks for.
    pub(crate) fn matrix_call(
        &mut self,
        op: MatrixOp,
        name: Symbol,
        mut arguments: Vec<hir::ExprId>,
        span: Span,
    ) -> Option<hir::ExprId> {
        let ty = match op {
            MatrixOp::Load => {
                arguments[1] = self.matrix_layout(arguments[1])?;
                self.module.types.intern(Type::MatrixOfContext)
            }
            MatrixOp::Store => {
                arguments[2] = self.matrix_layout(arguments[2])?;
                let matrix = self.as_matrix(self.ty(arguments[1]))?;
                self.check_matrix_pointer(arguments[0], matrix, self.ty(arguments[1]))?;
                TypeTable::VOID
            }
            MatrixOp::MulAdd => {
                self.check_product(name, &arguments, span)?;
                if let Some(operands) = arguments.get(3).copied() {
                    let c = self.as_matrix(self.ty(arguments[2]))?;
                    arguments[3] = self.matrix_constant(
                        operands,
                        |value| {
                            value == 0 || value == MatrixOp::SATURATING && !c.element.is_float()
                        },
                        "the operands of a product",
                        "only sums of integers saturate",
                    )?;
                }
                self.ty(arguments[2])
            }
            MatrixOp::Fill => self.module.types.intern(Type::MatrixOfContext),
            MatrixOp::Length => TypeTable::UINT,
            MatrixOp::Add
            | MatrixOp::Subtract
            | MatrixOp::Multiply
            | MatrixOp::Divide
            | MatrixOp::Negate
            | MatrixOp::Convert => return None,
        };
        let kind =
            ExprKind::Intrinsic { intrinsic: Intrinsic::Matrix(op), arguments: arguments.into() };
        let call = self.push_expr(kind, ty, span);
        if matches!(self.module.types.get(ty), Type::MatrixOfContext) {
            self.matrices_of_context.push(call);
        }
        Some(call)
    }

    fn matrix_layout(&mut self, layout: hir::ExprId) -> Option<hir::ExprId> {
        self.matrix_constant(
            layout,
            |value| value <= 1,
            "the layout of a matrix in memory",
            "`CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR` or `_COLUMN_MAJOR`",
        )
    }

    /// An argument that must be a constant which `accept` takes.
    fn matrix_constant(
        &mut self,
        argument: hir::ExprId,
        accept: impl Fn(u64) -> bool,
        what: &str,
        allowed: &'static str,
    ) -> Option<hir::ExprId> {
        let hir::Expr { ty, span, .. } = self.module.exprs[argument];
        match self.as_constant(argument) {
            Some((bits, _)) if accept(bits) => {
                Some(self.push_expr(ExprKind::Constant(bits), ty, span))
            }
            found => {
                let message = match found {
                    Some((bits, _)) => format!("{what} cannot be {}", bits as u32 as i32),
                    None => format!("{what} must be a constant"),
                };
                self.report(Diagnostic::new(&E0512, span, message).at(allowed));
                None
            }
        }
    }

    /// Memory that a matrix is loaded from or stored to has elements of its type.
    fn check_matrix_pointer(
        &mut self,
        pointer: hir::ExprId,
        matrix: MatrixType,
        ty: TypeId,
    ) -> Option<()> {
        let (pointee, _) = self.module.types.as_pointer(self.ty(pointer))?;
        if pointee.ty == self.module.types.scalar(matrix.element) {
            return Some(());
        }
        let (text, element) = (self.type_text(ty), matrix.element.name());
        let message = format!("`{text}` needs a pointer to `{element}`, its elements");
        let given = self.type_text(self.ty(pointer));
        self.report(
            Diagnostic::new(&E0512, self.span(pointer), message).at(format!("this is `{given}`")),
        );
        None
    }

    /// The three matrices of `a * b + c`.
    fn check_product(&mut self, name: Symbol, arguments: &[hir::ExprId], span: Span) -> Option<()> {
        let mut matrices =
            [MatrixType { element: Scalar::Float, rows: 0, columns: 0, role: MatrixUse::A }; 3];
        for ((matrix, &argument), role) in matrices.iter_mut().zip(arguments).zip(MatrixUse::ALL) {
            *matrix = self.as_matrix(self.ty(argument))?;
            if matrix.role != role {
                let (wanted, given) = (role_name(role), role_name(matrix.role));
                let name = self.interner.resolve(name);
                let message = format!("this operand of `{name}` must have the use `{wanted}`");
                self.report(
                    Diagnostic::new(&E0512, self.span(argument), message)
                        .at(format!("this has the use `{given}`")),
                );
                return None;
            }
        }
        let [a, b, c] = matrices;
        let why = if a.columns != b.rows || a.rows != c.rows || b.columns != c.columns {
            "their sizes must be M×K, K×N and M×N"
        } else if a.element.is_float() != c.element.is_float()
            || a.element.is_float() && a.element != b.element
            || a.element.to_signed() != b.element.to_signed()
            || a.element.size() > c.element.size()
        {
            "the factors have elements of one type, and the sum of that kind, no narrower"
        } else {
            return Some(());
        };
        let mut diagnostic =
            Diagnostic::new(&E0512, span, "these matrices have no product").at(why);
        for &argument in &arguments[..3] {
            let text = self.type_text(self.ty(argument));
            diagnostic = diagnostic.label(self.span(argument), format!("this is `{text}`"));
        }
        self.report(diagnostic);
        None
    }

    /// Gives a call whose result is a matrix of its context the type `ty` of what it becomes.
    pub(crate) fn matrix_of_context(&mut self, call: hir::ExprId, ty: TypeId) -> hir::ExprId {
        let span = self.span(call);
        let failed = self.error_expr(span);
        let Some(matrix) = self.as_matrix(ty) else { return failed };
        let ExprKind::Intrinsic { intrinsic: Intrinsic::Matrix(op), arguments } =
            &self.module.exprs[call].kind
        else {
            return failed;
        };
        let op = *op;
        let first = arguments[0];
        if op == MatrixOp::Fill {
            let element = self.module.types.scalar(matrix.element);
            let value = self.implicit_convert(first, element, ConversionContext::Initialization);
            if self.is_error(value) {
                self.module.exprs[call].ty = TypeTable::ERROR.into();
                return failed;
            }
            self.module.exprs[call].kind =
                ExprKind::Intrinsic { intrinsic: Intrinsic::Matrix(op), arguments: [value].into() };
        } else if self.check_matrix_pointer(first, matrix, ty).is_none() {
            self.module.exprs[call].ty = TypeTable::ERROR.into();
            return failed;
        }
        self.module.exprs[call].ty = ty.into();
        call
    }

    /// Reports the calls whose results did not become matrices of any type.
    pub(crate) fn check_matrices_of_context(&mut self) {
        for call in std::mem::take(&mut self.matrices_of_context) {
            if !matches!(self.module.types.get(self.ty(call)), Type::MatrixOfContext) {
                continue;
            }
            self.module.exprs[call].ty = TypeTable::ERROR.into();
            let message = "the type of this matrix is not known";
            self.report(
                Diagnostic::new(&E0513, self.span(call), message)
                    .at("nothing here says which matrix it becomes")
                    .help("assign it to a variable, pass it as an argument, return it, or cast it"),
            );
        }
    }
}
