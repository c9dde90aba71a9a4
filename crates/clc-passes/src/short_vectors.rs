//! Vectors of so few components that these may be computed with one by one.

use clc_ir::{BinaryOp, Builder, ConvertOp, Type, TypeKind, TypePool, Value};

/// Vectors with more components stay: as many scalars would be too many for a processor's registers.
pub(crate) const MAX_COMPONENTS: u8 = 4;

/// Whether a vector has no more components than are taken apart.
pub fn is_short_vector(types: &TypePool, ty: Type) -> bool {
    (2..=MAX_COMPONENTS).contains(&types.lanes(ty))
}

/// The integer that a load of a vector of parts of one can load instead, the first as its lowest bits: devices that take
/// SPIR-V are little-endian.
pub(crate) fn of_one_integer(types: &TypePool, vector: Type) -> Option<Type> {
    let TypeKind::Int(bits @ (8 | 16)) = types.kind(types.scalar(vector)) else { return None };
    match u32::from(types.lanes(vector)) * u32::from(bits) {
        32 => Some(TypePool::I32),
        64 => Some(TypePool::I64),
        _ => None,
    }
}

/// The part of a loaded integer that begins with a bit, as what it is there.
pub(crate) fn part(builder: &mut Builder<'_>, integer: Value, bit: u64, ty: Type) -> Value {
    let whole = builder.ty(integer);
    let low = match bit {
        0 => integer,
        _ => {
            let count = builder.int(whole, bit);
            builder.binary(BinaryOp::LShr, integer, count)
        }
    };
    let bits = builder.types.int(8 * builder.types.size(ty) as u8);
    let low = match bits == whole {
        true => low,
        false => builder.convert(ConvertOp::Truncate, low, bits),
    };
    builder.bitcast(low, ty)
}
