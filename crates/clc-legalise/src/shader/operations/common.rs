//! Common functions (OpenCL C 6.15.4).

use std::f64::consts::PI;

use clc_builtins::Intrinsic;
use clc_ir::Value;

use super::code::Code;

pub(super) fn degrees(c: &mut Code<'_, '_>, radians: Value) -> Value {
    let factor = c.float_like(radians, 180.0 / PI);
    c.fmul(radians, factor)
}

pub(super) fn radians(c: &mut Code<'_, '_>, degrees: Value) -> Value {
    let factor = c.float_like(degrees, PI / 180.0);
    c.fmul(degrees, factor)
}

/// `y` if `low < high`, else `x`.
pub(super) fn extremum(c: &mut Code<'_, '_>, [x, y]: [Value; 2], maximum: bool) -> Value {
    let takes_y = if maximum { c.flt(x, y) } else { c.flt(y, x) };
    c.select(takes_y, y, x)
}

/// `x + (y - x) * a`
pub(super) fn mix(c: &mut Code<'_, '_>, [x, y, amount]: [Value; 3]) -> Value {
    let way = c.fsub(y, x);
    let way = c.fmul(way, amount);
    c.fadd(x, way)
}

pub(super) fn step(c: &mut Code<'_, '_>, [edge, x]: [Value; 2]) -> Value {
    let is_below = c.flt(x, edge);
    let (zero, one) = (c.float_like(x, 0.0), c.float_like(x, 1.0));
    c.select(is_below, zero, one)
}

pub(super) fn smoothstep(c: &mut Code<'_, '_>, [low, high, x]: [Value; 3]) -> Value {
    let (zero, one) = (c.float_like(x, 0.0), c.float_like(x, 1.0));
    let way = c.fsub(x, low);
    let whole = c.fsub(high, low);
    let t = c.fdiv(way, whole);
    let t = c.call_alike(Intrinsic::FClamp, &[t, zero, one]);
    let (two, three) = (c.float_like(x, 2.0), c.float_like(x, 3.0));
    let twice = c.fmul(two, t);
    let rest = c.fsub(three, twice);
    let square = c.fmul(t, t);
    c.fmul(square, rest)
}

/// 1 or -1; zeros stay, and NaN becomes zero.
pub(super) fn sign(c: &mut Code<'_, '_>, x: Value) -> Value {
    let zero = c.float_like(x, 0.0);
    let (one, minus_one) = (c.float_like(x, 1.0), c.float_like(x, -1.0));
    let is_zero = c.feq(x, zero);
    let sign = c.select(is_zero, x, zero);
    let is_positive = c.fgt(x, zero);
    let sign = c.select(is_positive, one, sign);
    let is_negative = c.flt(x, zero);
    c.select(is_negative, minus_one, sign)
}
