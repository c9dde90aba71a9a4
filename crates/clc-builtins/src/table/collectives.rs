//! Work-group collective functions (OpenCL C 6.15.16).

use crate::Intrinsic::{self, *};
use crate::guard::{COLLECTIVES, UNIFORM_ARITHMETIC};
use crate::table::{Elements, FLOATS, INT, INT_LONG, NONE, Row, SCALAR, UINT_ULONG, f};
use crate::{GroupOp, GroupOperation};

/// 32-bit and 64-bit integers, and floats.
const VALUES: Elements = INT_LONG.union(UINT_ULONG).union(FLOATS);
const INTEGERS: Elements = INT_LONG.union(UINT_ULONG);

pub(super) const ROWS: &[Row] = &[
    f("work_group_all", "int(int)", NONE, WorkGroupAll).when(COLLECTIVES),
    f("work_group_any", "int(int)", NONE, WorkGroupAny).when(COLLECTIVES),
    f("work_group_broadcast", "T(T, size)", VALUES, WorkGroupBroadcast)
        .widths(SCALAR)
        .when(COLLECTIVES),
    f("work_group_broadcast", "T(T, size, size)", VALUES, WorkGroupBroadcast)
        .widths(SCALAR)
        .when(COLLECTIVES),
    f("work_group_broadcast", "T(T, size, size, size)", VALUES, WorkGroupBroadcast)
        .widths(SCALAR)
        .when(COLLECTIVES),
];

const fn group(operation: GroupOperation, op: GroupOp) -> Intrinsic {
    WorkGroup(operation, op)
}

/// For each operator its reduction and its scans.
macro_rules! arithmetic {
    ($($operator:literal, $elements:ident, $op:ident, $guard:ident;)*) => {
        &[$(
            f(concat!("work_group_reduce_", $operator), "T(T)", $elements, group(GroupOperation::Reduce, GroupOp::$op)).widths(SCALAR).when($guard),
            f(concat!("work_group_scan_inclusive_", $operator), "T(T)", $elements, group(GroupOperation::InclusiveScan, GroupOp::$op)).widths(SCALAR).when($guard),
            f(concat!("work_group_scan_exclusive_", $operator), "T(T)", $elements, group(GroupOperation::ExclusiveScan, GroupOp::$op)).widths(SCALAR).when($guard),
        )*]
    };
}

pub(super) const ARITHMETIC_ROWS: &[Row] = arithmetic! {
    "add", INTEGERS, IAdd, COLLECTIVES;
    "add", FLOATS, FAdd, COLLECTIVES;
    "min", INT_LONG, SMin, COLLECTIVES;
    "min", UINT_ULONG, UMin, COLLECTIVES;
    "min", FLOATS, FMin, COLLECTIVES;
    "max", INT_LONG, SMax, COLLECTIVES;
    "max", UINT_ULONG, UMax, COLLECTIVES;
    "max", FLOATS, FMax, COLLECTIVES;
    "mul", INTEGERS, IMul, UNIFORM_ARITHMETIC;
    "mul", FLOATS, FMul, UNIFORM_ARITHMETIC;
    "and", INTEGERS, And, UNIFORM_ARITHMETIC;
    "or", INTEGERS, Or, UNIFORM_ARITHMETIC;
    "xor", INTEGERS, Xor, UNIFORM_ARITHMETIC;
    "logical_and", INT, LogicalAnd, UNIFORM_ARITHMETIC;
    "logical_or", INT, LogicalOr, UNIFORM_ARITHMETIC;
    "logical_xor", INT, LogicalXor, UNIFORM_ARITHMETIC;
};
