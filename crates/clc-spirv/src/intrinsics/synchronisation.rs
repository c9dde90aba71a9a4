//! Barriers and fences, and what atomics share with them: scopes and memory semantics.

use clc_ir::Value;
use rspirv::spirv::{Capability, MemorySemantics, Op, Scope};

use crate::emit::{Call, FunctionEmitter, Id};

/// `memory_order` by the values of its enumerators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

impl Order {
    /// An order that is not a constant is the strongest.
    pub fn of(f: &FunctionEmitter<'_, '_>, value: Value) -> Order {
        match f.constant_int(value) {
            Some(0) => Order::Relaxed,
            // Consume is treated as acquire.
            Some(1 | 2) => Order::Acquire,
            Some(3) => Order::Release,
            Some(4) => Order::AcquireRelease,
            _ => Order::SequentiallyConsistent,
        }
    }

    pub fn semantics(self) -> MemorySemantics {
        match self {
            Order::Relaxed => MemorySemantics::RELAXED,
            Order::Acquire => MemorySemantics::ACQUIRE,
            Order::Release => MemorySemantics::RELEASE,
            Order::AcquireRelease => MemorySemantics::ACQUIRE_RELEASE,
            Order::SequentiallyConsistent => MemorySemantics::SEQUENTIALLY_CONSISTENT,
        }
    }
}

/// `memory_scope` by the values of its enumerators, as the scope of SPIR-V; `None` if it is not a
/// constant.
pub(super) fn scope(f: &FunctionEmitter<'_, '_>, value: Value) -> Option<Scope> {
    match f.constant_int(value)? {
        0 => Some(Scope::Invocation),
        1 => Some(Scope::Workgroup),
        2 => Some(Scope::Device),
        3 => Some(Scope::CrossDevice),
        4 => Some(Scope::Subgroup),
        _ => None,
    }
}

pub(super) const SCOPE_IS_NOT_CONSTANT: &str = "the memory scope is not a constant";

/// The memory that fence flags name; flags that are not a constant name all.
fn flagged_memory(f: &FunctionEmitter<'_, '_>, flags: Value) -> MemorySemantics {
    let flags = f.constant_int(flags).unwrap_or(3);
    let mut memory = MemorySemantics::RELAXED;
    for (bit, semantics) in [
        (1, MemorySemantics::WORKGROUP_MEMORY),
        (2, MemorySemantics::CROSS_WORKGROUP_MEMORY),
        (4, MemorySemantics::IMAGE_MEMORY),
    ] {
        if flags & bit != 0 {
            memory |= semantics;
        }
    }
    memory
}

/// `barrier(flags)`, `work_group_barrier(flags, scope)` and the like for sub-groups.
pub(super) fn barrier(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    op: Op,
    execution: Scope,
) -> Id {
    let memory = match call.arguments.get(1) {
        None => execution,
        Some(&value) => match scope(f, value) {
            Some(scope) => scope,
            None => return f.unsupported(call, SCOPE_IS_NOT_CONSTANT),
        },
    };
    let semantics = MemorySemantics::SEQUENTIALLY_CONSISTENT | flagged_memory(f, call.arguments[0]);
    let execution = f.module.u32_constant(execution as u32);
    let memory = f.module.u32_constant(memory as u32);
    let semantics = f.module.u32_constant(semantics.bits());
    f.op_void(op, &[execution, memory, semantics]);
    0
}

/// cl_intel_split_work_group_barrier.
pub(super) fn split_barrier(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    f.module.capability(Capability::SplitBarrierINTEL);
    f.module.extension("SPV_INTEL_split_barrier");
    barrier(f, call, op, Scope::Workgroup)
}

/// `mem_fence` and its one-sided forms: they order the memory of the work-group.
pub(super) fn fence(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, order: Order) -> Id {
    memory_barrier(f, call.arguments[0], order, Scope::Workgroup)
}

/// `atomic_work_item_fence(flags, order, scope)`.
pub(super) fn work_item_fence(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let order = Order::of(f, call.arguments[1]);
    match scope(f, call.arguments[2]) {
        Some(scope) => memory_barrier(f, call.arguments[0], order, scope),
        None => f.unsupported(call, SCOPE_IS_NOT_CONSTANT),
    }
}

fn memory_barrier(f: &mut FunctionEmitter<'_, '_>, flags: Value, order: Order, scope: Scope) -> Id {
    let memory = flagged_memory(f, flags);
    // A relaxed fence, and one of no memory, orders nothing.
    if order == Order::Relaxed || memory == MemorySemantics::RELAXED {
        return 0;
    }
    let scope = f.module.u32_constant(scope as u32);
    let semantics = f.module.u32_constant((order.semantics() | memory).bits());
    f.op_void(Op::MemoryBarrier, &[scope, semantics]);
    0
}
