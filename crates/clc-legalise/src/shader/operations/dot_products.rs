//! Dot products of four bytes (OpenCL C 6.15.3), for targets without an instruction for them.

use clc_builtins::DotSigns;
use clc_ir::{TypePool, Value};

use super::code::Code;
use super::integer;

/// Of two vectors of four bytes, or two words that hold as many; with a third operand, which the
/// product is added to with saturation.
pub(super) fn dot(c: &mut Code<'_, '_>, arguments: &[Value], signs: DotSigns) -> Value {
    let (left_signed, right_signed) = match signs {
        DotSigns::UnsignedUnsigned => (false, false),
        DotSigns::SignedSigned => (true, true),
        DotSigns::UnsignedSigned => (false, true),
        DotSigns::SignedUnsigned => (true, false),
    };
    let bytes = c.types.vector(TypePool::I8, 4);
    let (left, right) = (c.bitcast(arguments[0], bytes), c.bitcast(arguments[1], bytes));
    let left = c.extended(left, 32, left_signed);
    let right = c.extended(right, 32, right_signed);
    let products = c.imul(left, right);
    let mut sum = c.lane(products, 0);
    for lane in 1..4 {
        let product = c.lane(products, lane);
        sum = c.iadd(sum, product);
    }
    match arguments.get(2) {
        None => sum,
        Some(&accumulator) => integer::add_sat(c, [sum, accumulator], left_signed || right_signed),
    }
}
