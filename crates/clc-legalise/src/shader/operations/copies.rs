//! Copies of memory, for which shaders have no instruction: element by element.

use clc_ir::{MemoryAccess, StorageClass, Type, TypeKind, TypePool, Value};

use super::code::Code;

/// Elements that are copied one after the other; more are a loop.
const STRAIGHT: u64 = 16;

/// Copies `size` bytes, which is not a constant for copies that the source makes with a loop anyway.
/// `None` if it cannot be said: the size is unknown.
pub(super) fn copy(
    c: &mut Code<'_, '_>,
    [destination, source]: [Value; 2],
    size: Value,
    access: MemoryAccess,
) -> Option<()> {
    let size = c.constant_int(size)?;
    let (to, to_class) = c.types.pointer_parts(c.ty(destination))?;
    let (from, from_class) = c.types.pointer_parts(c.ty(source))?;
    // Elements of their own type, so that variables which are accessed as what they are stay so.
    if let (TypeKind::Array(element, count), true) = (c.types.kind(to), to == from)
        && c.types.size(to) == size
        && is_simple(c, element)
        && c.types.size(element).is_multiple_of(u64::from(access.align))
    {
        let element_access = MemoryAccess { align: access.align, ..access };
        each(c, count, |c, index| {
            let zero_based = [index];
            let from = c.access(source, &zero_based);
            let to = c.access(destination, &zero_based);
            let value = c.load(from, element_access);
            c.store(to, value, element_access);
        });
        return Some(());
    }
    let mut offset = 0;
    for (bytes, ty) in units(c, access.align) {
        let count = (size - offset) / bytes;
        if count == 0 {
            continue;
        }
        let source = typed(c, source, ty, from_class, offset / bytes);
        let destination = typed(c, destination, ty, to_class, offset / bytes);
        let unit = MemoryAccess { align: bytes as u32, ..access };
        each(c, count, |c, index| {
            let from = c.ptr_add(source, index);
            let to = c.ptr_add(destination, index);
            let value = c.load(from, unit);
            c.store(to, value, unit);
        });
        offset += count * bytes;
    }
    Some(())
}

fn is_simple(c: &Code<'_, '_>, ty: Type) -> bool {
    matches!(c.types.kind(ty), TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Vector(..))
        && c.types.lanes(ty) != 3
}

/// What is copied at once at an alignment, the largest first, with their sizes.
fn units(c: &mut Code<'_, '_>, align: u32) -> Vec<(u64, Type)> {
    let words = [c.types.vector(TypePool::I32, 4), c.types.vector(TypePool::I32, 2)];
    [(16, words[0]), (8, words[1]), (4, TypePool::I32), (2, TypePool::I16), (1, TypePool::I8)]
        .into_iter()
        .filter(|&(bytes, _)| bytes <= u64::from(align))
        .collect()
}

/// `pointer` as a pointer to `ty`, `index` of them further.
fn typed(c: &mut Code<'_, '_>, pointer: Value, ty: Type, class: StorageClass, index: u64) -> Value {
    let to = c.types.pointer(ty, class);
    let pointer = c.bitcast(pointer, to);
    if index == 0 {
        return pointer;
    }
    let index = c.int(TypePool::I64, index);
    c.ptr_add(pointer, index)
}

/// Calls `body` for each index below `count`, or once in a loop.
fn each(c: &mut Code<'_, '_>, count: u64, mut body: impl FnMut(&mut Code<'_, '_>, Value)) {
    if count <= STRAIGHT {
        for index in 0..count {
            let index = c.int(TypePool::I32, index);
            body(c, index);
        }
        return;
    }
    let ty = TypePool::I32;
    let (start, step) = (c.int(ty, 0), c.int(ty, 1));
    let end = c.int(ty, count);
    strided_loop(c, start, end, step, body);
}

/// A loop over `start`, `start + step`, … below `end`, unsigned; afterwards the code goes on in a
/// block of its own.
pub(super) fn strided_loop(
    c: &mut Code<'_, '_>,
    start: Value,
    end: Value,
    step: Value,
    mut body: impl FnMut(&mut Code<'_, '_>, Value),
) {
    let (header, inside, after) = (c.new_block(), c.new_block(), c.new_block());
    let ty = c.ty(start);
    let index = c.function.add_block_param(header, ty);
    c.jump(header, &[start]);
    c.switch_to(header);
    let goes_on = c.ult(index, end);
    c.branch(goes_on, inside, after);
    c.switch_to(inside);
    body(c, index);
    let next = c.iadd(index, step);
    c.jump(header, &[next]);
    c.switch_to(after);
}
