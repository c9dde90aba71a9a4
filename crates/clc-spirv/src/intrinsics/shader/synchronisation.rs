//! Barriers and fences under the Vulkan memory model (SPIR-V 3.32 "Memory Semantics"; Vulkan,
//! "Memory Model"): no sequential consistency, and what becomes available or visible is said.

use clc_ir::Value;
use rspirv::spirv::{MemorySemantics, Op, Scope};

use super::super::synchronisation::{self as shared, Order, SCOPE_IS_NOT_CONSTANT};
use crate::emit::{Call, FunctionEmitter, Id};

/// A memory scope as Vulkan has it: all work-items of a launch are in one queue family, and the
/// scope Device needs a feature of its own. On buffers that are not shared virtual memory, the
/// scope of all devices is that of the device (OpenCL API, "Overview of Atomic and Fence
/// Operations").
pub(super) fn shader_scope(scope: Scope) -> Scope {
    match scope {
        Scope::Device | Scope::CrossDevice => Scope::QueueFamily,
        other => other,
    }
}

/// By the enumerator of `memory_scope`.
pub(super) fn scope_of(f: &FunctionEmitter<'_, '_>, value: Value) -> Result<Scope, &'static str> {
    Ok(shader_scope(shared::scope(f, value).ok_or(SCOPE_IS_NOT_CONSTANT)?))
}

/// What an order does to `memory`; nothing, where there is no memory.
pub(super) fn semantics(order: Order, memory: MemorySemantics) -> MemorySemantics {
    if memory.is_empty() {
        return MemorySemantics::RELAXED;
    }
    let order = match order {
        Order::Relaxed => return MemorySemantics::RELAXED,
        Order::Acquire => MemorySemantics::ACQUIRE | MemorySemantics::MAKE_VISIBLE,
        Order::Release => MemorySemantics::RELEASE | MemorySemantics::MAKE_AVAILABLE,
        Order::AcquireRelease | Order::SequentiallyConsistent => {
            MemorySemantics::ACQUIRE_RELEASE
                | MemorySemantics::MAKE_AVAILABLE
                | MemorySemantics::MAKE_VISIBLE
        }
    };
    order | memory
}

/// The memory that fence flags name; flags that are not a constant name all.
fn flagged_memory(f: &FunctionEmitter<'_, '_>, flags: Value) -> MemorySemantics {
    let flags = f.constant_int(flags).unwrap_or(3);
    let mut memory = MemorySemantics::RELAXED;
    for (bit, semantics) in [
        (1, MemorySemantics::WORKGROUP_MEMORY),
        // Buffers and what addresses point to.
        (2, MemorySemantics::UNIFORM_MEMORY),
        (4, MemorySemantics::IMAGE_MEMORY),
    ] {
        if flags & bit != 0 {
            memory |= semantics;
        }
    }
    memory
}

/// `barrier(flags)`, `work_group_barrier(flags, scope)` and the like for sub-groups.
pub(super) fn barrier(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, execution: Scope) -> Id {
    let memory_scope = match call.arguments.get(1) {
        None => execution,
        Some(&value) => match scope_of(f, value) {
            Ok(scope) => scope,
            Err(reason) => return f.unsupported(call, reason),
        },
    };
    let memory = flagged_memory(f, call.arguments[0]);
    let semantics = semantics(Order::AcquireRelease, memory);
    if execution == Scope::Subgroup {
        f.module.capability(rspirv::spirv::Capability::GroupNonUniform);
    }
    let execution = f.module.u32_constant(execution as u32);
    let memory_scope = f.module.u32_constant(memory_scope as u32);
    let semantics = f.module.u32_constant(semantics.bits());
    f.op_void(Op::ControlBarrier, &[execution, memory_scope, semantics]);
    0
}

/// `mem_fence` and its one-sided forms: they order the memory of the work-group.
pub(super) fn fence(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, order: Order) -> Id {
    memory_barrier(f, call.arguments[0], order, Scope::Workgroup)
}

/// `atomic_work_item_fence(flags, order, scope)`.
pub(super) fn work_item_fence(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let order = Order::of(f, call.arguments[1]);
    match scope_of(f, call.arguments[2]) {
        Ok(scope) => memory_barrier(f, call.arguments[0], order, scope),
        Err(reason) => f.unsupported(call, reason),
    }
}

fn memory_barrier(f: &mut FunctionEmitter<'_, '_>, flags: Value, order: Order, scope: Scope) -> Id {
    let semantics = semantics(order, flagged_memory(f, flags));
    // A relaxed fence, and one of no memory, orders nothing; neither does one of a single item.
    if semantics == MemorySemantics::RELAXED || scope == Scope::Invocation {
        return 0;
    }
    let scope = f.module.u32_constant(scope as u32);
    let semantics = f.module.u32_constant(semantics.bits());
    f.op_void(Op::MemoryBarrier, &[scope, semantics]);
    0
}
