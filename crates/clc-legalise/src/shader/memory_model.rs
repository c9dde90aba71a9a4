//! Orders and scopes as the Vulkan memory model has them (Vulkan, "Memory Model"; SPIR-V 3.25, 3.27).
//!
//! * There is no sequential consistency; what is left of it is acquire and release (which the emitter of SPIR-V makes
//!   of it, for it orders more memory than these), and a fence before each load. A load alone acquires, but lets
//!   earlier stores to other objects wait; what modifies an object releases before. That is as much as the model can
//!   say, and litmus tests find nothing else missing (`docs/fuzzing.md`).
//! * A launch is on one device: on buffers that are not shared virtual memory the scope of all devices
//!   is that of the device (OpenCL API, "Overview of Atomic and Fence Operations").
//! * What holds for the work-item itself orders nothing (VUID-StandaloneSpirv-None-04641).
//! * A barrier has no halves: work-items meet where the second half is.

use clc_base::memory_model::{BarrierPart, Fence, FenceMemory, MemoryOrder, MemoryScope, Ordering};
use clc_ir::{InstKind, MathFlags, Module};

pub(crate) fn run(module: &mut Module) {
    for function in module.functions.values_mut() {
        for index in 0..function.layout.len() {
            let block = function.layout[index];
            let insts = std::mem::take(&mut function.blocks[block].insts);
            let mut legal = Vec::with_capacity(insts.len());
            for inst in insts {
                if let Some(fence) = fence_before(&function.insts[inst].kind) {
                    let location = function.insts[inst].location;
                    let kind = InstKind::Fence(fence);
                    legal.push(function.create_inst(kind, None, MathFlags::NONE, location));
                }
                if change(&mut function.insts[inst].kind) {
                    legal.push(inst);
                }
            }
            function.blocks[block].insts = legal;
        }
    }
}

/// What orders the stores of a work-item before a load that is sequentially consistent.
fn fence_before(kind: &InstKind) -> Option<Fence> {
    match kind {
        InstKind::AtomicLoad { ordering, .. }
            if ordering.order == MemoryOrder::SequentiallyConsistent
                && ordering.scope != MemoryScope::WorkItem =>
        {
            let memory = FenceMemory::LOCAL.union(FenceMemory::GLOBAL);
            Some(legal_fence(Fence { memory, order: ordering.order, scope: ordering.scope }))
        }
        _ => None,
    }
}

/// Returns whether the instruction stays.
fn change(kind: &mut InstKind) -> bool {
    match kind {
        InstKind::AtomicLoad { pointer: _, ordering } => {
            *ordering = legal(*ordering);
            ordering.order = ordering.order.of_load();
        }
        InstKind::AtomicStore { pointer: _, value: _, ordering } => {
            *ordering = legal(*ordering);
            ordering.order = ordering.order.of_store();
        }
        InstKind::AtomicModify { op: _, pointer: _, value: _, ordering } => {
            *ordering = legal(*ordering);
        }
        InstKind::AtomicCompareExchange {
            pointer: _,
            comparand: _,
            desired: _,
            ordering,
            failure,
        } => {
            let failed = Ordering { order: *failure, ..*ordering };
            *ordering = legal(*ordering);
            *failure = legal(failed).order.of_load();
        }
        InstKind::Fence(fence) => {
            *fence = legal_fence(*fence);
            return fence.order != MemoryOrder::Relaxed;
        }
        InstKind::Barrier { execution: _, part, fence } => {
            *fence = legal_fence(*fence);
            return match part {
                BarrierPart::Arrive => false,
                BarrierPart::Whole | BarrierPart::Wait => {
                    *part = BarrierPart::Whole;
                    true
                }
            };
        }
        _ => {}
    }
    true
}

fn legal(ordering: Ordering) -> Ordering {
    let order = match ordering.scope {
        MemoryScope::WorkItem => MemoryOrder::Relaxed,
        MemoryScope::SubGroup
        | MemoryScope::WorkGroup
        | MemoryScope::Device
        | MemoryScope::AllDevices => ordering.order,
    };
    Ordering { order, scope: scope(ordering.scope) }
}

fn legal_fence(fence: Fence) -> Fence {
    let Ordering { order, scope } = legal(Ordering { order: fence.order, scope: fence.scope });
    Fence { order, scope, ..fence }
}

fn scope(scope: MemoryScope) -> MemoryScope {
    match scope {
        MemoryScope::AllDevices => MemoryScope::Device,
        MemoryScope::WorkItem
        | MemoryScope::SubGroup
        | MemoryScope::WorkGroup
        | MemoryScope::Device => scope,
    }
}
