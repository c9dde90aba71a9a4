//! Functions that give two results, the second through a pointer (OpenCL C 6.15.2).

use clc_builtins::Intrinsic;
use clc_ir::{ConvertOp, MemFlags, MemoryAccess, Value};

use super::code::Code;
use super::conversions::magnitude;

fn store(c: &mut Code<'_, '_>, pointer: Value, value: Value) {
    let align = c.types.align(c.ty(value)) as u32;
    c.store(pointer, value, MemoryAccess { align, flags: MemFlags::default() });
}

/// The sign of `sign` on the bits of `magnitude`, which has none; as the type of `sign`.
fn with_sign(c: &mut Code<'_, '_>, magnitude: Value, sign: Value) -> Value {
    let (ty, format) = (c.ty(sign), c.format_of(sign));
    let sign = c.bits(sign);
    let mask = c.int_like(sign, format.sign_bit());
    let sign = c.and(sign, mask);
    let bits = c.or(magnitude, sign);
    c.bitcast(bits, ty)
}

/// What follows the whole part of `x`: `x - whole`, and a zero with the sign of `x` where that is
/// infinite.
fn fraction(c: &mut Code<'_, '_>, x: Value, whole: Value) -> Value {
    let format = c.format_of(x);
    let difference = c.fsub(x, whole);
    let bits = magnitude(c, x);
    let infinity = c.int_like(bits, format.infinity());
    let is_infinite = c.equal(bits, infinity);
    let zero = c.int_like(bits, 0);
    let zero = with_sign(c, zero, x);
    c.select(is_infinite, zero, difference)
}

/// `modf(x, whole)`: both parts have the sign of `x`.
pub(super) fn modf(c: &mut Code<'_, '_>, [x, pointer]: [Value; 2]) -> Value {
    let whole = c.call_alike(Intrinsic::Trunc, &[x]);
    store(c, pointer, whole);
    let fraction = fraction(c, x, whole);
    let bits = magnitude(c, fraction);
    with_sign(c, bits, x)
}

/// `fract(x, floor)`: `fmin(x - floor(x), 0x1.fffffep-1)`.
pub(super) fn fract(c: &mut Code<'_, '_>, [x, pointer]: [Value; 2]) -> Value {
    let whole = c.call_alike(Intrinsic::Floor, &[x]);
    store(c, pointer, whole);
    let fraction = fraction(c, x, whole);
    let ty = c.ty(x);
    let below_one = c.format_of(x).power_of_two(0) - 1;
    let below_one = c.float_bits(ty, below_one);
    // Not `fmin`, which would make a number of NaN.
    let is_one = c.fgt(fraction, below_one);
    let fraction = c.select(is_one, below_one, fraction);
    // Zeros keep their sign. Not so numbers that a comparison of floats may take for zero.
    let bits = magnitude(c, x);
    let zero = c.int_like(bits, 0);
    let is_zero = c.equal(bits, zero);
    c.select(is_zero, x, fraction)
}

/// `copysign(x, y)`, in integers: conversions and arithmetic may lose the sign of NaN.
pub(super) fn copysign(c: &mut Code<'_, '_>, [x, y]: [Value; 2]) -> Value {
    let bits = magnitude(c, x);
    with_sign(c, bits, y)
}

/// `frexp(x, exponent)`: zeros, infinities and NaN are their own significand, with exponent zero.
pub(super) fn frexp(c: &mut Code<'_, '_>, [x, pointer]: [Value; 2]) -> Value {
    let (ty, format) = (c.ty(x), c.format_of(x));
    let bits = magnitude(c, x);
    // A subnormal number is a whole multiple of the least one; as a float of its own that is normal.
    let whole = c.convert(ConvertOp::UToF, bits, ty);
    let whole = c.bits(whole);
    let least_normal = c.int_like(bits, format.least_normal());
    let is_subnormal = c.ult(bits, least_normal);
    let normal = c.select(is_subnormal, whole, bits);
    let exponent = c.lshr(normal, format.mantissa);
    // Significands are from one half to one.
    let bias = format.bias() - 1;
    let subnormal_bias = bias + format.bias() - 1 + u64::from(format.mantissa);
    let (bias, subnormal_bias) = (c.int_like(bits, bias), c.int_like(bits, subnormal_bias));
    let bias = c.select(is_subnormal, subnormal_bias, bias);
    let exponent = c.isub(exponent, bias);
    let mask = c.int_like(bits, format.mantissa_mask());
    let digits = c.and(normal, mask);
    let half = c.int_like(bits, format.power_of_two(-1));
    let digits = c.or(digits, half);
    let significand = with_sign(c, digits, x);
    // Neither zero, infinity nor NaN.
    let one = c.int_like(bits, 1);
    let below = c.isub(bits, one);
    let range = c.int_like(bits, format.infinity() - 1);
    let is_number = c.ult(below, range);
    let zero = c.int_like(bits, 0);
    let exponent = c.select(is_number, exponent, zero);
    let exponent = c.sign_extended(exponent, 32);
    store(c, pointer, exponent);
    c.select(is_number, significand, x)
}

pub(super) fn sincos(c: &mut Code<'_, '_>, [x, pointer]: [Value; 2]) -> Value {
    let sine = c.call_alike(Intrinsic::Sin, &[x]);
    let cosine = c.call_alike(Intrinsic::Cos, &[x]);
    store(c, pointer, cosine);
    sine
}
