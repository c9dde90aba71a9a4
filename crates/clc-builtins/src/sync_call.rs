//! Calls of atomics, fences and barriers, as programs write them.
//!
//! Orders, scopes and flags are arguments here; `clc-lower` makes of them instructions that have these
//! in their fields, so that no later stage asks what an argument means or whether it is there.

use clc_base::memory_model::AtomicOp;

use crate::effects::Effects;

/// A function of OpenCL C 6.15.8 and 6.15.12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyncCall {
    /// `barrier` and `work_group_barrier`. Operands: flags, optionally scope.
    Barrier,
    /// Operands: flags, optionally scope.
    SubGroupBarrier,
    /// cl_intel_split_work_group_barrier. Operands: flags, optionally scope.
    SplitBarrierArrive,
    /// cl_intel_split_work_group_barrier. Operands: flags, optionally scope.
    SplitBarrierWait,
    /// Operand: flags.
    MemFence,
    /// `read_mem_fence`. Operand: flags.
    ReadMemFence,
    /// `write_mem_fence`. Operand: flags.
    WriteMemFence,
    /// Operands: flags, order, scope.
    AtomicWorkItemFence,

    /// The atomics of OpenCL C 1.x (`atomic_add`, `atom_add`): relaxed, device scope. Operands:
    /// pointer, value.
    Atomic(AtomicOp),
    /// Operand: pointer.
    AtomicIncrement,
    /// `atomic_dec`. Operand: pointer.
    AtomicDecrement,
    /// Operands: pointer, comparand, value.
    AtomicCmpxchg,

    /// Operands: pointer, value.
    AtomicInit,
    /// Operands: pointer, then optionally order and scope, as of all that follow (by default
    /// sequentially consistent for the device).
    AtomicLoad,
    /// Operands: pointer, value, …
    AtomicStore,
    /// `atomic_fetch_*` and `atomic_exchange`. Operands: pointer, value, …
    AtomicFetch(AtomicOp),
    /// `atomic_fetch_sub` of floating-point numbers. Operands: pointer, value, …
    AtomicFetchSubFloat,
    /// Operands: pointer, pointer to expected, desired, then optionally success order, failure order,
    /// scope.
    AtomicCompareExchangeStrong,
    /// As [`SyncCall::AtomicCompareExchangeStrong`]; may fail spuriously.
    AtomicCompareExchangeWeak,
    /// Operands: pointer, …
    AtomicFlagTestAndSet,
    /// Operands: pointer, …
    AtomicFlagClear,
}

impl SyncCall {
    /// Every call.
    pub fn all() -> impl Iterator<Item = SyncCall> {
        let ops = AtomicOp::ALL
            .into_iter()
            .flat_map(|op| [SyncCall::Atomic(op), SyncCall::AtomicFetch(op)]);
        [
            SyncCall::Barrier,
            SyncCall::SubGroupBarrier,
            SyncCall::SplitBarrierArrive,
            SyncCall::SplitBarrierWait,
            SyncCall::MemFence,
            SyncCall::ReadMemFence,
            SyncCall::WriteMemFence,
            SyncCall::AtomicWorkItemFence,
            SyncCall::AtomicIncrement,
            SyncCall::AtomicDecrement,
            SyncCall::AtomicCmpxchg,
            SyncCall::AtomicInit,
            SyncCall::AtomicLoad,
            SyncCall::AtomicStore,
            SyncCall::AtomicFetchSubFloat,
            SyncCall::AtomicCompareExchangeStrong,
            SyncCall::AtomicCompareExchangeWeak,
            SyncCall::AtomicFlagTestAndSet,
            SyncCall::AtomicFlagClear,
        ]
        .into_iter()
        .chain(ops)
    }

    /// Whether work-items wait for each other.
    pub fn is_barrier(self) -> bool {
        match self {
            SyncCall::Barrier
            | SyncCall::SubGroupBarrier
            | SyncCall::SplitBarrierArrive
            | SyncCall::SplitBarrierWait => true,
            SyncCall::MemFence
            | SyncCall::ReadMemFence
            | SyncCall::WriteMemFence
            | SyncCall::AtomicWorkItemFence
            | SyncCall::Atomic(_)
            | SyncCall::AtomicIncrement
            | SyncCall::AtomicDecrement
            | SyncCall::AtomicCmpxchg
            | SyncCall::AtomicInit
            | SyncCall::AtomicLoad
            | SyncCall::AtomicStore
            | SyncCall::AtomicFetch(_)
            | SyncCall::AtomicFetchSubFloat
            | SyncCall::AtomicCompareExchangeStrong
            | SyncCall::AtomicCompareExchangeWeak
            | SyncCall::AtomicFlagTestAndSet
            | SyncCall::AtomicFlagClear => false,
        }
    }

    /// What the call does beyond computing its result.
    pub fn effects(self) -> Effects {
        if self.is_barrier() { Effects::BARRIER } else { Effects::WRITES }
    }
}
