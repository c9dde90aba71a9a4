//! Atomics, fences and barriers as instructions: what programs say by arguments, and by leaving them
//! out, becomes an order, a scope and a set of memory.
//!
//! An argument that is no constant is taken for the strongest that it can be, which is right whatever
//! it is.

use clc_base::memory_model::{
    AtomicOp, BarrierPart, BarrierScope, Fence, FenceMemory, MemoryOrder, MemoryScope, Ordering,
};
use clc_builtins::SyncCall;
use clc_ir::{Builder, CompareOp, Const, MemFlags, MemoryAccess, Type, TypePool, UnaryOp, Value};

/// Appends what `call` does. Returns its result, a value of type `result`, if it has one, and nothing
/// where it has too few operands. `widest` is the widest scope of the target.
pub(crate) fn lower(
    b: &mut Builder<'_>,
    call: SyncCall,
    arguments: &[Value],
    result: Type,
    widest: MemoryScope,
) -> Option<Value> {
    let &first = arguments.first()?;
    let second = arguments.get(1).copied();
    let mut c = Call { b, arguments, widest };
    match call {
        SyncCall::Barrier => c.barrier(BarrierScope::WorkGroup, BarrierPart::Whole),
        SyncCall::SubGroupBarrier => c.barrier(BarrierScope::SubGroup, BarrierPart::Whole),
        SyncCall::SplitBarrierArrive => c.barrier(BarrierScope::WorkGroup, BarrierPart::Arrive),
        SyncCall::SplitBarrierWait => c.barrier(BarrierScope::WorkGroup, BarrierPart::Wait),
        // These order the accesses of a work-item for its work-group (OpenCL C 1.2, 6.12.9).
        SyncCall::MemFence => c.fence(MemoryOrder::AcquireRelease, MemoryScope::WorkGroup),
        SyncCall::ReadMemFence => c.fence(MemoryOrder::Acquire, MemoryScope::WorkGroup),
        SyncCall::WriteMemFence => c.fence(MemoryOrder::Release, MemoryScope::WorkGroup),
        SyncCall::AtomicWorkItemFence => {
            let Ordering { order, scope } = c.ordering(1);
            c.fence(order, scope);
        }

        SyncCall::Atomic(op) => return Some(c.modify(op, second?, Ordering::RELAXED)),
        SyncCall::AtomicIncrement => return c.by_one(AtomicOp::IAdd),
        SyncCall::AtomicDecrement => return c.by_one(AtomicOp::ISub),
        SyncCall::AtomicCmpxchg => {
            let values = [second?, *arguments.get(2)?];
            return c.exchanged(first, values, Ordering::RELAXED, MemoryOrder::Relaxed);
        }

        SyncCall::AtomicInit => c.store_plainly(first, second?),
        SyncCall::AtomicLoad => {
            let ordering = c.ordering(1);
            return Some(c.b.atomic_load(first, ordering));
        }
        SyncCall::AtomicStore => {
            let ordering = c.ordering(2);
            c.b.atomic_store(first, second?, ordering);
        }
        SyncCall::AtomicFetch(op) => {
            let ordering = c.ordering(2);
            return Some(c.modify(op, second?, ordering));
        }
        // x - y is x + -y for every x and y, NaN and zeros too (IEEE 754, 5.4.1 and 6.3).
        SyncCall::AtomicFetchSubFloat => {
            let ordering = c.ordering(2);
            let negated = c.b.unary(UnaryOp::FNeg, second?);
            return Some(c.modify(AtomicOp::FAdd, negated, ordering));
        }
        SyncCall::AtomicCompareExchangeStrong | SyncCall::AtomicCompareExchangeWeak => {
            return c.compare_exchange(first, second?, *arguments.get(2)?, result);
        }
        SyncCall::AtomicFlagTestAndSet => return c.test_and_set(first, result),
        SyncCall::AtomicFlagClear => {
            let ordering = c.ordering(1);
            let flag = c.object(first)?;
            let clear = c.b.int(flag, CLEAR);
            c.b.atomic_store(first, clear, ordering);
        }
    }
    None
}

/// A flag is a 32-bit integer. `ATOMIC_FLAG_INIT` is the clear state (OpenCL C 6.15.12.5).
const CLEAR: u64 = 0;
const SET: u64 = 1;

struct Call<'a, 'b> {
    b: &'a mut Builder<'b>,
    arguments: &'a [Value],
    widest: MemoryScope,
}

impl Call<'_, '_> {
    /// The argument `index`, if it is a constant.
    fn constant(&self, index: usize) -> Option<u64> {
        match self.b.consts.get(self.arguments.get(index)?.as_const()?) {
            &Const::Int(_, bits) => Some(bits),
            _ => None,
        }
    }

    /// The order that argument `index` is; that of the functions without an order if there is none.
    fn order(&self, index: usize) -> MemoryOrder {
        let order = self.constant(index).and_then(MemoryOrder::from_number);
        order.unwrap_or(MemoryOrder::SequentiallyConsistent)
    }

    /// The scope that argument `index` is, or `default` if there is none.
    fn scope(&self, index: usize, default: MemoryScope) -> MemoryScope {
        if index >= self.arguments.len() {
            return default;
        }
        self.constant(index).and_then(MemoryScope::from_number).unwrap_or(self.widest)
    }

    /// Order and scope from argument `first` on.
    fn ordering(&self, first: usize) -> Ordering {
        Ordering { order: self.order(first), scope: self.scope(first + 1, Ordering::DEFAULT.scope) }
    }

    /// The memory that the flags of the first argument name.
    fn memory(&self) -> FenceMemory {
        self.constant(0).map_or(FenceMemory::ALL, FenceMemory::from_flags)
    }

    fn fence(&mut self, order: MemoryOrder, scope: MemoryScope) {
        let memory = self.memory();
        self.b.fence(Fence { memory, order, scope });
    }

    fn barrier(&mut self, execution: BarrierScope, part: BarrierPart) {
        let default = match execution {
            BarrierScope::WorkGroup => MemoryScope::WorkGroup,
            BarrierScope::SubGroup => MemoryScope::SubGroup,
        };
        let fence = Fence {
            memory: self.memory(),
            order: MemoryOrder::SequentiallyConsistent,
            scope: self.scope(1, default),
        };
        self.b.barrier(execution, part, fence);
    }

    /// The type of what a pointer points to.
    fn object(&self, pointer: Value) -> Option<Type> {
        self.b.types.pointer_parts(self.b.ty(pointer)).map(|(object, _)| object)
    }

    fn modify(&mut self, op: AtomicOp, value: Value, ordering: Ordering) -> Value {
        self.b.atomic_modify(op, self.arguments[0], value, ordering)
    }

    fn by_one(&mut self, op: AtomicOp) -> Option<Value> {
        let ty = self.object(self.arguments[0])?;
        let one = self.b.int(ty, 1);
        Some(self.modify(op, one, Ordering::RELAXED))
    }

    fn store_plainly(&mut self, pointer: Value, value: Value) {
        let access = self.access(value);
        self.b.store(pointer, value, access);
    }

    fn access(&self, value: Value) -> MemoryAccess {
        let align = self.b.types.align(self.b.ty(value)) as u32;
        MemoryAccess { align, flags: MemFlags::default() }
    }

    /// The integer type of the size of the scalar `ty`.
    fn integer(&mut self, ty: Type) -> Type {
        let bits = self.b.types.scalar_bits(ty);
        bits.map_or(ty, |bits| self.b.types.int(bits))
    }

    /// What a comparing exchange finds, in the type of its operands; it compares bits (OpenCL C
    /// 6.15.12.7.4: "as if by memcmp").
    fn exchanged(
        &mut self,
        pointer: Value,
        values: [Value; 2],
        ordering: Ordering,
        failure: MemoryOrder,
    ) -> Option<Value> {
        let ty = self.b.ty(values[1]);
        let integer = self.integer(ty);
        let (_, class) = self.b.types.pointer_parts(self.b.ty(pointer))?;
        let to_integer = self.b.types.pointer(integer, class);
        let pointer = self.b.bitcast(pointer, to_integer);
        let values = values.map(|value| self.b.bitcast(value, integer));
        let found = self.b.atomic_compare_exchange(pointer, values, ordering, failure);
        Some(self.b.bitcast(found, ty))
    }

    /// `atomic_compare_exchange_*`: stores what was found to `expected`, which changes nothing where
    /// it was expected, and says whether it was.
    fn compare_exchange(
        &mut self,
        object: Value,
        expected: Value,
        desired: Value,
        result: Type,
    ) -> Option<Value> {
        let success = self.order(3);
        let failure = if self.arguments.len() > 4 { self.order(4) } else { success };
        let scope = self.scope(5, Ordering::DEFAULT.scope);
        let ordering = Ordering { order: success, scope };
        let access = self.access(desired);
        let comparand = self.b.load(expected, access);
        let found = self.exchanged(object, [comparand, desired], ordering, failure)?;
        self.b.store(expected, found, access);
        let ty = self.b.ty(desired);
        let integer = self.integer(ty);
        let [found, comparand] = [found, comparand].map(|value| self.b.bitcast(value, integer));
        let was_expected = self.b.compare(CompareOp::Equal, found, comparand);
        Some(self.boolean(was_expected, result))
    }

    fn test_and_set(&mut self, pointer: Value, result: Type) -> Option<Value> {
        let ordering = self.ordering(1);
        let flag = self.object(pointer)?;
        let set = self.b.int(flag, SET);
        let found = self.modify(AtomicOp::Exchange, set, ordering);
        let clear = self.b.int(flag, CLEAR);
        let was_set = self.b.compare(CompareOp::NotEqual, found, clear);
        Some(self.boolean(was_set, result))
    }

    /// A boolean as the result of a function that returns `bool`.
    fn boolean(&mut self, value: Value, ty: Type) -> Value {
        if ty == TypePool::BOOL {
            return value;
        }
        let (one, zero) = (self.b.int(ty, 1), self.b.int(ty, 0));
        self.b.select(value, one, zero)
    }
}
