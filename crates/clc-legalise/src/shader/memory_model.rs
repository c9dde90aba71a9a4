//! Orders and scopes as the Vulkan memory model has them (Vulkan, "Memory Model"; SPIR-V 3.25, 3.27).
//!
//! * There is no sequential consistency; what is left of it is acquire and release.
//! * A launch is on one device: on buffers that are not shared virtual memory the scope of all devices
//!   is that of the device (OpenCL API, "Overview of Atomic and Fence Operations").
//! * What holds for the work-item itself orders nothing (VUID-StandaloneSpirv-None-04641).
//! * A barrier has no halves: work-items meet where the second half is.

use clc_base::memory_model::{BarrierPart, Fence, MemoryOrder, MemoryScope, Ordering};
use clc_ir::{InstKind, Module};

pub(crate) fn run(module: &mut Module) {
    for function in module.functions.values_mut() {
        for index in 0..function.layout.len() {
            let block = function.layout[index];
            let mut insts = std::mem::take(&mut function.blocks[block].insts);
            insts.retain(|&inst| change(&mut function.insts[inst].kind));
            function.blocks[block].insts = insts;
        }
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
        | MemoryScope::AllDevices => order(ordering.order),
    };
    Ordering { order, scope: scope(ordering.scope) }
}

fn legal_fence(fence: Fence) -> Fence {
    let Ordering { order, scope } = legal(Ordering { order: fence.order, scope: fence.scope });
    Fence { order, scope, ..fence }
}

fn order(order: MemoryOrder) -> MemoryOrder {
    match order {
        MemoryOrder::SequentiallyConsistent => MemoryOrder::AcquireRelease,
        MemoryOrder::Relaxed
        | MemoryOrder::Acquire
        | MemoryOrder::Release
        | MemoryOrder::AcquireRelease => order,
    }
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
