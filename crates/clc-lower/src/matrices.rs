//! Cooperative matrices: operators and conversions as operations on whole matrices.

use clc_builtins::{Intrinsic, MatrixOp};
use clc_ir::{Type, Value};
use clc_sema::hir;
use clc_sema::types as source;
use clc_sema::types::TypeId;

use crate::module::FunctionLowering;

impl FunctionLowering<'_, '_> {
    pub fn is_matrix(&self, ty: TypeId) -> bool {
        matches!(self.types().get(ty), source::Type::Matrix(_))
    }

    /// An operation whose result is a matrix.
    pub fn matrix(&mut self, op: MatrixOp, operands: &[Value], ty: Type) -> Value {
        let result = self.build(|b| b.intrinsic(Intrinsic::Matrix(op), operands, ty));
        result.expect("the operation has a result")
    }

    /// `left op right` on two matrices of one type, element by element.
    pub fn matrix_arithmetic(&mut self, op: hir::BinaryOp, left: Value, right: Value) -> Value {
        let ty = self.value_type(left);
        let op = match op {
            hir::BinaryOp::Add => MatrixOp::Add,
            hir::BinaryOp::Sub => MatrixOp::Subtract,
            hir::BinaryOp::Mul => MatrixOp::Multiply,
            hir::BinaryOp::Div => MatrixOp::Divide,
            hir::BinaryOp::Rem
            | hir::BinaryOp::Shl
            | hir::BinaryOp::Shr
            | hir::BinaryOp::And
            | hir::BinaryOp::Or
            | hir::BinaryOp::Xor => unreachable!("matrices do not have the operator"),
        };
        self.matrix(op, &[left, right], ty)
    }
}
