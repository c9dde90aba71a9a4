//! Work-item functions where a launch may be cut into *regions*, each a dispatch with work-groups of one
//! size: at the edge of a launch that is no multiple of the work-group's size they are smaller. Vulkan
//! counts ids from where a region begins, and knows nothing of the launch, so the host tells where that is
//! and what the launch as a whole is. The size of a work-group is the region's.

use clc_builtins::Intrinsic as I;
use clc_ir::{BinaryOp, ConvertOp, TypePool, Value};

use crate::shader::host_values::{Code, HostValue};

/// What the value of a work-item function is computed from; nothing if it is a built-in variable.
pub(super) fn asks_for(function: I) -> &'static [HostValue] {
    match function {
        I::GetGlobalId => &[HostValue::RegionOffset],
        I::GetGlobalOffset => &[HostValue::GlobalOffset],
        I::GetGlobalSize => &[HostValue::GlobalSize],
        I::GetGlobalLinearId => {
            &[HostValue::RegionOffset, HostValue::GlobalOffset, HostValue::GlobalSize]
        }
        I::GetGroupId => &[HostValue::RegionGroupOffset],
        I::GetNumGroups => &[HostValue::NumGroups],
        I::GetLocalSize => &[HostValue::LocalSize],
        I::GetEnqueuedLocalSize | I::GetEnqueuedNumSubGroups => &[HostValue::EnqueuedLocalSize],
        I::GetWorkDim => &[HostValue::WorkDim],
        _ => &[],
    }
}

/// The value of a work-item function that asks for something, other than the number of dimensions, which
/// each convention tells in its own way.
pub(super) fn work_item(code: &mut Code<'_, '_>, function: I, dimension: Value) -> Value {
    match function {
        I::GetGlobalOffset => code.part(HostValue::GlobalOffset, dimension, 0),
        I::GetLocalSize => code.local_size(dimension),
        I::GetEnqueuedLocalSize => code.part(HostValue::EnqueuedLocalSize, dimension, 1),
        I::GetGlobalSize => code.part(HostValue::GlobalSize, dimension, 1),
        I::GetNumGroups => code.part(HostValue::NumGroups, dimension, 1),
        I::GetGlobalId => global_id(code, dimension),
        I::GetGroupId => {
            let id = code.built_in(I::GetGroupId, dimension);
            let offset = code.part(HostValue::RegionGroupOffset, dimension, 0);
            code.b.binary(BinaryOp::IAdd, id, offset)
        }
        I::GetEnqueuedNumSubGroups => enqueued_sub_groups(code),
        _ => code.linear_id(|code, dimension| {
            let id = global_id(code, dimension);
            let offset = code.part(HostValue::GlobalOffset, dimension, 0);
            let id = code.b.binary(BinaryOp::ISub, id, offset);
            (id, code.part(HostValue::GlobalSize, dimension, 1))
        }),
    }
}

fn global_id(code: &mut Code<'_, '_>, dimension: Value) -> Value {
    let id = code.built_in(I::GetGlobalId, dimension);
    let offset = code.part(HostValue::RegionOffset, dimension, 0);
    code.b.binary(BinaryOp::IAdd, id, offset)
}

/// The number of sub-groups of a work-group as it was asked for, which those at the edge may not have.
fn enqueued_sub_groups(code: &mut Code<'_, '_>) -> Value {
    let mut items = code.b.int(TypePool::I64, 1);
    for dimension in 0..3 {
        let dimension = code.b.i32(dimension);
        let size = code.part(HostValue::EnqueuedLocalSize, dimension, 1);
        items = code.b.binary(BinaryOp::IMul, items, size);
    }
    let items = code.b.convert(ConvertOp::Truncate, items, TypePool::I32);
    let undef = code.b.undef(TypePool::I32);
    let most = code.b.intrinsic(I::GetMaxSubGroupSize, &[], TypePool::I32).unwrap_or(undef);
    let one = code.b.i32(1);
    let rest = code.b.binary(BinaryOp::ISub, most, one);
    let items = code.b.binary(BinaryOp::IAdd, items, rest);
    code.b.binary(BinaryOp::UDiv, items, most)
}
