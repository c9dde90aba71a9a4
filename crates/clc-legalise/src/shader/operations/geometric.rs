//! Geometric functions (OpenCL C 6.15.5).

use clc_builtins::Intrinsic;
use clc_ir::{ConvertOp, MathFlags, TypePool, Value};

use super::code::Code;
use super::conversions::magnitude;
use super::formats::Format;

pub(super) fn cross(c: &mut Code<'_, '_>, [x, y]: [Value; 2]) -> Value {
    // A fourth component is zero: the difference of two equal products.
    let lanes = usize::from(c.lanes_of(x));
    let rotated =
        |c: &mut Code<'_, '_>, value, order: [u32; 4]| c.shuffle(value, value, &order[..lanes]);
    let (next, last) = ([1, 2, 0, 3], [2, 0, 1, 3]);
    let (x_next, y_last) = (rotated(c, x, next), rotated(c, y, last));
    let (x_last, y_next) = (rotated(c, x, last), rotated(c, y, next));
    let left = c.fmul(x_next, y_last);
    let right = c.fmul(x_last, y_next);
    let result = c.fsub(left, right);
    if lanes == 3 {
        return result;
    }
    let zero = c.types.scalar(c.ty(result));
    let zero = c.zero(zero);
    c.insert(result, zero, &[3])
}

/// How large a vector is, and what keeps squares of its components in range.
struct Scale {
    /// The bits of the largest magnitude of the components.
    largest: Value,
    /// A power of two with which that is between 1 and 4, if it is a normal number.
    factor: Value,
    /// The same to the power of -1.
    inverse: Value,
}

/// No sum of squares overflows with the factor, and what underflows counts for nothing in it.
fn scale(c: &mut Code<'_, '_>, vector: Value) -> Scale {
    let format = c.format_of(vector);
    let magnitudes = magnitude(c, vector);
    // Magnitudes are ordered as their bits are.
    let mut largest = c.lane(magnitudes, 0);
    for lane in 1..c.lanes_of(vector) {
        let lane = c.lane(magnitudes, lane);
        largest = c.umax(largest, lane);
    }
    let scalar = c.types.scalar(c.ty(vector));
    // Exponents from the least normal number's to one that has a reciprocal: the sum of both is that of the largest number.
    let one = format.least_normal();
    let mask = c.int_like(largest, format.infinity());
    let exponent = c.and(largest, mask);
    let (least, most) =
        (c.int_like(largest, one), c.int_like(largest, format.infinity() - 2 * one));
    let exponent = c.umax(exponent, least);
    let exponent = c.umin(exponent, most);
    let sum = c.int_like(largest, format.infinity() - one);
    let factor = c.isub(sum, exponent);
    let (factor, inverse) = (c.bitcast(factor, scalar), c.bitcast(exponent, scalar));
    Scale { largest, factor, inverse }
}

/// `f` of a value of a type where nothing overflows: halves go as floats.
fn in_wider(
    c: &mut Code<'_, '_>,
    value: Value,
    f: impl Fn(&mut Code<'_, '_>, Value) -> Value,
) -> Value {
    if c.format_of(value) != Format::HALF {
        return f(c, value);
    }
    let ty = c.ty(value);
    let wide = c.types.with_scalar(ty, TypePool::F32);
    let wide = c.convert(ConvertOp::FToF, value, wide);
    let result = f(c, wide);
    let half = c.ty(result);
    let half = c.types.with_scalar(half, TypePool::F16);
    c.convert(ConvertOp::FToF, result, half)
}

fn dot(c: &mut Code<'_, '_>, x: Value, y: Value) -> Value {
    if c.lanes_of(x) == 1 {
        return c.fmul(x, y);
    }
    let scalar = c.types.scalar(c.ty(x));
    c.call(Intrinsic::Dot, &[x, y], scalar)
}

fn times(c: &mut Code<'_, '_>, vector: Value, scalar: Value) -> Value {
    let ty = c.ty(vector);
    let scalars = c.splat(ty, scalar);
    c.fmul(vector, scalars)
}

fn absolute(c: &mut Code<'_, '_>, value: Value) -> Value {
    let ty = c.ty(value);
    let bits = magnitude(c, value);
    c.bitcast(bits, ty)
}

pub(super) fn length(c: &mut Code<'_, '_>, vector: Value) -> Value {
    if c.lanes_of(vector) == 1 {
        return absolute(c, vector);
    }
    let was_half = c.format_of(vector) == Format::HALF;
    in_wider(c, vector, |c, vector| {
        if was_half {
            let square = dot(c, vector, vector);
            return c.call_alike(Intrinsic::Sqrt, &[square]);
        }
        let scale = scale(c, vector);
        let vector = times(c, vector, scale.factor);
        let square = dot(c, vector, vector);
        let length = c.call_alike(Intrinsic::Sqrt, &[square]);
        c.fmul(length, scale.inverse)
    })
}

pub(super) fn distance(c: &mut Code<'_, '_>, [x, y]: [Value; 2]) -> Value {
    let way = c.fsub(x, y);
    length(c, way)
}

/// A vector of length 1. Zeros stay; of a vector with infinite components these alone count
/// (OpenCL C 7.5.1), and NaN makes all components NaN.
pub(super) fn normalize(c: &mut Code<'_, '_>, vector: Value) -> Value {
    let was_half = c.format_of(vector) == Format::HALF;
    in_wider(c, vector, |c, vector| {
        let ty = c.ty(vector);
        let Scale { largest, factor, .. } = scale(c, vector);
        let vector = match c.math.has(MathFlags::NOT_INF) {
            true => vector,
            false => {
                let exponent = if was_half { 0 } else { c.format_of(vector).bias() as i32 - 1 };
                without_infinities(c, vector, largest, exponent)
            }
        };
        // What a factor below one takes from the bits of a component its quotient has no bits for.
        let scaled = if was_half { vector } else { times(c, vector, factor) };
        let square = dot(c, scaled, scaled);
        let (zero, one) = (c.float_like(square, 0.0), c.float_like(square, 1.0));
        let is_zero = c.feq(square, zero);
        let square = c.select(is_zero, one, square);
        let length = c.call_alike(Intrinsic::Sqrt, &[square]);
        let lengths = c.splat(ty, length);
        c.fdiv(scaled, lengths)
    })
}

/// With two to the power of `exponent` in place of infinities and zeros in place of numbers, if `largest` are the bits of
/// infinity.
fn without_infinities(c: &mut Code<'_, '_>, vector: Value, largest: Value, exponent: i32) -> Value {
    let format = c.format_of(vector);
    let (ty, bits, magnitudes) = (c.ty(vector), c.bits(vector), magnitude(c, vector));
    let infinity = c.int_like(largest, format.infinity());
    let is_infinite = c.equal(largest, infinity);
    let infinity = c.int_like(bits, format.infinity());
    let are_infinite = c.equal(magnitudes, infinity);
    let ones = c.int_like(bits, format.power_of_two(exponent));
    let zeros = c.int_like(bits, 0);
    let ones = c.select(are_infinite, ones, zeros);
    let sign = c.int_like(bits, format.sign_bit());
    let sign = c.and(bits, sign);
    let ones = c.or(ones, sign);
    let is_infinite = splat_condition(c, is_infinite, vector);
    let bits = c.select(is_infinite, ones, bits);
    c.bitcast(bits, ty)
}

/// A boolean for each component of `like`.
fn splat_condition(c: &mut Code<'_, '_>, condition: Value, like: Value) -> Value {
    let bools = c.bool_type(like);
    c.splat(bools, condition)
}

pub(super) fn fast_length(c: &mut Code<'_, '_>, vector: Value) -> Value {
    if c.lanes_of(vector) == 1 {
        return absolute(c, vector);
    }
    let square = dot(c, vector, vector);
    c.call_alike(Intrinsic::HalfSqrt, &[square])
}

pub(super) fn fast_distance(c: &mut Code<'_, '_>, [x, y]: [Value; 2]) -> Value {
    let way = c.fsub(x, y);
    fast_length(c, way)
}

/// Where the sum of squares is zero the vector stays.
pub(super) fn fast_normalize(c: &mut Code<'_, '_>, vector: Value) -> Value {
    let square = dot(c, vector, vector);
    let factor = c.call_alike(Intrinsic::HalfRsqrt, &[square]);
    let unit = times(c, vector, factor);
    let zero = c.float_like(square, 0.0);
    let is_zero = c.feq(square, zero);
    let is_zero = splat_condition(c, is_zero, vector);
    c.select(is_zero, vector, unit)
}
