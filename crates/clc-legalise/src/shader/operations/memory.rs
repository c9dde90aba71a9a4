//! Loads and stores of vectors and of halves (OpenCL C 6.15.7), as plain accesses.

use clc_builtins::resolve::Rounding;
use clc_ir::{ConvertOp, MemoryAccess, StorageClass, Type, TypePool, Value};

use super::code::Code;
use super::conversions::{half_to_float, narrowed};
use super::formats::Format;

/// The address of vector `offset`, vectors being `stride` elements apart, as a pointer to `ty`.
fn address(c: &mut Code<'_, '_>, pointer: Value, offset: Value, stride: u8, ty: Type) -> Value {
    let offset = if stride == 1 {
        offset
    } else {
        let stride = c.int_like(offset, u64::from(stride));
        c.imul(offset, stride)
    };
    let element = c.ptr_add(pointer, offset);
    let Some((_, class)) = c.types.pointer_parts(c.ty(element)) else { return element };
    let pointer = c.types.pointer(ty, class);
    c.bitcast(element, pointer)
}

/// `vloadn(offset, pointer)`: aligned as an element.
pub(super) fn vload(c: &mut Code<'_, '_>, [offset, pointer]: [Value; 2], ty: Type) -> Value {
    let lanes = c.types.lanes(ty);
    let align = c.types.size(c.types.scalar(ty));
    let address = address(c, pointer, offset, lanes, ty);
    c.load(address, MemoryAccess::aligned(align as u32))
}

/// `vstoren(data, offset, pointer)`
pub(super) fn vstore(c: &mut Code<'_, '_>, [data, offset, pointer]: [Value; 3]) {
    let ty = c.ty(data);
    let lanes = c.types.lanes(ty);
    let align = c.types.size(c.types.scalar(ty));
    let address = address(c, pointer, offset, lanes, ty);
    c.store(address, data, MemoryAccess::aligned(align as u32));
}

/// Where a vector of halves is and how it is aligned: `vloada_half3` and `vstorea_half3` count in
/// fours, and all of `vloada_*` and `vstorea_*` are aligned as a whole.
fn half_layout(lanes: u8, aligned: bool) -> (u8, u64) {
    if aligned {
        let stride = lanes.next_power_of_two();
        (stride, u64::from(stride) * 2)
    } else {
        (lanes, 2)
    }
}

/// `vload_half(offset, pointer)` and its vector forms, which give floats.
pub(super) fn vload_half(
    c: &mut Code<'_, '_>,
    [offset, pointer]: [Value; 2],
    ty: Type,
    aligned: bool,
) -> Value {
    let (stride, align) = half_layout(c.types.lanes(ty), aligned);
    let shorts = c.types.with_scalar(ty, TypePool::I16);
    let address = address(c, pointer, offset, stride, shorts);
    let bits = c.load(address, MemoryAccess::aligned(align as u32));
    half_to_float(c, bits, ty)
}

/// `vstore_half(data, offset, pointer)` and its forms for vectors and rounding modes, of floats and
/// doubles.
pub(super) fn vstore_half(
    c: &mut Code<'_, '_>,
    [data, offset, pointer]: [Value; 3],
    rounding: Option<Rounding>,
    aligned: bool,
) {
    let ty = c.ty(data);
    let (stride, align) = half_layout(c.types.lanes(ty), aligned);
    let rounding = rounding.unwrap_or(Rounding::NearestEven);
    let in_buffer =
        matches!(c.types.pointer_parts(c.ty(pointer)), Some((_, StorageClass::CrossWorkgroup)));
    // How it rounds is said by `stored_halves`, once all stores are there.
    let has_instruction = c.halves.store
        && in_buffer
        && rounding == Rounding::NearestEven
        && c.format_of(data) == Format::FLOAT;
    let halves = if has_instruction {
        let halves = c.types.with_scalar(ty, TypePool::F16);
        c.convert(ConvertOp::FToF, data, halves)
    } else {
        narrowed(c, data, Format::HALF, rounding)
    };
    let stored = c.ty(halves);
    let address = address(c, pointer, offset, stride, stored);
    c.store(address, halves, MemoryAccess::aligned(align as u32));
}
