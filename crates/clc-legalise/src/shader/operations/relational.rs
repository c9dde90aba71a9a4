//! Relational functions (OpenCL C 6.15.6) as comparisons and tests of bits. Where a NaN decides, bits
//! are tested: shaders may take it for granted that there are none.

use clc_builtins::Intrinsic;
use clc_ir::{Type, Value};

use super::code::Code;
use super::conversions::{is_nan, magnitude};

pub(super) fn is_less_greater(c: &mut Code<'_, '_>, [x, y]: [Value; 2], ty: Type) -> Value {
    let (less, greater) = (c.flt(x, y), c.fgt(x, y));
    let condition = c.or(less, greater);
    c.truth(condition, ty)
}

/// `isordered`, and `isunordered` with `unordered`.
pub(super) fn ordered(
    c: &mut Code<'_, '_>,
    [x, y]: [Value; 2],
    ty: Type,
    unordered: bool,
) -> Value {
    let (x, y) = (is_nan(c, x), is_nan(c, y));
    let mut condition = c.or(x, y);
    if !unordered {
        condition = c.not(condition);
    }
    c.truth(condition, ty)
}

/// `isfinite`, `isinf`, `isnan`, `isnormal` and `signbit`.
pub(super) fn class(c: &mut Code<'_, '_>, intrinsic: Intrinsic, value: Value, ty: Type) -> Value {
    let format = c.format_of(value);
    let magnitude = magnitude(c, value);
    let infinity = c.int_like(magnitude, format.infinity());
    let condition = match intrinsic {
        Intrinsic::IsFinite => c.ult(magnitude, infinity),
        Intrinsic::IsInf => c.equal(magnitude, infinity),
        Intrinsic::IsNan => c.ugt(magnitude, infinity),
        Intrinsic::IsNormal => {
            // Below the least normal number this wraps to the largest ones.
            let least = c.int_like(magnitude, format.least_normal());
            let above = c.isub(magnitude, least);
            let range = c.int_like(magnitude, format.infinity() - format.least_normal());
            c.ult(above, range)
        }
        _ => {
            let bits = c.bits(value);
            let zero = c.int_like(bits, 0);
            c.slt(bits, zero)
        }
    };
    c.truth(condition, ty)
}

/// `any` and, with `all`, `all`: of the most significant bits.
pub(super) fn quantifier(c: &mut Code<'_, '_>, value: Value, ty: Type, all: bool) -> Value {
    let mut joined = c.lane(value, 0);
    for lane in 1..c.lanes_of(value) {
        let lane = c.lane(value, lane);
        joined = if all { c.and(joined, lane) } else { c.or(joined, lane) };
    }
    let zero = c.int_like(joined, 0);
    let condition = c.slt(joined, zero);
    c.truth(condition, ty)
}

/// The bits of `y` where those of `mask` are set, otherwise those of `x`.
pub(super) fn bitselect(c: &mut Code<'_, '_>, [x, y, mask]: [Value; 3]) -> Value {
    let ty = c.ty(x);
    let [x, y, mask] = [x, y, mask].map(|value| c.bits(value));
    let differing = c.xor(x, y);
    let taken = c.and(differing, mask);
    let bits = c.xor(x, taken);
    c.bitcast(bits, ty)
}

/// `select(x, y, condition)`: scalars test for anything but zero, vectors the most significant bit.
pub(super) fn select(c: &mut Code<'_, '_>, [x, y, condition]: [Value; 3]) -> Value {
    let zero = c.int_like(condition, 0);
    let condition = if c.lanes_of(condition) == 1 {
        c.not_equal(condition, zero)
    } else {
        c.slt(condition, zero)
    };
    c.select(condition, y, x)
}
