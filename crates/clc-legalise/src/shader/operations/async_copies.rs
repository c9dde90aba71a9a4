//! Asynchronous copies (OpenCL C 6.15.11) as loops that the work-items of a group share; waiting for
//! them is a barrier.

use clc_base::memory_model::{
    BarrierPart, BarrierScope, Fence, FenceMemory, MemoryOrder, MemoryScope,
};
use clc_builtins::Intrinsic;
use clc_ir::{MemFlags, MemoryAccess, StorageClass, TypePool, Value};

use super::code::Code;
use super::copies;

/// `async_work_group_copy(destination, source, count, event)`, and the strided form, which has a
/// stride before the event: of whichever operand is in `global` memory. Gives the event.
pub(super) fn copy(c: &mut Code<'_, '_>, arguments: &[Value]) -> Option<Value> {
    let (destination, source, count, stride, event) = match *arguments {
        [destination, source, count, event] => (destination, source, count, None, event),
        [destination, source, count, stride, event] => {
            (destination, source, count, Some(stride), event)
        }
        _ => return None,
    };
    let (mut element, to_class) = c.types.pointer_parts(c.ty(destination))?;
    let (_, from_class) = c.types.pointer_parts(c.ty(source))?;
    if c.types.lanes(element) == 3 {
        // As if there were four (OpenCL C 6.15.11).
        let scalar = c.types.scalar(element);
        element = c.types.vector(scalar, 4);
    }
    let (to, from) = (c.types.pointer(element, to_class), c.types.pointer(element, from_class));
    let (destination, source) = (c.bitcast(destination, to), c.bitcast(source, from));
    let size_type = c.types.size_type();
    let start = c.call(Intrinsic::GetLocalLinearId, &[], size_type);
    let mut step = None;
    for dimension in 0..3 {
        let dimension = c.int(TypePool::I32, dimension);
        let size = c.call(Intrinsic::GetLocalSize, &[dimension], size_type);
        step = Some(step.map_or(size, |step| c.imul(step, size)));
    }
    let align = c.types.align(element) as u32;
    let access = MemoryAccess { align, flags: MemFlags::default() };
    copies::strided_loop(c, start, count, step?, |c, index| {
        let strided = stride.map_or(index, |stride| c.imul(index, stride));
        let (to, from) = match to_class {
            StorageClass::CrossWorkgroup => (strided, index),
            _ => (index, strided),
        };
        let from = c.ptr_add(source, from);
        let to = c.ptr_add(destination, to);
        let value = c.load(from, access);
        c.store(to, value, access);
    });
    Some(event)
}

/// `wait_group_events(count, events)`
pub(super) fn wait(c: &mut Code<'_, '_>) {
    let fence = Fence {
        memory: FenceMemory::LOCAL.union(FenceMemory::GLOBAL),
        order: MemoryOrder::SequentiallyConsistent,
        scope: MemoryScope::WorkGroup,
    };
    c.barrier(BarrierScope::WorkGroup, BarrierPart::Whole, fence);
}
