//! Cooperative matrices (cl_khr_cooperative_matrix). Elements, shapes and uses are the arguments':
//! whoever calls checks that they go together, and knows the type of the result.

use crate::Intrinsic::Matrix;
use crate::MatrixOp;
use crate::guard::COOPERATIVE_MATRIX;
use crate::table::{ALL, GLOBAL, LOCAL, NONE, Row, SCALAR, f};

pub(super) const ROWS: &[Row] = &[
    f("coop_mat_load", "matrix(const any*, int, size)", NONE, Matrix(MatrixOp::Load))
        .spaces(GLOBAL | LOCAL)
        .when(COOPERATIVE_MATRIX),
    f("coop_mat_store", "void(any*, matrix, int, size)", NONE, Matrix(MatrixOp::Store))
        .spaces(GLOBAL | LOCAL)
        .when(COOPERATIVE_MATRIX),
    f("coop_mat_mulAdd", "matrix(matrix, matrix, matrix)", NONE, Matrix(MatrixOp::MulAdd))
        .when(COOPERATIVE_MATRIX),
    f("coop_mat_mulAdd", "matrix(matrix, matrix, matrix, int)", NONE, Matrix(MatrixOp::MulAdd))
        .when(COOPERATIVE_MATRIX),
    f("coop_mat_init", "matrix(T)", ALL, Matrix(MatrixOp::Fill))
        .widths(SCALAR)
        .when(COOPERATIVE_MATRIX),
    f("coop_mat_length", "uint(matrix)", NONE, Matrix(MatrixOp::Length)).when(COOPERATIVE_MATRIX),
];
