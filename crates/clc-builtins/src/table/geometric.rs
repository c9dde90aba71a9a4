//! Geometric functions (OpenCL C 6.15.5).

use crate::Intrinsic::*;
use crate::table::{Elements, FLOAT, FLOATS, Row, SCALAR, f};
use crate::types::Scalar;

const UP_TO_4: u32 = SCALAR | 1 << 2 | 1 << 3 | 1 << 4;
const CROSS: u32 = 1 << 3 | 1 << 4;

const HALF: Elements = Elements::of(&[Scalar::Half]);
const DOUBLE: Elements = Elements::of(&[Scalar::Double]);

/// A row for each element type, because the result is the element type.
pub(super) const ROWS: &[Row] = &[
    f("cross", "T(T, T)", FLOATS, Cross).widths(CROSS),
    f("dot", "float(T, T)", FLOAT, Dot).widths(UP_TO_4),
    f("dot", "double(T, T)", DOUBLE, Dot).widths(UP_TO_4),
    f("dot", "half(T, T)", HALF, Dot).widths(UP_TO_4),
    f("distance", "float(T, T)", FLOAT, Distance).widths(UP_TO_4),
    f("distance", "double(T, T)", DOUBLE, Distance).widths(UP_TO_4),
    f("distance", "half(T, T)", HALF, Distance).widths(UP_TO_4),
    f("length", "float(T)", FLOAT, Length).widths(UP_TO_4),
    f("length", "double(T)", DOUBLE, Length).widths(UP_TO_4),
    f("length", "half(T)", HALF, Length).widths(UP_TO_4),
    f("normalize", "T(T)", FLOATS, Normalize).widths(UP_TO_4),
    f("fast_distance", "float(T, T)", FLOAT, FastDistance).widths(UP_TO_4),
    f("fast_length", "float(T)", FLOAT, FastLength).widths(UP_TO_4),
    f("fast_normalize", "T(T)", FLOAT, FastNormalize).widths(UP_TO_4),
];
