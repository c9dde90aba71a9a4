//! Geometric functions (OpenCL C 6.15.5).

use clc_builtins::Intrinsic;
use clc_ir::{ConvertOp, Type, TypePool, Value};

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

/// The powers of two that keep squares of the components in range.
struct Scale {
    is_small: Value,
    is_large: Value,
    scalar: Type,
    /// The exponents of the factors of small and of large vectors.
    grow: i32,
    shrink: i32,
}

impl Scale {
    /// The factor of all components.
    fn factor(&self, c: &mut Code<'_, '_>) -> Value {
        self.choose(c, self.grow, self.shrink)
    }

    fn inverse(&self, c: &mut Code<'_, '_>) -> Value {
        self.choose(c, -self.grow, -self.shrink)
    }

    /// The factor of small vectors, which loses no bits, and then that of large ones.
    fn parts(&self, c: &mut Code<'_, '_>) -> [Value; 2] {
        let one = c.floats(self.scalar, 1.0);
        [(self.is_small, self.grow), (self.is_large, self.shrink)].map(|(condition, exponent)| {
            let power = self.power(c, exponent);
            c.select(condition, power, one)
        })
    }

    fn choose(&self, c: &mut Code<'_, '_>, grow: i32, shrink: i32) -> Value {
        let one = c.floats(self.scalar, 1.0);
        let grow = self.power(c, grow);
        let shrink = self.power(c, shrink);
        let factor = c.select(self.is_large, shrink, one);
        c.select(self.is_small, grow, factor)
    }

    fn power(&self, c: &mut Code<'_, '_>, exponent: i32) -> Value {
        let bits = c.format(self.scalar).power_of_two(exponent);
        c.float_bits(self.scalar, bits)
    }
}

/// Thresholds and factors of a format, as exponents of two: components from `small` to `large` are
/// squared as they are, others are multiplied before. Four squares of the largest number times
/// `shrink` are finite, and the square of the smallest times `grow` is normal.
const SCALES: [(Format, [i32; 4]); 2] =
    [(Format::FLOAT, [-60, 60, 86, -66]), (Format::DOUBLE, [-500, 500, 600, -600])];

fn scale(c: &mut Code<'_, '_>, vector: Value) -> Scale {
    let format = c.format_of(vector);
    let [small, large, grow, shrink] =
        SCALES.iter().find(|(known, _)| *known == format).map_or([0; 4], |&(_, scale)| scale);
    let magnitudes = magnitude(c, vector);
    // Magnitudes are ordered as their bits are.
    let mut largest = c.lane(magnitudes, 0);
    for lane in 1..c.lanes_of(vector) {
        let lane = c.lane(magnitudes, lane);
        largest = c.umax(largest, lane);
    }
    let scalar = c.types.scalar(c.ty(vector));
    let (small, large) = (
        c.int_like(largest, format.power_of_two(small)),
        c.int_like(largest, format.power_of_two(large)),
    );
    let (is_small, is_large) = (c.ult(largest, small), c.ugt(largest, large));
    Scale { is_small, is_large, scalar, grow, shrink }
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
        let (factor, inverse) = (scale.factor(c), scale.inverse(c));
        let vector = times(c, vector, factor);
        let square = dot(c, vector, vector);
        let length = c.call_alike(Intrinsic::Sqrt, &[square]);
        c.fmul(length, inverse)
    })
}

pub(super) fn distance(c: &mut Code<'_, '_>, [x, y]: [Value; 2]) -> Value {
    let way = c.fsub(x, y);
    length(c, way)
}

/// A vector of length 1. Zeros stay; of a vector with infinite components these alone count
/// (OpenCL C 7.5.1).
pub(super) fn normalize(c: &mut Code<'_, '_>, vector: Value) -> Value {
    let was_half = c.format_of(vector) == Format::HALF;
    in_wider(c, vector, |c, vector| {
        let format = c.format_of(vector);
        let ty = c.ty(vector);
        let bits = c.bits(vector);
        let magnitudes = magnitude(c, vector);
        let infinity = c.int_like(bits, format.infinity());
        let are_infinite = c.equal(magnitudes, infinity);
        let ones = c.int_like(bits, format.power_of_two(0));
        let zeros = c.int_like(bits, 0);
        let infinite = c.select(are_infinite, ones, zeros);
        let sign = c.int_like(bits, format.sign_bit());
        let sign = c.and(bits, sign);
        let infinite = c.or(infinite, sign);
        let infinite = c.bitcast(infinite, ty);
        // NaN among them stays one.
        let are_nan = super::conversions::is_nan(c, vector);
        let infinite = c.select(are_nan, vector, infinite);
        let mut any = c.lane(are_infinite, 0);
        for lane in 1..c.lanes_of(vector) {
            let lane = c.lane(are_infinite, lane);
            any = c.or(any, lane);
        }
        let any = splat_condition(c, any, vector);
        let vector = c.select(any, infinite, vector);

        let scale = (!was_half).then(|| scale(c, vector));
        let scaled = scale.as_ref().map_or(vector, |scale| {
            let factor = scale.factor(c);
            times(c, vector, factor)
        });
        let square = dot(c, scaled, scaled);
        let length = c.call_alike(Intrinsic::Sqrt, &[square]);
        let lengths = c.splat(ty, length);
        // A factor below one would take bits from the small components of a large vector: what is made
        // smaller are the quotients.
        let unit = match scale {
            Some(scale) => {
                let [grow, shrink] = scale.parts(c);
                let grown = times(c, vector, grow);
                let unit = c.fdiv(grown, lengths);
                times(c, unit, shrink)
            }
            None => c.fdiv(vector, lengths),
        };
        let zero = c.float_like(length, 0.0);
        let is_zero = c.feq(length, zero);
        let is_zero = splat_condition(c, is_zero, vector);
        c.select(is_zero, vector, unit)
    })
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
