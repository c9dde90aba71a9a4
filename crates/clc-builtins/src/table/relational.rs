//! Relational functions (OpenCL C 6.15.6).

use crate::Intrinsic::*;
use crate::table::{ALL, FLOATS, Row, SIGNED, f};

pub(super) const ROWS: &[Row] = &[
    f("isequal", "rel(T, T)", FLOATS, IsEqual),
    f("isnotequal", "rel(T, T)", FLOATS, IsNotEqual),
    f("isgreater", "rel(T, T)", FLOATS, IsGreater),
    f("isgreaterequal", "rel(T, T)", FLOATS, IsGreaterEqual),
    f("isless", "rel(T, T)", FLOATS, IsLess),
    f("islessequal", "rel(T, T)", FLOATS, IsLessEqual),
    f("islessgreater", "rel(T, T)", FLOATS, IsLessGreater),
    f("isfinite", "rel(T)", FLOATS, IsFinite),
    f("isinf", "rel(T)", FLOATS, IsInf),
    f("isnan", "rel(T)", FLOATS, IsNan),
    f("isnormal", "rel(T)", FLOATS, IsNormal),
    f("isordered", "rel(T, T)", FLOATS, IsOrdered),
    f("isunordered", "rel(T, T)", FLOATS, IsUnordered),
    f("signbit", "rel(T)", FLOATS, Signbit),
    f("any", "int(T)", SIGNED, Any),
    f("all", "int(T)", SIGNED, All),
    f("bitselect", "T(T, T, T)", ALL, Bitselect),
    f("select", "T(T, T, sT)", ALL, Select),
    f("select", "T(T, T, uT)", ALL, Select),
];
