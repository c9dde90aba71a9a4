//! What loads and stores of cooperative matrices access.

use clc_builtins::MatrixOp;
use clc_ir::{Const, Function, MatrixType, Module, TypePool, Value};

/// Rows are contiguous, rather than columns.
const ROW_MAJOR: u64 = 0;

/// The matrix that an operation loads or stores, and its layout.
pub(super) fn accessed(
    module: &Module,
    function: &Function,
    op: MatrixOp,
    arguments: &[Value],
    result: Option<Value>,
) -> Option<(MatrixType, u64)> {
    let (matrix, layout) = match (op, arguments) {
        (MatrixOp::Load, &[_, layout, _]) => (result?, layout),
        (MatrixOp::Store, &[_, matrix, layout, _]) => (matrix, layout),
        _ => return None,
    };
    let matrix = module.types.matrix(module.value_type(function, matrix))?;
    let Const::Int(_, layout) = module.consts.get(layout.as_const()?) else { return None };
    Some((matrix, *layout))
}

/// The alignment that pointers and strides have: at least the lesser of 16 bytes and that of what is
/// contiguous, a row or a column (VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986).
pub(super) fn alignment(types: &TypePool, matrix: MatrixType, layout: u64) -> u64 {
    let count = if layout == ROW_MAJOR { matrix.columns } else { matrix.rows };
    let bytes = u64::from(count) * types.size(matrix.element);
    (1 << bytes.trailing_zeros()).min(16)
}
