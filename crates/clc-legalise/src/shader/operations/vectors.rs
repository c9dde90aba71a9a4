//! Shuffles (OpenCL C 6.15.13).

use clc_ir::{Const, Type, TypePool, Value};

use super::code::Code;

/// `shuffle(x, mask)` and `shuffle2(x, y, mask)`. Only the low bits of the mask count.
pub(super) fn shuffle(c: &mut Code<'_, '_>, vectors: &[Value], mask: Value, ty: Type) -> Value {
    let lanes = u32::from(c.lanes_of(vectors[0]));
    let limit = lanes * vectors.len() as u32;
    let (left, right) = (vectors[0], vectors[vectors.len() - 1]);
    if let Some(mask) = constant_mask(c, mask, limit) {
        return c.shuffle(left, right, &mask);
    }
    let mut parts = Vec::new();
    for lane in 0..c.types.lanes(ty) {
        let index = c.lane(mask, lane);
        let index = c.zero_extended(index, 32);
        let low_bits = c.int(TypePool::I32, u64::from(lanes) - 1);
        let inside = c.and(index, low_bits);
        let mut part = c.extract_dynamic(left, inside);
        if vectors.len() == 2 {
            let other = c.extract_dynamic(right, inside);
            let second = c.int(TypePool::I32, u64::from(lanes));
            let second = c.and(index, second);
            let zero = c.int(TypePool::I32, 0);
            let is_second = c.not_equal(second, zero);
            part = c.select(is_second, other, part);
        }
        parts.push(part);
    }
    c.construct(ty, &parts)
}

fn constant_mask(c: &Code<'_, '_>, mask: Value, limit: u32) -> Option<Vec<u32>> {
    match c.consts.get(mask.as_const()?) {
        Const::Null(_) => Some(vec![0; usize::from(c.lanes_of(mask))]),
        Const::Composite(_, parts) => parts
            .iter()
            .map(|&part| c.constant_int(part).map(|index| index as u32 & (limit - 1)))
            .collect(),
        _ => None,
    }
}
