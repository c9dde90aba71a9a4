//! Common functions (OpenCL C 6.15.4).

use crate::Intrinsic::*;
use crate::table::{FLOATS, Row, VECTORS, f};

pub(super) const ROWS: &[Row] = &[
    f("clamp", "T(T, T, T)", FLOATS, FClamp),
    f("clamp", "T(T, S, S)", FLOATS, FClamp).widths(VECTORS),
    f("degrees", "T(T)", FLOATS, Degrees),
    f("max", "T(T, T)", FLOATS, FMaxCommon),
    f("max", "T(T, S)", FLOATS, FMaxCommon).widths(VECTORS),
    f("min", "T(T, T)", FLOATS, FMinCommon),
    f("min", "T(T, S)", FLOATS, FMinCommon).widths(VECTORS),
    f("mix", "T(T, T, T)", FLOATS, Mix),
    f("mix", "T(T, T, S)", FLOATS, Mix).widths(VECTORS),
    f("radians", "T(T)", FLOATS, Radians),
    f("step", "T(T, T)", FLOATS, Step),
    f("step", "T(S, T)", FLOATS, Step).widths(VECTORS),
    f("smoothstep", "T(T, T, T)", FLOATS, Smoothstep),
    f("smoothstep", "T(S, S, T)", FLOATS, Smoothstep).widths(VECTORS),
    f("sign", "T(T)", FLOATS, Sign),
];
