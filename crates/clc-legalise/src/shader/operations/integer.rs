//! Integer functions (OpenCL C 6.15.3) as arithmetic.

use clc_builtins::Intrinsic;
use clc_ir::{ConvertOp, InstKind, TypePool, Value};

use super::code::Code;

/// The largest number of the type of `like`.
fn largest(c: &mut Code<'_, '_>, like: Value, signed: bool) -> Value {
    let bits = c.width(like) - u32::from(signed);
    c.int_like(like, u64::MAX >> (64 - bits))
}

/// What a signed result saturates to: the largest number, or for a negative `sign` the smallest.
fn limit_towards(c: &mut Code<'_, '_>, sign: Value) -> Value {
    let width = c.width(sign);
    let fill = c.ashr(sign, width - 1);
    let largest = largest(c, sign, true);
    c.xor(fill, largest)
}

fn is_negative(c: &mut Code<'_, '_>, value: Value) -> Value {
    let zero = c.int_like(value, 0);
    c.slt(value, zero)
}

pub(super) fn abs_diff(c: &mut Code<'_, '_>, [x, y]: [Value; 2], signed: bool) -> Value {
    // The difference of numbers of 16 bits and less is one of 32.
    let wide = |c: &mut Code<'_, '_>, value: Value| match c.width(value) < 32 {
        true => Some(c.extended(value, 32, signed)),
        false => is_short(c, value, signed).then_some(value),
    };
    if let Some(wide_x) = wide(c, x)
        && let Some(wide_y) = wide(c, y)
    {
        let difference = c.isub(wide_x, wide_y);
        let magnitude = c.call_alike(Intrinsic::SAbs, &[difference]);
        return c.zero_extended(magnitude, c.width(x));
    }
    let (low, high) =
        if signed { (c.smin(x, y), c.smax(x, y)) } else { (c.umin(x, y), c.umax(x, y)) };
    c.isub(high, low)
}

/// Whether a number of 32 bits, with a sign or without one, was made of one of 16 or less.
fn is_short(c: &Code<'_, '_>, value: Value, signed: bool) -> bool {
    let Some((_, data)) = c.function.def_inst(value) else { return false };
    match data.kind {
        InstKind::Convert { op, operand, .. } => {
            (op == ConvertOp::ZeroExtend || signed && op == ConvertOp::SignExtend)
                && c.width(value) == 32
                && c.width(operand) <= 16
        }
        _ => false,
    }
}

/// Numbers of 8 and 16 bits in 32, in which sums of two have room. Drivers compute in 32 bits whatever the type is, and cut
/// each result to that; what is no greater anyway they leave as it is, and a sum and its limit are one instruction of some.
fn in_words<const N: usize>(
    c: &mut Code<'_, '_>,
    values: [Value; N],
    signed: bool,
) -> Option<[Value; N]> {
    let is_narrow = values.first().is_some_and(|&value| c.width(value) < 32);
    is_narrow.then(|| values.map(|value| c.extended(value, 32, signed)))
}

pub(super) fn add_sat(c: &mut Code<'_, '_>, [x, y]: [Value; 2], signed: bool) -> Value {
    if let Some([wide_x, wide_y]) = in_words(c, [x, y], signed) {
        let sum = c.iadd(wide_x, wide_y);
        let op = if signed { ConvertOp::SaturateSToS } else { ConvertOp::SaturateUToU };
        return super::conversions::saturated_integer(c, op, sum, c.ty(x));
    }
    let sum = c.iadd(x, y);
    if !signed {
        let wrapped = c.ult(sum, x);
        let largest = largest(c, x, false);
        return c.select(wrapped, largest, sum);
    }
    // The sum has another sign than both operands.
    let (left, right) = (c.xor(x, sum), c.xor(y, sum));
    let overflow = c.and(left, right);
    let overflows = is_negative(c, overflow);
    let limit = limit_towards(c, x);
    c.select(overflows, limit, sum)
}

pub(super) fn sub_sat(c: &mut Code<'_, '_>, [x, y]: [Value; 2], signed: bool) -> Value {
    if let Some([wide_x, wide_y]) = in_words(c, [x, y], signed) {
        let difference = c.isub(wide_x, wide_y);
        if signed {
            let op = ConvertOp::SaturateSToS;
            return super::conversions::saturated_integer(c, op, difference, c.ty(x));
        }
        let zero = c.int_like(difference, 0);
        let difference = c.smax(difference, zero);
        return c.zero_extended(difference, c.width(x));
    }
    if !signed {
        let taken = c.umin(x, y);
        return c.isub(x, taken);
    }
    let difference = c.isub(x, y);
    let (operands, changed) = (c.xor(x, y), c.xor(x, difference));
    let overflow = c.and(operands, changed);
    let overflows = is_negative(c, overflow);
    let limit = limit_towards(c, x);
    c.select(overflows, limit, difference)
}

/// `(x + y) >> 1` without the carry that may be lost.
pub(super) fn hadd(c: &mut Code<'_, '_>, [x, y]: [Value; 2], signed: bool) -> Value {
    if let Some([wide_x, wide_y]) = in_words(c, [x, y], signed) {
        let sum = c.iadd(wide_x, wide_y);
        return half_of(c, sum, c.width(x), signed);
    }
    let (common, differing) = (c.and(x, y), c.xor(x, y));
    let half = if signed { c.ashr(differing, 1) } else { c.lshr(differing, 1) };
    c.iadd(common, half)
}

/// Half of a sum of 32 bits that has not wrapped.
fn half_of(c: &mut Code<'_, '_>, sum: Value, width: u32, signed: bool) -> Value {
    let half = if signed { c.ashr(sum, 1) } else { c.lshr(sum, 1) };
    c.zero_extended(half, width)
}

/// `(x + y + 1) >> 1`
pub(super) fn rhadd(c: &mut Code<'_, '_>, [x, y]: [Value; 2], signed: bool) -> Value {
    if let Some([wide_x, wide_y]) = in_words(c, [x, y], signed) {
        let sum = c.iadd(wide_x, wide_y);
        let one = c.int_like(sum, 1);
        let sum = c.iadd(sum, one);
        return half_of(c, sum, c.width(x), signed);
    }
    let (either, differing) = (c.or(x, y), c.xor(x, y));
    let half = if signed { c.ashr(differing, 1) } else { c.lshr(differing, 1) };
    c.isub(either, half)
}

/// The upper half of the product. For 32 and 64 bits there are instructions.
pub(super) fn mul_hi(c: &mut Code<'_, '_>, [x, y]: [Value; 2], signed: bool) -> Value {
    let width = c.width(x);
    if width >= 32 {
        let intrinsic = if signed { Intrinsic::SMulHi } else { Intrinsic::UMulHi };
        return c.call_alike(intrinsic, &[x, y]);
    }
    let (x, y) = (c.extended(x, 32, signed), c.extended(y, 32, signed));
    let product = c.imul(x, y);
    let high = c.lshr(product, width);
    c.zero_extended(high, width)
}

pub(super) fn mad_hi(c: &mut Code<'_, '_>, [x, y, z]: [Value; 3], signed: bool) -> Value {
    let high = mul_hi(c, [x, y], signed);
    c.iadd(high, z)
}

/// Operands of more than 24 bits give anything.
pub(super) fn mul24(c: &mut Code<'_, '_>, [x, y]: [Value; 2]) -> Value {
    c.imul(x, y)
}

pub(super) fn mad24(c: &mut Code<'_, '_>, [x, y, z]: [Value; 3]) -> Value {
    let product = mul24(c, [x, y]);
    c.iadd(product, z)
}

/// `x * y + z` with saturation.
pub(super) fn mad_sat(c: &mut Code<'_, '_>, [x, y, z]: [Value; 3], signed: bool) -> Value {
    let width = c.width(x);
    if width < 64 {
        let ty = c.ty(x);
        let [x, y, z] = [x, y, z].map(|value| c.extended(value, (width * 2).max(32), signed));
        let product = c.imul(x, y);
        let sum = c.iadd(product, z);
        let op = if signed { ConvertOp::SaturateSToS } else { ConvertOp::SaturateUToU };
        return super::conversions::saturated_integer(c, op, sum, ty);
    }
    let low = c.imul(x, y);
    let high = mul_hi(c, [x, y], signed);
    let sum = c.iadd(low, z);
    let carries = c.ult(sum, low);
    let one = c.int_like(x, 1);
    let zero = c.int_like(x, 0);
    let carry = c.select(carries, one, zero);
    let high = c.iadd(high, carry);
    if !signed {
        let overflows = c.not_equal(high, zero);
        let largest = largest(c, x, false);
        return c.select(overflows, largest, sum);
    }
    let fill = c.ashr(z, 63);
    let high = c.iadd(high, fill);
    // The sum of 128 bits fits if all of its upper half repeats the sign of its lower half.
    let sign = c.ashr(sum, 63);
    let overflows = c.not_equal(high, sign);
    let limit = limit_towards(c, high);
    c.select(overflows, limit, sum)
}

/// Bits that leave at the left come back at the right; counts are taken modulo the width.
pub(super) fn rotate(c: &mut Code<'_, '_>, [value, count]: [Value; 2]) -> Value {
    match c.width(value) {
        64 => rotate_words(c, value, count),
        _ => rotate_by_shifts(c, [value, count]),
    }
}

/// The same of any width.
pub(super) fn rotate_by_shifts(c: &mut Code<'_, '_>, [value, count]: [Value; 2]) -> Value {
    let width = c.width(value);
    // Where nothing simplifies, later steps still see by how much.
    if let Some(left) = c.constant_int(count).map(|count| count as u32 % width) {
        if left == 0 {
            return value;
        }
        let (high, low) = (c.shl(value, left), c.lshr(value, width - left));
        return c.or(high, low);
    }
    let mask = c.int_like(count, u64::from(width) - 1);
    let left = c.and(count, mask);
    let right = c.ineg(count);
    let right = c.and(right, mask);
    let (high, low) = (c.shl_by(value, left), c.lshr_by(value, right));
    c.or(high, low)
}

/// The same for 64 bits by two words. A shift of 64 bits of which 32 are wanted is one instruction of GPUs, which two shifts
/// and what joins them are not.
fn rotate_words(c: &mut Code<'_, '_>, value: Value, count: Value) -> Value {
    let swapped = swap_words(c, value);
    let zero = c.int_like(count, 0);
    let whole = c.int_like(count, 32);
    let whole = c.and(count, whole);
    let stays = c.equal(whole, zero);
    let (first, second) = (c.select(stays, value, swapped), c.select(stays, swapped, value));
    let mask = c.int_like(count, 31);
    let rest = c.and(count, mask);
    let width = c.int_like(count, 32);
    // From 1 to 32.
    let right = c.isub(width, rest);
    let (first, second) = (c.lshr_by(first, right), c.lshr_by(second, right));
    let (high, low) = (c.zero_extended(first, 32), c.zero_extended(second, 32));
    if c.lanes_of(value) > 1 {
        return upsample(c, [high, low]);
    }
    let pair = c.types.vector(TypePool::I32, 2);
    let joined = c.construct(pair, &[low, high]);
    let ty = c.ty(value);
    c.bitcast(joined, ty)
}

fn swap_words(c: &mut Code<'_, '_>, value: Value) -> Value {
    if c.lanes_of(value) > 1 {
        let (high, low) = (c.shl(value, 32), c.lshr(value, 32));
        return c.or(high, low);
    }
    let (ty, pair) = (c.ty(value), c.types.vector(TypePool::I32, 2));
    let pair = c.bitcast(value, pair);
    let swapped = c.shuffle(pair, pair, &[1, 0]);
    c.bitcast(swapped, ty)
}

/// `high << width | low` in twice the width.
pub(super) fn upsample(c: &mut Code<'_, '_>, [high, low]: [Value; 2]) -> Value {
    let width = c.width(high);
    let (high, low) = (c.zero_extended(high, width * 2), c.zero_extended(low, width * 2));
    let high = c.shl(high, width);
    c.or(high, low)
}

/// Leading zeros, of which there are `width` in zero.
pub(super) fn clz(c: &mut Code<'_, '_>, value: Value) -> Value {
    let width = c.width(value);
    if width == 64 {
        let (high, low) = words(c, value);
        let upper = c.call_alike(Intrinsic::Clz, &[high]);
        let lower = c.call_alike(Intrinsic::Clz, &[low]);
        return count_of_words(c, upper, lower);
    }
    let wide = c.zero_extended(value, 32);
    let zeros = c.call_alike(Intrinsic::Clz, &[wide]);
    let added = c.int_like(zeros, u64::from(32 - width));
    let zeros = c.isub(zeros, added);
    c.zero_extended(zeros, width)
}

/// Trailing zeros, of which there are `width` in zero.
pub(super) fn ctz(c: &mut Code<'_, '_>, value: Value) -> Value {
    let width = c.width(value);
    if width == 64 {
        let (high, low) = words(c, value);
        let upper = c.call_alike(Intrinsic::Ctz, &[high]);
        let lower = c.call_alike(Intrinsic::Ctz, &[low]);
        return count_of_words(c, lower, upper);
    }
    let wide = c.zero_extended(value, 32);
    // A bit just above the number ends the count.
    let end = c.int_like(wide, 1 << width);
    let wide = c.or(wide, end);
    let zeros = c.call_alike(Intrinsic::Ctz, &[wide]);
    c.zero_extended(zeros, width)
}

/// The zeros of two words in 64 bits: those of the second count where the first has no ones.
fn count_of_words(c: &mut Code<'_, '_>, first: Value, second: Value) -> Value {
    let all = c.int_like(first, 32);
    let is_empty = c.equal(first, all);
    let both = c.iadd(second, all);
    let count = c.select(is_empty, both, first);
    c.zero_extended(count, 64)
}

pub(super) fn popcount(c: &mut Code<'_, '_>, value: Value) -> Value {
    let width = c.width(value);
    if width == 64 {
        let (high, low) = words(c, value);
        let upper = c.call_alike(Intrinsic::Popcount, &[high]);
        let lower = c.call_alike(Intrinsic::Popcount, &[low]);
        let count = c.iadd(upper, lower);
        return c.zero_extended(count, 64);
    }
    let wide = c.zero_extended(value, 32);
    let count = c.call_alike(Intrinsic::Popcount, &[wide]);
    c.zero_extended(count, width)
}

/// The bits of pairs are counted, then those of four and of eight bits, whose sum is the highest byte of a product: the way
/// that LLVM knows for what it is. Of more than 8 bits.
pub(super) fn popcount_by_sums(c: &mut Code<'_, '_>, value: Value) -> Value {
    let width = c.width(value);
    let every = |c: &mut Code<'_, '_>, byte: u8| c.int_like(value, u64::from_ne_bytes([byte; 8]));
    let (ones, twos) = (every(c, 0x55), every(c, 0x33));
    let (fours, bytes) = (every(c, 0x0f), every(c, 0x01));
    let odd = c.lshr(value, 1);
    let odd = c.and(odd, ones);
    let pairs = c.isub(value, odd);
    let upper = c.lshr(pairs, 2);
    let (lower, upper) = (c.and(pairs, twos), c.and(upper, twos));
    let sums = c.iadd(lower, upper);
    let upper = c.lshr(sums, 4);
    let sums = c.iadd(sums, upper);
    let sums = c.and(sums, fours);
    let sum = c.imul(sums, bytes);
    c.lshr(sum, width - 8)
}

pub(super) fn bit_reverse(c: &mut Code<'_, '_>, value: Value) -> Value {
    let width = c.width(value);
    if width == 64 {
        let (high, low) = words(c, value);
        let upper = c.call_alike(Intrinsic::BitReverse, &[low]);
        let lower = c.call_alike(Intrinsic::BitReverse, &[high]);
        return upsample(c, [upper, lower]);
    }
    let wide = c.zero_extended(value, 32);
    let reversed = c.call_alike(Intrinsic::BitReverse, &[wide]);
    let reversed = c.lshr(reversed, 32 - width);
    c.zero_extended(reversed, width)
}

/// The upper and the lower half of 64 bits.
fn words(c: &mut Code<'_, '_>, value: Value) -> (Value, Value) {
    let high = c.lshr(value, 32);
    (c.zero_extended(high, 32), c.zero_extended(value, 32))
}

/// An offset or a number of bits, which is one `uint` for all components, as `value`'s type.
fn count_like(c: &mut Code<'_, '_>, count: Value, value: Value) -> Value {
    let count = c.zero_extended(count, c.width(value));
    let ty = c.ty(value);
    c.splat(ty, count)
}

/// Masks a count, which is less than the width wherever the result is used.
fn shift_count(c: &mut Code<'_, '_>, count: Value) -> Value {
    let mask = c.int_like(count, u64::from(c.width(count)) - 1);
    c.and(count, mask)
}

/// `bitfield_insert(base, insert, offset, count)`
pub(super) fn bitfield_insert(
    c: &mut Code<'_, '_>,
    [base, insert, offset, count]: [Value; 4],
) -> Value {
    let width = u64::from(c.width(base));
    let offset = count_like(c, offset, base);
    let count = count_like(c, count, base);
    let (zero, ones) = (c.int_like(base, 0), c.int_like(base, u64::MAX));
    let width = c.int_like(base, width);
    let dropped = c.isub(width, count);
    let dropped = shift_count(c, dropped);
    let mask = c.lshr_by(ones, dropped);
    let is_empty = c.equal(count, zero);
    let mask = c.select(is_empty, zero, mask);
    let offset = shift_count(c, offset);
    let (mask, insert) = (c.shl_by(mask, offset), c.shl_by(insert, offset));
    let insert = c.and(insert, mask);
    let others = c.not(mask);
    let base = c.and(base, others);
    c.or(base, insert)
}

/// `bitfield_extract_*(base, offset, count)`
pub(super) fn bitfield_extract(
    c: &mut Code<'_, '_>,
    [base, offset, count]: [Value; 3],
    signed: bool,
) -> Value {
    let width = u64::from(c.width(base));
    let offset = count_like(c, offset, base);
    let count = count_like(c, count, base);
    let width = c.int_like(base, width);
    // The field moves to the top, and from there to the bottom.
    let down = c.isub(width, count);
    let up = c.isub(down, offset);
    let (up, down) = (shift_count(c, up), shift_count(c, down));
    let field = c.shl_by(base, up);
    let field = if signed { c.ashr_by(field, down) } else { c.lshr_by(field, down) };
    let zero = c.int_like(base, 0);
    let is_empty = c.equal(count, zero);
    c.select(is_empty, zero, field)
}
