//! Operations of other compilers' extensions as arithmetic, most of them those of cl_amd_media_ops and
//! cl_amd_media_ops2.
//!
//! Everything works on scalars and on vectors alike; numbers that all components share are replicated.

use clc_builtins::{Arithmetic, DotSigns, Intrinsic, MediaOp, Signedness};
use clc_ir::{BinaryOp, Builder, CompareOp, ConvertOp, MemoryAccess, Type, TypePool, Value};

/// What `op` computes; `result` is its type.
pub(crate) fn lower(
    b: &mut Builder<'_>,
    op: MediaOp,
    arguments: &[Value],
    result: Type,
) -> Option<Value> {
    let &first = arguments.first()?;
    let second = arguments.get(1).copied().unwrap_or(first);
    let third = arguments.get(2).copied().unwrap_or(first);
    Some(match op {
        MediaOp::BitAlign => {
            let count = mask(b, third, 31);
            align(b, first, second, count)
        }
        MediaOp::ByteAlign => {
            let bytes = mask(b, third, 3);
            let count = shift(b, BinaryOp::Shl, bytes, 3);
            align(b, first, second, count)
        }
        MediaOp::Lerp => lerp(b, first, second, third),
        MediaOp::Pack => pack(b, first, result),
        MediaOp::Unpack(number) => {
            let byte = part(b, first, u32::from(number) * 8, 0xff);
            b.convert(ConvertOp::UToF, byte, result)
        }
        MediaOp::Sad => sad(b, first, second, third, Zeros::Count),
        MediaOp::Msad => sad(b, first, second, third, Zeros::Skip),
        MediaOp::SadHi => {
            let zero = b.zero(result);
            let sum = sad(b, first, second, zero, Zeros::Count);
            let high = shift(b, BinaryOp::Shl, sum, 16);
            b.binary(BinaryOp::IAdd, third, high)
        }
        MediaOp::Sad4 => (0..4).fold(third, |sum, lane| {
            let first = b.extract(first, &[lane]);
            let second = b.extract(second, &[lane]);
            sad(b, first, second, sum, Zeros::Count)
        }),
        MediaOp::SadD => {
            let difference = difference(b, first, second);
            b.binary(BinaryOp::IAdd, third, difference)
        }
        MediaOp::SadW => [0, 16].into_iter().fold(third, |sum, from| {
            let first = part(b, first, from, 0xffff);
            let second = part(b, second, from, 0xffff);
            let difference = difference(b, first, second);
            b.binary(BinaryOp::IAdd, sum, difference)
        }),
        MediaOp::Qsad => quad(b, first, second, third, Zeros::Count),
        MediaOp::Mqsad => quad(b, first, second, third, Zeros::Skip),
        MediaOp::Bfm => {
            let width = mask(b, first, 31);
            let offset = mask(b, second, 31);
            let one = number(b, result, 1);
            let above = b.binary(BinaryOp::Shl, one, width);
            let ones = b.binary(BinaryOp::ISub, above, one);
            b.binary(BinaryOp::Shl, ones, offset)
        }
        MediaOp::SBfe => extract_bits(b, BinaryOp::AShr, first, second, third),
        MediaOp::UBfe => extract_bits(b, BinaryOp::LShr, first, second, third),
        MediaOp::SMax3 => twice(b, Intrinsic::SMax, first, second, third),
        MediaOp::UMax3 => twice(b, Intrinsic::UMax, first, second, third),
        MediaOp::FMax3 => twice(b, Intrinsic::Fmax, first, second, third),
        MediaOp::SMin3 => twice(b, Intrinsic::SMin, first, second, third),
        MediaOp::UMin3 => twice(b, Intrinsic::UMin, first, second, third),
        MediaOp::FMin3 => twice(b, Intrinsic::Fmin, first, second, third),
        MediaOp::SMedian3 => median(b, (Intrinsic::SMin, Intrinsic::SMax), first, second, third),
        MediaOp::UMedian3 => median(b, (Intrinsic::UMin, Intrinsic::UMax), first, second, third),
        MediaOp::FMedian3 => median(b, (Intrinsic::Fmin, Intrinsic::Fmax), first, second, third),
        MediaOp::DotAcc(signs) => dot(b, signs, first, second, third)?,
        MediaOp::SwapBytes => swap_bytes(b, first),
        MediaOp::Overflow(op, signs) => {
            let (value, overflows) = overflow(b, op, signs, first, second)?;
            let align = b.types.align(b.ty(value)) as u32;
            b.store(third, value, MemoryAccess::aligned(align));
            let (one, zero) = (b.int(result, 1), b.int(result, 0));
            b.select(overflows, one, zero)
        }
    })
}

/// The dot product of vectors of four bytes, for which there is an instruction, or two shorts, for which few devices
/// have one, plus `sum`.
fn dot(
    b: &mut Builder<'_>,
    signs: DotSigns,
    first: Value,
    second: Value,
    sum: Value,
) -> Option<Value> {
    let (vector, result) = (b.ty(first), b.ty(sum));
    if b.types.scalar(vector) == TypePool::I8 {
        let product = b.intrinsic(Intrinsic::Dot4x8(signs), &[first, second], result)?;
        return Some(b.binary(BinaryOp::IAdd, sum, product));
    }
    let extend = match signs {
        DotSigns::UnsignedUnsigned => ConvertOp::ZeroExtend,
        DotSigns::SignedSigned | DotSigns::UnsignedSigned | DotSigns::SignedUnsigned => {
            ConvertOp::SignExtend
        }
    };
    let wide = b.types.with_scalar(vector, result);
    let first = b.convert(extend, first, wide);
    let second = b.convert(extend, second, wide);
    let products = b.binary(BinaryOp::IMul, first, second);
    Some((0..u32::from(b.types.lanes(wide))).fold(sum, |sum, lane| {
        let product = b.extract(products, &[lane]);
        b.binary(BinaryOp::IAdd, sum, product)
    }))
}

/// What is left of a sum, difference or product in as many bits, and whether that is not all.
fn overflow(
    b: &mut Builder<'_>,
    op: Arithmetic,
    signs: Signedness,
    first: Value,
    second: Value,
) -> Option<(Value, Value)> {
    let ty = b.ty(first);
    let zero = b.zero(ty);
    let value = b.binary(
        match op {
            Arithmetic::Add => BinaryOp::IAdd,
            Arithmetic::Subtract => BinaryOp::ISub,
            Arithmetic::Multiply => BinaryOp::IMul,
        },
        first,
        second,
    );
    let overflows = match (op, signs) {
        (Arithmetic::Add, Signedness::Unsigned) => b.compare(CompareOp::ULess, value, first),
        (Arithmetic::Subtract, Signedness::Unsigned) => b.compare(CompareOp::ULess, first, second),
        (Arithmetic::Multiply, Signedness::Unsigned) => {
            let high = b.intrinsic(Intrinsic::UMulHi, &[first, second], ty)?;
            b.compare(CompareOp::NotEqual, high, zero)
        }
        // A sum has another sign than both of its terms, a difference another than what is subtracted from where
        // that has another than what is subtracted.
        (Arithmetic::Add, Signedness::Signed) => {
            let signs = b.binary(BinaryOp::Xor, first, value);
            let others = b.binary(BinaryOp::Xor, second, value);
            let both = b.binary(BinaryOp::And, signs, others);
            b.compare(CompareOp::SLess, both, zero)
        }
        (Arithmetic::Subtract, Signedness::Signed) => {
            let signs = b.binary(BinaryOp::Xor, first, value);
            let others = b.binary(BinaryOp::Xor, first, second);
            let both = b.binary(BinaryOp::And, signs, others);
            b.compare(CompareOp::SLess, both, zero)
        }
        (Arithmetic::Multiply, Signedness::Signed) => {
            let high = b.intrinsic(Intrinsic::SMulHi, &[first, second], ty)?;
            let bits = u32::from(b.types.scalar_bits(ty)?);
            let sign = shift(b, BinaryOp::AShr, value, bits - 1);
            b.compare(CompareOp::NotEqual, high, sign)
        }
    };
    Some((value, overflows))
}

/// Swaps neighbouring bytes, then neighbouring pairs of them, and so on.
fn swap_bytes(b: &mut Builder<'_>, value: Value) -> Value {
    let ty = b.ty(value);
    let bits = u32::from(b.types.scalar_bits(ty).unwrap_or(32));
    let mut value = value;
    let mut distance = 8;
    while distance < bits {
        // Of each two groups of `distance` bits the lower one; of the last two nothing is left to mask.
        let is_last = 2 * distance == bits;
        let lower = (0..bits / (2 * distance))
            .fold(0u64, |all, pair| all | ((1u64 << distance) - 1) << (2 * distance * pair));
        let keep = |b: &mut Builder<'_>, value| if is_last { value } else { mask(b, value, lower) };
        let down = shift(b, BinaryOp::LShr, value, distance);
        let down = keep(b, down);
        let up = keep(b, value);
        let up = shift(b, BinaryOp::Shl, up, distance);
        value = b.binary(BinaryOp::Or, up, down);
        distance *= 2;
    }
    value
}

/// Whether bytes that are zero in the reference count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zeros {
    Count,
    Skip,
}

fn number(b: &mut Builder<'_>, ty: Type, value: u64) -> Value {
    let scalar = b.types.scalar(ty);
    let value = b.int(scalar, value);
    b.splat(ty, value)
}

fn mask(b: &mut Builder<'_>, value: Value, bits: u64) -> Value {
    let ty = b.ty(value);
    let bits = number(b, ty, bits);
    b.binary(BinaryOp::And, value, bits)
}

fn shift(b: &mut Builder<'_>, op: BinaryOp, value: Value, count: u32) -> Value {
    if count == 0 {
        return value;
    }
    let ty = b.ty(value);
    let count = number(b, ty, u64::from(count));
    b.binary(op, value, count)
}

/// The bits of `mask` that begin at `from`.
fn part(b: &mut Builder<'_>, value: Value, from: u32, bits: u64) -> Value {
    let shifted = shift(b, BinaryOp::LShr, value, from);
    mask(b, shifted, bits)
}

/// The low half of `high:low >> count`, for counts below 32, in halves.
fn align(b: &mut Builder<'_>, high: Value, low: Value, count: Value) -> Value {
    let ty = b.ty(count);
    let most = number(b, ty, 31);
    let rest = b.binary(BinaryOp::ISub, most, count);
    // One by itself: together the counts can be 32.
    let high = shift(b, BinaryOp::Shl, high, 1);
    let high = b.binary(BinaryOp::Shl, high, rest);
    let low = b.binary(BinaryOp::LShr, low, count);
    b.binary(BinaryOp::Or, high, low)
}

/// Four averages side by side: `a + b` is `2 * (a & b) + (a ^ b)`, so nothing carries.
fn lerp(b: &mut Builder<'_>, first: Value, second: Value, rounding: Value) -> Value {
    let both = b.binary(BinaryOp::And, first, second);
    let either = b.binary(BinaryOp::Xor, first, second);
    let half = shift(b, BinaryOp::LShr, either, 1);
    let half = mask(b, half, 0x7f7f_7f7f);
    let odd = b.binary(BinaryOp::And, either, rounding);
    let odd = mask(b, odd, 0x0101_0101);
    let sum = b.binary(BinaryOp::IAdd, both, half);
    b.binary(BinaryOp::IAdd, sum, odd)
}

fn pack(b: &mut Builder<'_>, floats: Value, result: Type) -> Value {
    let ty = b.types.vector(result, 4);
    let numbers = b.convert(ConvertOp::FToU, floats, ty);
    let bytes = mask(b, numbers, 0xff);
    let mut packed = b.extract(bytes, &[0]);
    for lane in 1..4 {
        let byte = b.extract(bytes, &[lane]);
        let byte = shift(b, BinaryOp::Shl, byte, lane * 8);
        packed = b.binary(BinaryOp::Or, packed, byte);
    }
    packed
}

/// `|first - second|` of unsigned numbers.
fn difference(b: &mut Builder<'_>, first: Value, second: Value) -> Value {
    let ty = b.ty(first);
    b.intrinsic(Intrinsic::UAbsDiff, &[first, second], ty).unwrap_or(first)
}

/// `sum` and the absolute differences of the bytes.
fn sad(b: &mut Builder<'_>, first: Value, second: Value, sum: Value, zeros: Zeros) -> Value {
    [0, 8, 16, 24].into_iter().fold(sum, |sum, from| {
        let first = part(b, first, from, 0xff);
        let second = part(b, second, from, 0xff);
        let mut found = difference(b, first, second);
        if zeros == Zeros::Skip {
            let ty = b.ty(second);
            let zero = b.zero(ty);
            let skipped = b.compare(CompareOp::Equal, second, zero);
            found = b.select(skipped, zero, found);
        }
        b.binary(BinaryOp::IAdd, sum, found)
    })
}

/// Sums for the four bytes from each of the first four on, with accumulators of 16 bits.
fn quad(b: &mut Builder<'_>, bytes: Value, reference: Value, sums: Value, zeros: Zeros) -> Value {
    let wide = b.ty(sums);
    let narrow = b.types.with_scalar(wide, TypePool::I32);
    let mut result = b.zero(wide);
    for index in 0..4 {
        let four = shift(b, BinaryOp::LShr, bytes, index * 8);
        let four = b.convert(ConvertOp::Truncate, four, narrow);
        let sum = part(b, sums, index * 16, 0xffff);
        let sum = b.convert(ConvertOp::Truncate, sum, narrow);
        let sum = sad(b, four, reference, sum, zeros);
        let sum = mask(b, sum, 0xffff);
        let sum = b.convert(ConvertOp::ZeroExtend, sum, wide);
        let sum = shift(b, BinaryOp::Shl, sum, index * 16);
        result = b.binary(BinaryOp::Or, result, sum);
    }
    result
}

/// The field of a width at an offset, both modulo 32; `right` says how it is extended.
fn extract_bits(
    b: &mut Builder<'_>,
    right: BinaryOp,
    value: Value,
    offset: Value,
    width: Value,
) -> Value {
    let ty = b.ty(value);
    let offset = mask(b, offset, 31);
    let width = mask(b, width, 31);
    let all = number(b, ty, 32);
    let end = b.binary(BinaryOp::IAdd, offset, width);
    let above = b.binary(BinaryOp::ISub, all, end);
    // Counts that are not used would be too large.
    let above = mask(b, above, 31);
    let rest = b.binary(BinaryOp::ISub, all, width);
    let rest = mask(b, rest, 31);
    let inner = b.binary(BinaryOp::Shl, value, above);
    let inner = b.binary(right, inner, rest);
    let upper = b.binary(right, value, offset);
    let is_inner = b.compare(CompareOp::ULess, end, all);
    let field = b.select(is_inner, inner, upper);
    let zero = b.zero(ty);
    let is_empty = b.compare(CompareOp::Equal, width, zero);
    b.select(is_empty, zero, field)
}

fn call(b: &mut Builder<'_>, function: Intrinsic, first: Value, second: Value) -> Value {
    let ty = b.ty(first);
    b.intrinsic(function, &[first, second], ty).unwrap_or(first)
}

fn twice(
    b: &mut Builder<'_>,
    function: Intrinsic,
    first: Value,
    second: Value,
    third: Value,
) -> Value {
    let both = call(b, function, first, second);
    call(b, function, both, third)
}

fn median(
    b: &mut Builder<'_>,
    (min, max): (Intrinsic, Intrinsic),
    first: Value,
    second: Value,
    third: Value,
) -> Value {
    let least = call(b, min, first, second);
    let greatest = call(b, max, first, second);
    let rest = call(b, min, greatest, third);
    call(b, max, least, rest)
}
