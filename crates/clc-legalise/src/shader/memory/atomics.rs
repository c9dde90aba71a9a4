//! Atomics on all kinds of memory objects.

use clc_base::memory_model::{AtomicOp, MemoryOrder, Ordering};
use clc_ir::{CompareOp, StorageClass, Type, TypePool, Value};

use super::Pool;
use super::arithmetic::integer;
use super::places::{Place, Variable};
use super::rewrite::Rewriter;
use super::roots::Shape;
use super::types::has_wide_vectors;
use crate::atomic::{Atomic, modified};

/// The type in which an atomic accesses an object of type `object`: floats are accessed as such where
/// it computes with them, and as integers of their size otherwise.
pub(super) fn accessed(types: &TypePool, op: Option<AtomicOp>, object: Type) -> Type {
    match (op, types.scalar_bits(object)) {
        (Some(op), _) if op.is_float() => object,
        (_, Some(8)) => TypePool::I8,
        (_, Some(16)) => TypePool::I16,
        (_, Some(32)) => TypePool::I32,
        _ => TypePool::I64,
    }
}

impl Rewriter<'_, '_> {
    /// `atomic` on what `pointer` points to, with operands of the old function.
    pub fn atomic(&mut self, pointer: Value, atomic: Atomic) -> Option<Value> {
        let ty = self.pointee(pointer);
        debug_assert!(!has_wide_vectors(self.b.types, ty));
        let place = self.place(pointer);
        let atomic = atomic.map(|value| self.operand(value));
        let result = match atomic {
            Atomic::Store(..) => None,
            Atomic::Load(_) | Atomic::Modify(..) | Atomic::CompareExchange { .. } => Some(ty),
        };
        self.by_space(place, result, &mut |this, place| {
            let value = this.atomic_in(place, atomic, ty);
            result.map(|ty| value.unwrap_or_else(|| this.b.undef(ty)))
        })
    }

    /// `ty` is the type of the object.
    fn atomic_in(&mut self, place: Place, atomic: Atomic, ty: Type) -> Option<Value> {
        if self.is_private(place) {
            return self.by_one_work_item(place, atomic, ty);
        }
        if let (Place::Pool(..), true) = (place, self.b.types.size(ty) != 4) {
            let reason = "an object of other than 32 bits in local memory whose address is \
                          converted, stored or passed on is accessed word by word";
            self.error("this atomic operation", reason);
            return None;
        }
        if let Atomic::Modify(op, value, ordering) = atomic
            && op.is_float()
        {
            return if self.holds(place, ty) {
                self.issue(place, atomic, ty)
            } else {
                self.by_exchange(place, op, value, ordering)
            };
        }
        let int = integer(self.b.types, ty);
        let atomic = atomic.map(|value| self.b.bitcast(value, int));
        let found = self.issue(place, atomic, int)?;
        Some(self.b.bitcast(found, ty))
    }

    fn is_private(&self, place: Place) -> bool {
        match place {
            Place::Pool(pool, _) => pool == Pool::Private,
            Place::Element(root, _) | Place::Part(Variable::Root(root), _) => {
                self.plan.roots.roots[root as usize].class == StorageClass::Function
            }
            Place::Part(Variable::Global(_), _) | Place::Global(_) | Place::Generic(_) => false,
        }
    }

    /// Whether the memory at a place can be accessed as a float of this type.
    fn holds(&self, place: Place, ty: Type) -> bool {
        match place {
            Place::Global(_) | Place::Part(..) => true,
            Place::Element(root, _) => {
                self.plan.roots.roots[root as usize].shape == Shape::Elements(ty)
            }
            Place::Pool(..) | Place::Generic(_) => false,
        }
    }

    /// The pointer to a scalar of type `ty`, for an access that follows at once.
    fn scalar_pointer(&mut self, place: Place, ty: Type) -> Option<Value> {
        Some(match place {
            Place::Global(address) => self.buffer_pointer(address, ty),
            Place::Pool(pool, offset) => self.word_pointer(pool, offset)?,
            Place::Element(root, index) => self.element_pointer(root, index),
            Place::Part(variable, path) => self.variable_pointer(variable, path),
            Place::Generic(_) => return None,
        })
    }

    /// The instruction itself, on an object of type `ty`.
    fn issue(&mut self, place: Place, atomic: Atomic, ty: Type) -> Option<Value> {
        let pointer = self.scalar_pointer(place, ty)?;
        atomic.issue(&mut self.b, pointer)
    }

    /// No other work-item accesses private memory.
    fn by_one_work_item(&mut self, place: Place, atomic: Atomic, ty: Type) -> Option<Value> {
        let access = self.natural_access(ty);
        if let Atomic::Store(value, _) = atomic {
            self.store(place, value, access);
            return None;
        }
        let old = self.load(place, ty, access);
        let new = match atomic {
            Atomic::Load(_) | Atomic::Store(..) => return Some(old),
            Atomic::Modify(op, value, _) => modified(&mut self.b, op, old, value),
            Atomic::CompareExchange { comparand, desired, .. } => {
                let int = integer(self.b.types, ty);
                let [found, comparand] = [old, comparand].map(|value| self.b.bitcast(value, int));
                let equal = self.b.compare(CompareOp::Equal, found, comparand);
                self.b.select(equal, desired, old)
            }
        };
        self.store(place, new, access);
        Some(old)
    }

    /// A modification of a float in memory that holds integers: exchanges what was found for what it
    /// becomes, until no other work-item came in between.
    fn by_exchange(
        &mut self,
        place: Place,
        op: AtomicOp,
        value: Value,
        ordering: Ordering,
    ) -> Option<Value> {
        let ty = self.b.ty(value);
        let int = integer(self.b.types, ty);
        let pointer = self.scalar_pointer(place, int)?;
        // The exchange has the order that was asked for; what comes before need not be ordered.
        let relaxed = Ordering { order: MemoryOrder::Relaxed, ..ordering };
        let first = self.b.atomic_load(pointer, relaxed);
        let (again, done) = (self.b.new_block(), self.b.new_block());
        let old = self.b.function.add_block_param(again, int);
        self.b.jump(again, &[first]);
        self.b.switch_to(again);
        let float = self.b.bitcast(old, ty);
        let new = modified(&mut self.b, op, float, value);
        let exchange = Atomic::CompareExchange {
            comparand: old,
            desired: self.b.bitcast(new, int),
            ordering,
            failure: MemoryOrder::Relaxed,
        };
        let found = self.issue(place, exchange, int)?;
        let equal = self.b.compare(CompareOp::Equal, found, old);
        let block = self.b.call_block(done, &[]);
        let retry = self.b.call_block(again, &[found]);
        self.b.terminate(clc_ir::Terminator::Branch {
            condition: equal,
            then: block,
            otherwise: retry,
        });
        self.b.switch_to(done);
        Some(float)
    }
}
