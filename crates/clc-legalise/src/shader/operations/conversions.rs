//! Conversions that saturate or round otherwise than the target's instructions do
//! (OpenCL C 6.4.3).

use clc_builtins::Intrinsic;
use clc_builtins::resolve::Rounding;
use clc_ir::{ConvertOp, Type, TypePool, Value};

use super::code::Code;
use super::formats::Format;

/// What `convert` becomes; `None` if an instruction does the same.
pub(super) fn convert(
    c: &mut Code<'_, '_>,
    op: ConvertOp,
    operand: Value,
    to: Type,
    rounding: Option<Rounding>,
    saturate: bool,
) -> Option<Value> {
    let from = c.ty(operand);
    if c.types.is_bool(from) {
        return None;
    }
    match op {
        ConvertOp::SaturateSToS
        | ConvertOp::SaturateSToU
        | ConvertOp::SaturateUToS
        | ConvertOp::SaturateUToU => Some(saturated_integer(c, op, operand, to)),
        ConvertOp::FToS | ConvertOp::FToU => {
            if !saturate && rounding.is_none() {
                return None;
            }
            let signed = op == ConvertOp::FToS;
            Some(if saturate {
                saturated_float(c, operand, to, signed, rounding)
            } else {
                let whole = rounded_to_whole(c, operand, rounding);
                c.convert(op, whole, to)
            })
        }
        ConvertOp::SToF | ConvertOp::UToF => {
            let rounding = rounding?;
            let signed = op == ConvertOp::SToF;
            Some(integer_to_float(c, operand, to, signed, rounding))
        }
        ConvertOp::FToF => {
            let (source, target) = (c.format(from), c.format(to));
            if source.width <= target.width {
                // Nothing is rounded.
                return rounding.map(|_| c.convert(op, operand, to));
            }
            // Of doubles to halves there is an instruction, but many a device rounds twice.
            let rounding = match rounding {
                None if source == Format::DOUBLE && target == Format::HALF => Rounding::NearestEven,
                rounding => rounding?,
            };
            let bits = narrowed(c, operand, target, rounding);
            Some(c.bitcast(bits, to))
        }
        ConvertOp::Truncate
        | ConvertOp::ZeroExtend
        | ConvertOp::SignExtend
        | ConvertOp::Bitcast
        | ConvertOp::PtrToInt
        | ConvertOp::IntToPtr
        | ConvertOp::ToGeneric
        | ConvertOp::FromGeneric => None,
    }
}

/// Between integers, with what does not fit replaced by the nearest number that does.
pub(super) fn saturated_integer(
    c: &mut Code<'_, '_>,
    op: ConvertOp,
    operand: Value,
    to: Type,
) -> Value {
    let width = c.width(operand);
    let target = u32::from(c.types.scalar_bits(to).unwrap_or(32));
    let largest = |bits: u32| u64::MAX >> (64 - bits);
    match op {
        ConvertOp::SaturateSToS => {
            if target >= width {
                return c.sign_extended(operand, target);
            }
            let high = c.int_like(operand, largest(target - 1));
            let low = c.int_like(operand, !largest(target - 1));
            let value = c.smax(operand, low);
            let value = c.smin(value, high);
            c.zero_extended(value, target)
        }
        ConvertOp::SaturateSToU => {
            let zero = c.int_like(operand, 0);
            let mut value = c.smax(operand, zero);
            if target < width {
                let high = c.int_like(operand, largest(target));
                value = c.smin(value, high);
            }
            c.zero_extended(value, target)
        }
        ConvertOp::SaturateUToS => {
            let mut value = operand;
            if target <= width {
                let high = c.int_like(operand, largest(target - 1));
                value = c.umin(operand, high);
            }
            c.zero_extended(value, target)
        }
        _ => {
            let mut value = operand;
            if target < width {
                let high = c.int_like(operand, largest(target));
                value = c.umin(operand, high);
            }
            c.zero_extended(value, target)
        }
    }
}

/// The whole number that a conversion to integers takes; it rounds towards zero by itself.
pub(super) fn rounded_to_whole(
    c: &mut Code<'_, '_>,
    value: Value,
    rounding: Option<Rounding>,
) -> Value {
    let intrinsic = match rounding {
        None | Some(Rounding::TowardZero) => return value,
        Some(Rounding::NearestEven) => Intrinsic::Rint,
        Some(Rounding::TowardPositive) => Intrinsic::Ceil,
        Some(Rounding::TowardNegative) => Intrinsic::Floor,
    };
    c.call_alike(intrinsic, &[value])
}

/// To integers with saturation; NaN becomes zero (OpenCL C 6.4.3.3). OpConvertFToS and OpConvertFToU
/// say nothing about what does not fit.
fn saturated_float(
    c: &mut Code<'_, '_>,
    value: Value,
    to: Type,
    signed: bool,
    rounding: Option<Rounding>,
) -> Value {
    let bits = u32::from(c.types.scalar_bits(to).unwrap_or(32));
    let (least, largest) = if signed {
        (1u64 << (bits - 1), u64::MAX >> (65 - bits))
    } else {
        (0, u64::MAX >> (64 - bits))
    };
    let op = if signed { ConvertOp::FToS } else { ConvertOp::FToU };
    let power = |exponent: u32| 2f64.powi(exponent as i32);
    // The largest and the least number as floats, if they are floats: the others are cut off before.
    let format = c.format_of(value);
    let digits = bits - u32::from(signed);
    if digits <= format.mantissa + 1 {
        let low = c.float_like(value, if signed { -power(digits) } else { 0.0 });
        let high = c.float_like(value, power(digits) - 1.0);
        // Of a number and NaN it is the number.
        let cut = c.call_alike(Intrinsic::Fmax, &[value, low]);
        let cut = c.call_alike(Intrinsic::Fmin, &[cut, high]);
        // Devices round and convert in one instruction. Between whole numbers a rounded one stays.
        let cut = rounded_to_whole(c, cut, rounding);
        // Instructions convert to words.
        let word = c.types.with_scalar(to, TypePool::I32);
        let number = match bits < 32 {
            true => {
                let word = c.convert(op, cut, word);
                c.convert(ConvertOp::Truncate, word, to)
            }
            false => c.convert(op, cut, to),
        };
        if !signed {
            return number;
        }
        let zero = c.ints(to, 0);
        let is_nan = is_nan(c, value);
        return c.select(is_nan, zero, number);
    }
    let value = rounded_to_whole(c, value, rounding);
    // One above the largest: infinite where the format ends before.
    let above = c.float_like(value, power(digits));
    let (least, largest) = (c.ints(to, least), c.ints(to, largest));
    let is_large = c.fge(value, above);
    if !signed {
        let zero = c.float_like(value, 0.0);
        let cut = c.call_alike(Intrinsic::Fmax, &[value, zero]);
        let number = c.convert(op, cut, to);
        return c.select(is_large, largest, number);
    }
    let below = c.float_like(value, -power(digits));
    let zero = c.ints(to, 0);
    let number = c.convert(op, value, to);
    let number = c.select(is_large, largest, number);
    let is_small = c.fle(value, below);
    let number = c.select(is_small, least, number);
    let is_nan = is_nan(c, value);
    c.select(is_nan, zero, number)
}

/// By bits, because consumers may take it for granted that there are no NaNs.
pub(super) fn is_nan(c: &mut Code<'_, '_>, value: Value) -> Value {
    let format = c.format_of(value);
    let magnitude = magnitude(c, value);
    let infinity = c.int_like(magnitude, format.infinity());
    c.ugt(magnitude, infinity)
}

/// The bits of a float without its sign.
pub(super) fn magnitude(c: &mut Code<'_, '_>, value: Value) -> Value {
    let format = c.format_of(value);
    let bits = c.bits(value);
    let mask = c.int_like(bits, format.magnitude_mask());
    c.and(bits, mask)
}

fn integer_to_float(
    c: &mut Code<'_, '_>,
    operand: Value,
    to: Type,
    signed: bool,
    rounding: Rounding,
) -> Value {
    let op = if signed { ConvertOp::SToF } else { ConvertOp::UToF };
    let target = c.format(to);
    let digits = c.width(operand) - u32::from(signed);
    if rounding == Rounding::NearestEven || digits <= target.mantissa + 1 {
        return c.convert(op, operand, to);
    }
    if target == Format::HALF {
        // Rounded twice in one direction is rounded once. The number may be too large for a half.
        let float = c.types.with_scalar(to, TypePool::F32);
        let wide = integer_to_float(c, operand, float, signed, rounding);
        let bits = narrowed(c, wide, target, rounding);
        return c.bitcast(bits, to);
    }
    let width = c.width(operand);
    let zero = c.int_like(operand, 0);
    let is_negative = c.slt(operand, zero);
    let magnitude = if signed {
        let negated = c.ineg(operand);
        c.select(is_negative, negated, operand)
    } else {
        operand
    };
    // The leading digits, as many as the format has, so that converting them is exact.
    let zeros = if width == 32 {
        c.call_alike(Intrinsic::Clz, &[magnitude])
    } else {
        super::integer::clz(c, magnitude)
    };
    let most = c.int_like(operand, u64::from(width - target.mantissa - 1));
    let kept = c.umin(zeros, most);
    let dropped = c.isub(most, kept);
    let leading = c.lshr_by(magnitude, dropped);
    let back = c.shl_by(leading, dropped);
    let inexact = c.not_equal(back, magnitude);
    let next = c.int_like(operand, 1);
    let next = c.iadd(leading, next);
    let away = match (rounding, signed) {
        (Rounding::TowardZero | Rounding::NearestEven, _) => leading,
        (Rounding::TowardPositive, false) => c.select(inexact, next, leading),
        (Rounding::TowardNegative, false) => leading,
        (Rounding::TowardPositive, true) => {
            let away = c.select(is_negative, leading, next);
            c.select(inexact, away, leading)
        }
        (Rounding::TowardNegative, true) => {
            let away = c.select(is_negative, next, leading);
            c.select(inexact, away, leading)
        }
    };
    let digits = c.convert(ConvertOp::UToF, away, to);
    let exponent = c.zero_extended(dropped, target.width);
    let bias = c.int_like(exponent, target.bias());
    let exponent = c.iadd(exponent, bias);
    let power = c.shl(exponent, target.mantissa);
    let power = c.bitcast(power, to);
    let number = c.fmul(digits, power);
    if !signed {
        return number;
    }
    let negated = c.unary(clc_ir::UnaryOp::FNeg, number);
    c.select(is_negative, negated, number)
}

/// The bits of `value` in the narrower format `target`, as integers of its width.
pub(super) fn narrowed(
    c: &mut Code<'_, '_>,
    value: Value,
    target: Format,
    rounding: Rounding,
) -> Value {
    let source = c.format_of(value);
    if (source, target, rounding) == (Format::FLOAT, Format::HALF, Rounding::NearestEven) {
        return match c.halves.pack {
            true => packed(c, value),
            false => nearest_half(c, value),
        };
    }
    let bits = c.bits(value);
    let magnitude = magnitude(c, value);
    let zero = c.int_like(bits, 0);
    let one = c.int_like(bits, 1);
    let is_negative = c.slt(bits, zero);

    // Normal numbers lose digits and the difference of the biases.
    let difference = (source.bias() - target.bias()) << source.mantissa;
    let rebias = c.int_like(bits, difference);
    let normal = c.isub(magnitude, rebias);
    // Others lose further digits instead of having an exponent below the least.
    let mask = c.int_like(bits, source.mantissa_mask());
    let leading_one = c.int_like(bits, source.least_normal());
    let digits = c.and(magnitude, mask);
    let digits = c.or(digits, leading_one);
    let is_zero = c.equal(magnitude, zero);
    let digits = c.select(is_zero, zero, digits);
    let exponent = c.lshr(magnitude, source.mantissa);
    let normal_shift = u64::from(source.mantissa - target.mantissa);
    let first = c.int_like(bits, source.bias() - target.bias() + 1 + normal_shift);
    let shift = c.isub(first, exponent);
    // Beyond this all digits are dropped, and none is half of the least number.
    let most = c.int_like(bits, u64::from(source.mantissa) + 2);
    let shift = c.umin(shift, most);
    let least = c.int_like(bits, difference + source.least_normal());
    let is_small = c.ult(magnitude, least);
    let digits = c.select(is_small, digits, normal);
    let normal_shift = c.int_like(bits, normal_shift);
    let shift = c.select(is_small, shift, normal_shift);

    let unit = c.shl_by(one, shift);
    let below_unit = c.isub(unit, one);
    let added = match rounding {
        Rounding::NearestEven => {
            let last = c.lshr_by(digits, shift);
            let odd = c.and(last, one);
            let half = c.lshr(below_unit, 1);
            c.iadd(half, odd)
        }
        Rounding::TowardZero => zero,
        Rounding::TowardPositive => c.select(is_negative, zero, below_unit),
        Rounding::TowardNegative => c.select(is_negative, below_unit, zero),
    };
    let digits = c.iadd(digits, added);
    let number = c.lshr_by(digits, shift);

    let infinity = c.int_like(bits, target.infinity());
    let largest = c.int_like(bits, target.infinity() - 1);
    let limit = match rounding {
        Rounding::NearestEven => infinity,
        Rounding::TowardZero => largest,
        Rounding::TowardPositive => c.select(is_negative, largest, infinity),
        Rounding::TowardNegative => c.select(is_negative, infinity, largest),
    };
    let number = c.umin(number, limit);
    let source_infinity = c.int_like(bits, source.infinity());
    let is_finite = c.ult(magnitude, source_infinity);
    let number = c.select(is_finite, number, infinity);
    let payload = c.lshr(magnitude, source.mantissa - target.mantissa);
    let payload_mask = c.int_like(bits, target.magnitude_mask());
    let payload = c.and(payload, payload_mask);
    let quiet = c.int_like(bits, target.infinity() | target.quiet_bit());
    let nan = c.or(payload, quiet);
    let is_nan = c.ugt(magnitude, source_infinity);
    let number = c.select(is_nan, nan, number);
    let sign = c.lshr(bits, source.width - 1);
    let sign = c.shl(sign, target.width - 1);
    let number = c.or(number, sign);
    c.zero_extended(number, target.width)
}

/// The bits of the halves that are nearest to floats, and even of two. An addition rounds those below the normal
/// numbers of halves: the last digit of a half unit is worth as much as the least half.
fn nearest_half(c: &mut Code<'_, '_>, value: Value) -> Value {
    let (half, float) = (Format::HALF, Format::FLOAT);
    let bits = c.bits(value);
    let ty = c.ty(value);
    let magnitude = magnitude(c, value);
    let dropped = float.mantissa - half.mantissa;

    let positive = c.bitcast(magnitude, ty);
    let unit = c.floats(ty, 0.5);
    let rounded = c.fadd(positive, unit);
    let rounded = c.bits(rounded);
    let unit = c.int_like(bits, (float.bias() - 1) << float.mantissa);
    let small = c.isub(rounded, unit);

    let difference = (float.bias() - half.bias()) << float.mantissa;
    let last = c.lshr(magnitude, dropped);
    let one = c.int_like(bits, 1);
    let odd = c.and(last, one);
    let added = (1u64 << (dropped - 1)).wrapping_sub(1).wrapping_sub(difference);
    let added = c.int_like(bits, added & 0xffff_ffff);
    let normal = c.iadd(magnitude, added);
    let normal = c.iadd(normal, odd);
    let normal = c.lshr(normal, dropped);

    let least_normal = c.int_like(bits, difference + float.least_normal());
    let is_small = c.ult(magnitude, least_normal);
    let number = c.select(is_small, small, normal);
    // What is beyond the largest half is infinite, and infinity is.
    let infinity = c.int_like(bits, half.infinity());
    let number = c.umin(number, infinity);
    let source_infinity = c.int_like(bits, float.infinity());
    let is_nan = c.ugt(magnitude, source_infinity);
    let payload_mask = c.int_like(bits, half.magnitude_mask());
    let payload = c.and(last, payload_mask);
    let quiet = c.int_like(bits, half.infinity() | half.quiet_bit());
    let nan = c.or(payload, quiet);
    let number = c.select(is_nan, nan, number);
    let sign = c.lshr(bits, float.width - half.width);
    let sign_mask = c.int_like(bits, 1 << (half.width - 1));
    let sign = c.and(sign, sign_mask);
    let number = c.or(number, sign);
    c.zero_extended(number, half.width)
}

/// Floats as halves, two in a word, by the device's instruction.
fn packed(c: &mut Code<'_, '_>, value: Value) -> Value {
    let ty = c.ty(value);
    let lanes = u32::from(c.types.lanes(ty));
    let pair = c.types.vector(TypePool::F32, 2);
    let zero = c.floats(TypePool::F32, 0.0);
    let mut words = Vec::new();
    for lane in (0..lanes).step_by(2) {
        let mut part = |lane| match lane {
            lane if lane >= lanes => zero,
            _ if lanes == 1 => value,
            lane => c.extract(value, &[lane]),
        };
        let parts = [part(lane), part(lane + 1)];
        let both = c.construct(pair, &parts);
        words.push(c.call(Intrinsic::PackHalf2x16, &[both], TypePool::I32));
    }
    let shorts = c.types.with_scalar(ty, TypePool::I16);
    match words[..] {
        [word] if lanes == 1 => c.zero_extended(word, 16),
        _ => {
            let halves = c.types.vector(TypePool::I16, 2);
            let mut parts = Vec::new();
            for (index, &word) in words.iter().enumerate() {
                let both = c.bitcast(word, halves);
                let used = (lanes - 2 * index as u32).min(2);
                parts.extend((0..used).map(|lane| c.extract(both, &[lane])));
            }
            c.construct(shorts, &parts)
        }
    }
}

/// What [`packed`] has made, by the device's instruction.
fn unpacked(c: &mut Code<'_, '_>, bits: Value, to: Type) -> Value {
    let lanes = u32::from(c.types.lanes(to));
    let pair = c.types.vector(TypePool::F32, 2);
    if lanes == 1 {
        let word = c.zero_extended(bits, 32);
        let both = c.call(Intrinsic::UnpackHalf2x16, &[word], pair);
        return c.extract(both, &[0]);
    }
    let halves = c.types.vector(TypePool::I16, 2);
    let mut parts = Vec::new();
    for lane in (0..lanes).step_by(2) {
        let first = c.extract(bits, &[lane]);
        let second = match lane + 1 < lanes {
            true => c.extract(bits, &[lane + 1]),
            false => first,
        };
        let both = c.construct(halves, &[first, second]);
        let word = c.bitcast(both, TypePool::I32);
        let both = c.call(Intrinsic::UnpackHalf2x16, &[word], pair);
        let used = (lanes - lane).min(2);
        parts.extend((0..used).map(|lane| c.extract(both, &[lane])));
    }
    c.construct(to, &parts)
}

/// The floats whose bits as halves are `bits`, 16-bit integers.
pub(super) fn half_to_float(c: &mut Code<'_, '_>, bits: Value, to: Type) -> Value {
    if c.halves.unpack {
        return unpacked(c, bits, to);
    }
    let (half, float) = (Format::HALF, Format::FLOAT);
    let bits = c.zero_extended(bits, 32);
    let magnitude_mask = c.int_like(bits, half.magnitude_mask());
    let magnitude = c.and(bits, magnitude_mask);
    let digits = c.shl(magnitude, float.mantissa - half.mantissa);
    let difference = (float.bias() - half.bias()) << float.mantissa;
    let rebias = c.int_like(bits, difference);
    let normal = c.iadd(digits, rebias);
    // Once more for the largest exponent, which stays the largest.
    let special = c.iadd(normal, rebias);
    let infinity = c.int_like(bits, half.infinity());
    let is_special = c.uge(magnitude, infinity);
    let number = c.select(is_special, special, normal);
    // Subnormal halves are whole multiples of 2^-24, which are normal floats.
    let count = c.convert(ConvertOp::UToF, magnitude, to);
    let unit = c.floats(to, 2f64.powi(-24));
    let small = c.fmul(count, unit);
    let small = c.bits(small);
    let least_normal = c.int_like(bits, half.least_normal());
    let is_small = c.ult(magnitude, least_normal);
    let number = c.select(is_small, small, number);
    let sign = c.lshr(bits, half.width - 1);
    let sign = c.shl(sign, float.width - 1);
    let number = c.or(number, sign);
    c.bitcast(number, to)
}
