//! Atomics, fences and barriers, with scopes and semantics in the numbers of SPIR-V (3.27 "Scope",
//! 3.25 "Memory Semantics").

use clc_base::memory_model::{
    AtomicOp, BarrierPart, BarrierScope, Fence, FenceMemory, MemoryOrder, MemoryScope, Ordering,
};
use clc_ir::{Const, StorageClass, Type, Value};
use spirv::{Capability, MemorySemantics, Op, Scope};

use super::{FunctionEmitter, Id, ModuleEmitter};

impl ModuleEmitter<'_> {
    /// The Vulkan memory model asks for a feature of its own for the scope of the device; all
    /// work-items of a launch are in one queue family.
    fn scope(&mut self, scope: MemoryScope) -> Id {
        let scope = match scope {
            MemoryScope::WorkItem => Scope::Invocation,
            MemoryScope::SubGroup => Scope::Subgroup,
            MemoryScope::WorkGroup => Scope::Workgroup,
            MemoryScope::Device if self.shader.is_some() => Scope::QueueFamily,
            MemoryScope::Device => Scope::Device,
            MemoryScope::AllDevices => Scope::CrossDevice,
        };
        self.u32_constant(scope as u32)
    }

    /// What `order` does to `memory`. A relaxed one does nothing to any.
    fn semantics(&mut self, order: MemoryOrder, memory: MemorySemantics) -> Id {
        // With the Vulkan memory model, what becomes available or visible is said too.
        let (available, visible) = match self.shader {
            Some(_) => (MemorySemantics::MAKE_AVAILABLE, MemorySemantics::MAKE_VISIBLE),
            None => (MemorySemantics::RELAXED, MemorySemantics::RELAXED),
        };
        let semantics = match self.known_order(order) {
            MemoryOrder::Relaxed => MemorySemantics::RELAXED,
            // A barrier without memory; the Vulkan memory model forbids an order of nothing.
            _ if memory.is_empty() && self.shader.is_some() => MemorySemantics::RELAXED,
            MemoryOrder::Acquire => MemorySemantics::ACQUIRE | visible | memory,
            MemoryOrder::Release => MemorySemantics::RELEASE | available | memory,
            MemoryOrder::AcquireRelease => {
                MemorySemantics::ACQUIRE_RELEASE | available | visible | memory
            }
            MemoryOrder::SequentiallyConsistent => {
                MemorySemantics::SEQUENTIALLY_CONSISTENT | memory
            }
        };
        self.u32_constant(semantics.bits())
    }

    /// The Vulkan memory model has no sequential consistency: acquire and release are what is left of it.
    fn known_order(&self, order: MemoryOrder) -> MemoryOrder {
        match order {
            MemoryOrder::SequentiallyConsistent if self.shader.is_some() => {
                MemoryOrder::AcquireRelease
            }
            MemoryOrder::SequentiallyConsistent
            | MemoryOrder::Relaxed
            | MemoryOrder::Acquire
            | MemoryOrder::Release
            | MemoryOrder::AcquireRelease => order,
        }
    }

    /// What `global` memory is: the buffers of shaders are of another storage class.
    fn global_memory(&self) -> MemorySemantics {
        match self.shader {
            Some(_) => MemorySemantics::UNIFORM_MEMORY,
            None => MemorySemantics::CROSS_WORKGROUP_MEMORY,
        }
    }

    /// The capabilities of an atomic on a scalar of type `ty`.
    fn require_atomic(&mut self, op: Option<AtomicOp>, ty: Type) {
        let bits = self.types.scalar_bits(ty);
        match op {
            Some(AtomicOp::FAdd) => {
                let (capability, extension) = match bits {
                    Some(16) => {
                        (Capability::AtomicFloat16AddEXT, "SPV_EXT_shader_atomic_float16_add")
                    }
                    Some(64) => {
                        (Capability::AtomicFloat64AddEXT, "SPV_EXT_shader_atomic_float_add")
                    }
                    _ => (Capability::AtomicFloat32AddEXT, "SPV_EXT_shader_atomic_float_add"),
                };
                self.capability(capability);
                self.extension(extension);
            }
            Some(AtomicOp::FMin | AtomicOp::FMax) => {
                self.capability(match bits {
                    Some(16) => Capability::AtomicFloat16MinMaxEXT,
                    Some(64) => Capability::AtomicFloat64MinMaxEXT,
                    _ => Capability::AtomicFloat32MinMaxEXT,
                });
                self.extension("SPV_EXT_shader_atomic_float_min_max");
            }
            _ if bits == Some(64) => self.capability(Capability::Int64Atomics),
            _ => {}
        }
    }
}

impl FunctionEmitter<'_, '_> {
    /// The memory that an atomic orders: that which its pointer points to (OpenCL C 6.15.12.3). What is sequentially
    /// consistent synchronizes with its like in both memories, whichever the object is in (OpenCL API 3.3.7).
    fn memory_of(&self, pointer: Value, order: MemoryOrder) -> MemorySemantics {
        let global = self.module.global_memory();
        let both = MemorySemantics::WORKGROUP_MEMORY | global;
        if order == MemoryOrder::SequentiallyConsistent {
            return both;
        }
        match self.pointer_parts(pointer).map(|(_, class)| class) {
            Some(StorageClass::Workgroup) => MemorySemantics::WORKGROUP_MEMORY,
            Some(StorageClass::CrossWorkgroup | StorageClass::PhysicalStorageBuffer) => global,
            _ if self.module.shader.is_some() => global,
            _ => both,
        }
    }

    /// The semantics of an atomic, of whose order `part` is the part that it can have.
    fn atomic_semantics(
        &mut self,
        pointer: Value,
        order: MemoryOrder,
        part: fn(MemoryOrder) -> MemoryOrder,
    ) -> Id {
        let memory = self.memory_of(pointer, order);
        let order = part(self.module.known_order(order));
        self.module.semantics(order, memory)
    }

    /// Pointer, scope and semantics, with which the operands of atomics begin.
    fn atomic_operands(
        &mut self,
        pointer: Value,
        ordering: Ordering,
        part: fn(MemoryOrder) -> MemoryOrder,
    ) -> [Id; 3] {
        let id = self.operand(pointer);
        let scope = self.module.scope(ordering.scope);
        [id, scope, self.atomic_semantics(pointer, ordering.order, part)]
    }

    pub(super) fn atomic_load(&mut self, ty: Type, pointer: Value, ordering: Ordering) -> Id {
        self.module.require_atomic(None, ty);
        let operands = self.atomic_operands(pointer, ordering, MemoryOrder::of_load);
        self.op(Op::AtomicLoad, ty, &operands)
    }

    pub(super) fn atomic_store(&mut self, pointer: Value, value: Value, ordering: Ordering) {
        let ty = self.ty(value);
        self.module.require_atomic(None, ty);
        let [pointer, scope, semantics] =
            self.atomic_operands(pointer, ordering, MemoryOrder::of_store);
        let value = self.operand(value);
        self.op_void(Op::AtomicStore, &[pointer, scope, semantics, value]);
    }

    pub(super) fn atomic_modify(
        &mut self,
        op: AtomicOp,
        ty: Type,
        pointer: Value,
        value: Value,
        ordering: Ordering,
    ) -> Id {
        self.module.require_atomic(Some(op), ty);
        let [pointer, scope, semantics] = self.atomic_operands(pointer, ordering, |order| order);
        let is_one = value
            .as_const()
            .is_some_and(|id| matches!(self.module.consts.get(id), Const::Int(_, 1)));
        let op = match op {
            // These say the one themselves.
            AtomicOp::IAdd if is_one => {
                return self.op(Op::AtomicIIncrement, ty, &[pointer, scope, semantics]);
            }
            AtomicOp::ISub if is_one => {
                return self.op(Op::AtomicIDecrement, ty, &[pointer, scope, semantics]);
            }
            AtomicOp::IAdd => Op::AtomicIAdd,
            AtomicOp::ISub => Op::AtomicISub,
            AtomicOp::FAdd => Op::AtomicFAddEXT,
            AtomicOp::SMin => Op::AtomicSMin,
            AtomicOp::UMin => Op::AtomicUMin,
            AtomicOp::FMin => Op::AtomicFMinEXT,
            AtomicOp::SMax => Op::AtomicSMax,
            AtomicOp::UMax => Op::AtomicUMax,
            AtomicOp::FMax => Op::AtomicFMaxEXT,
            AtomicOp::And => Op::AtomicAnd,
            AtomicOp::Or => Op::AtomicOr,
            AtomicOp::Xor => Op::AtomicXor,
            AtomicOp::Exchange => Op::AtomicExchange,
        };
        let value = self.operand(value);
        self.op(op, ty, &[pointer, scope, semantics, value])
    }

    pub(super) fn atomic_compare_exchange(
        &mut self,
        ty: Type,
        pointer: Value,
        [comparand, desired]: [Value; 2],
        ordering: Ordering,
        failure: MemoryOrder,
    ) -> Id {
        self.module.require_atomic(None, ty);
        let unequal = self.atomic_semantics(pointer, failure, MemoryOrder::of_load);
        let [pointer, scope, equal] = self.atomic_operands(pointer, ordering, |order| order);
        let operands = self.operands(&[comparand, desired]);
        self.op(
            Op::AtomicCompareExchange,
            ty,
            &[pointer, scope, equal, unequal, operands[1], operands[0]],
        )
    }

    /// Scope and semantics of a fence.
    fn fence_operands(&mut self, fence: Fence) -> [Id; 2] {
        let mut memory = MemorySemantics::RELAXED;
        for (part, semantics) in [
            (FenceMemory::LOCAL, MemorySemantics::WORKGROUP_MEMORY),
            (FenceMemory::GLOBAL, self.module.global_memory()),
            (FenceMemory::IMAGE, MemorySemantics::IMAGE_MEMORY),
        ] {
            if fence.memory.has(part) {
                memory |= semantics;
            }
        }
        [self.module.scope(fence.scope), self.module.semantics(fence.order, memory)]
    }

    pub(super) fn fence(&mut self, mut fence: Fence) {
        // As for atomics. What a barrier is said to order is all that it orders (OpenCL API 3.3.8.2).
        if fence.order == MemoryOrder::SequentiallyConsistent {
            fence.memory = fence.memory.union(FenceMemory::LOCAL).union(FenceMemory::GLOBAL);
        }
        let operands = self.fence_operands(fence);
        self.op_void(Op::MemoryBarrier, &operands);
    }

    pub(super) fn barrier(&mut self, execution: BarrierScope, part: BarrierPart, fence: Fence) {
        let op = match part {
            BarrierPart::Whole => Op::ControlBarrier,
            BarrierPart::Arrive => Op::ControlBarrierArriveINTEL,
            BarrierPart::Wait => Op::ControlBarrierWaitINTEL,
        };
        if part != BarrierPart::Whole {
            self.module.capability(Capability::SplitBarrierINTEL);
            self.module.extension("SPV_INTEL_split_barrier");
        }
        let execution = match execution {
            BarrierScope::WorkGroup => Scope::Workgroup,
            BarrierScope::SubGroup => {
                if self.module.shader.is_some() {
                    self.module.capability(Capability::GroupNonUniform);
                }
                Scope::Subgroup
            }
        };
        let execution = self.module.u32_constant(execution as u32);
        let [scope, semantics] = self.fence_operands(fence);
        self.op_void(op, &[execution, scope, semantics]);
    }
}
