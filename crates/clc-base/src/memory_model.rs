//! The vocabulary of synchronisation: what atomics do, in which order, for whom, and which memory a
//! fence concerns (OpenCL C 6.15.12 and OpenCL API, "Memory Consistency Model").

/// `memory_order` (OpenCL C 6.15.12.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryOrder {
    /// Orders nothing but accesses of one object.
    Relaxed,
    /// Acquires: later accesses stay behind the operation.
    Acquire,
    /// Releases: earlier accesses stay in front of the operation.
    Release,
    /// Acquires and releases.
    AcquireRelease,
    /// Acquires and releases, and all such operations have one total order.
    SequentiallyConsistent,
}

impl MemoryOrder {
    /// All orders, in the order of their numbers in the language.
    pub const ALL: [MemoryOrder; 5] = [
        MemoryOrder::Relaxed,
        MemoryOrder::Acquire,
        MemoryOrder::Release,
        MemoryOrder::AcquireRelease,
        MemoryOrder::SequentiallyConsistent,
    ];

    /// By the value of the enumerator; `memory_order_consume` (1) is not part of OpenCL C and taken as
    /// the stronger acquire.
    pub fn from_number(number: u64) -> Option<MemoryOrder> {
        Some(match number {
            0 => MemoryOrder::Relaxed,
            1 | 2 => MemoryOrder::Acquire,
            3 => MemoryOrder::Release,
            4 => MemoryOrder::AcquireRelease,
            5 => MemoryOrder::SequentiallyConsistent,
            _ => return None,
        })
    }

    /// The part of an order that a load can have, for it releases nothing. That of a failed
    /// compare-exchange is one too (OpenCL C 6.15.12.7.2 and 6.15.12.7.4: the order "shall not be"
    /// one that releases).
    pub fn of_load(self) -> MemoryOrder {
        match self {
            MemoryOrder::Release => MemoryOrder::Relaxed,
            MemoryOrder::AcquireRelease => MemoryOrder::Acquire,
            MemoryOrder::Relaxed | MemoryOrder::Acquire | MemoryOrder::SequentiallyConsistent => {
                self
            }
        }
    }

    /// The order of a compare-exchange that succeeds, where it is to be no weaker than the order
    /// `failure` of one that fails (SPIR-V 3.52.18, OpAtomicCompareExchange).
    pub fn at_least(self, failure: MemoryOrder) -> MemoryOrder {
        match (self, failure.of_load()) {
            (_, MemoryOrder::SequentiallyConsistent) => MemoryOrder::SequentiallyConsistent,
            (MemoryOrder::Relaxed, MemoryOrder::Acquire) => MemoryOrder::Acquire,
            (MemoryOrder::Release, MemoryOrder::Acquire) => MemoryOrder::AcquireRelease,
            (order, _) => order,
        }
    }

    /// The part of an order that a store can have, for it acquires nothing (OpenCL C 6.15.12.7.1).
    pub fn of_store(self) -> MemoryOrder {
        match self {
            MemoryOrder::Acquire => MemoryOrder::Relaxed,
            MemoryOrder::AcquireRelease => MemoryOrder::Release,
            MemoryOrder::Relaxed | MemoryOrder::Release | MemoryOrder::SequentiallyConsistent => {
                self
            }
        }
    }
}

/// `memory_scope` (OpenCL C 6.15.12.4): the work-items among which an order holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryScope {
    /// `memory_scope_work_item`: for images.
    WorkItem,
    /// `memory_scope_sub_group`
    SubGroup,
    /// `memory_scope_work_group`
    WorkGroup,
    /// `memory_scope_device`
    Device,
    /// All devices that share the memory, and the host.
    AllDevices,
}

impl MemoryScope {
    /// All scopes, in the order of their numbers in the language.
    pub const ALL: [MemoryScope; 5] = [
        MemoryScope::WorkItem,
        MemoryScope::SubGroup,
        MemoryScope::WorkGroup,
        MemoryScope::Device,
        MemoryScope::AllDevices,
    ];

    /// By the value of the enumerator.
    pub fn from_number(number: u64) -> Option<MemoryScope> {
        Some(match number {
            0 => MemoryScope::WorkItem,
            1 => MemoryScope::WorkGroup,
            2 => MemoryScope::Device,
            3 => MemoryScope::AllDevices,
            4 => MemoryScope::SubGroup,
            _ => return None,
        })
    }
}

/// How an atomic is ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ordering {
    /// What the operation orders.
    pub order: MemoryOrder,
    /// The work-items among which that holds.
    pub scope: MemoryScope,
}

impl Ordering {
    /// That of the atomics of OpenCL C 1.x.
    pub const RELAXED: Ordering =
        Ordering { order: MemoryOrder::Relaxed, scope: MemoryScope::Device };
    /// That of C11's atomics without an argument for it.
    pub const DEFAULT: Ordering =
        Ordering { order: MemoryOrder::SequentiallyConsistent, scope: MemoryScope::Device };
}

/// The modification that an atomic makes; it returns what was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    /// The sum of integers, which wraps.
    IAdd,
    /// The difference of integers, which wraps.
    ISub,
    /// The sum of floats.
    FAdd,
    /// The lesser signed integer.
    SMin,
    /// The lesser unsigned integer.
    UMin,
    /// The lesser float.
    FMin,
    /// The greater signed integer.
    SMax,
    /// The greater unsigned integer.
    UMax,
    /// The greater float.
    FMax,
    /// Bitwise.
    And,
    /// Bitwise.
    Or,
    /// Bitwise.
    Xor,
    /// The other operand.
    Exchange,
}

impl AtomicOp {
    /// All modifications.
    pub const ALL: [AtomicOp; 13] = [
        AtomicOp::IAdd,
        AtomicOp::ISub,
        AtomicOp::FAdd,
        AtomicOp::SMin,
        AtomicOp::UMin,
        AtomicOp::FMin,
        AtomicOp::SMax,
        AtomicOp::UMax,
        AtomicOp::FMax,
        AtomicOp::And,
        AtomicOp::Or,
        AtomicOp::Xor,
        AtomicOp::Exchange,
    ];

    /// Whether it computes with floating-point numbers. An exchange computes nothing.
    pub fn is_float(self) -> bool {
        match self {
            AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax => true,
            AtomicOp::IAdd
            | AtomicOp::ISub
            | AtomicOp::SMin
            | AtomicOp::UMin
            | AtomicOp::SMax
            | AtomicOp::UMax
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::Exchange => false,
        }
    }
}

/// A set of kinds of memory (`cl_mem_fence_flags`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FenceMemory(u8);

impl FenceMemory {
    /// No memory.
    pub const NONE: FenceMemory = FenceMemory(0);
    /// `CLK_LOCAL_MEM_FENCE`
    pub const LOCAL: FenceMemory = FenceMemory(1);
    /// `CLK_GLOBAL_MEM_FENCE`
    pub const GLOBAL: FenceMemory = FenceMemory(2);
    /// `CLK_IMAGE_MEM_FENCE`
    pub const IMAGE: FenceMemory = FenceMemory(4);
    /// Every kind of memory.
    pub const ALL: FenceMemory = FenceMemory(7);

    /// By the flags' bits; others mean nothing.
    pub fn from_flags(flags: u64) -> FenceMemory {
        FenceMemory((flags & 7) as u8)
    }

    /// Whether all of `part` is in the set.
    pub fn has(self, part: FenceMemory) -> bool {
        self.0 & part.0 == part.0
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self == FenceMemory::NONE
    }

    /// What is in either set.
    pub fn union(self, other: FenceMemory) -> FenceMemory {
        FenceMemory(self.0 | other.0)
    }
}

/// What a fence orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fence {
    /// The memory whose accesses are ordered.
    pub memory: FenceMemory,
    /// Which accesses stay on which side of it.
    pub order: MemoryOrder,
    /// The work-items among which that holds.
    pub scope: MemoryScope,
}

/// The work-items that wait for each other at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BarrierScope {
    /// Those of a work-group.
    WorkGroup,
    /// Those of a sub-group.
    SubGroup,
}

/// A barrier, or half of one (cl_intel_split_work_group_barrier).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BarrierPart {
    /// A whole barrier.
    Whole,
    /// Arrives, and does not wait.
    Arrive,
    /// Waits until all have arrived.
    Wait,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_release_nothing_and_stores_acquire_nothing() {
        use MemoryOrder::*;
        assert_eq!(
            MemoryOrder::ALL.map(MemoryOrder::of_load),
            [Relaxed, Acquire, Relaxed, Acquire, SequentiallyConsistent]
        );
        assert_eq!(
            MemoryOrder::ALL.map(MemoryOrder::of_store),
            [Relaxed, Relaxed, Release, Release, SequentiallyConsistent]
        );
    }
}
