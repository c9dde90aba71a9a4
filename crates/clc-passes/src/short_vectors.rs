//! Vectors of so few components that these may be computed with one by one.

use clc_ir::{Type, TypeKind, TypePool};

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
