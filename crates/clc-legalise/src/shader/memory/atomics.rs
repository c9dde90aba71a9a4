//! Atomics on all kinds of memory objects.
//!
//! The pool of local memory is words of one size, because variables in Vulkan have one type. Atomics on what is
//! narrower are loops of compare-exchanges of
//! the word that holds their object. An exchange fails only if that of another work-item succeeded, so
//! that one always makes progress: no lock is held, and it does not matter which work-items share a
//! sub-group.

use clc_base::memory_model::{AtomicOp, MemoryOrder, Ordering};
use clc_ir::{BinaryOp, CompareOp, StorageClass, Type, TypePool, Value};

use super::arithmetic::{integer, resized};
use super::places::{Place, Variable};
use super::rewrite::Rewriter;
use super::roots::Shape;
use super::types::has_wide_vectors;
use super::{Pool, WORD};
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
        let is_float = matches!(atomic, Atomic::Modify(op, ..) if op.is_float());
        if is_float && self.holds(place, ty) {
            return self.issue(place, atomic, ty);
        }
        if let Some((place, bit)) = self.word_around(place, ty) {
            return self.in_word(place, bit, atomic, ty);
        }
        if is_float {
            return self.by_exchange(place, atomic, ty, None);
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
                self.exchanged(old, comparand, desired)
            }
        };
        self.store(place, new, access);
        Some(old)
    }

    /// The word that an object is part of and the bit where it begins, if it is too small for an atomic
    /// of its own. Integers have atomics of 32 and 64 bits (Vulkan, "Features", shaderBufferInt64Atomics).
    fn word_around(&mut self, place: Place, ty: Type) -> Option<(Place, Value)> {
        let size = self.b.types.size(ty);
        match place {
            Place::Pool(pool, offset) if size < self.plan.word(pool) => {
                Some((place, self.bit_in_word(pool, offset)))
            }
            Place::Global(address) if size < WORD => {
                let byte = resized(&mut self.b, address, TypePool::I32);
                let byte = self.with(BinaryOp::And, byte, WORD - 1);
                let bit = self.with(BinaryOp::Shl, byte, 3);
                let address = self.with(BinaryOp::And, address, !(WORD - 1));
                Some((Place::Global(address), bit))
            }
            // Variables with such objects are in the pool, see `roots`.
            Place::Pool(..)
            | Place::Global(_)
            | Place::Generic(_)
            | Place::Element(..)
            | Place::Part(..) => None,
        }
    }

    /// An atomic on an object that begins at a bit of a word.
    fn in_word(&mut self, place: Place, bit: Value, atomic: Atomic, ty: Type) -> Option<Value> {
        let word = self.b.ty(bit);
        let whole = match atomic {
            Atomic::Load(_) => atomic,
            Atomic::Modify(op @ (AtomicOp::Or | AtomicOp::Xor), value, ordering) => {
                Atomic::Modify(op, self.placed_in_word(bit, value), ordering)
            }
            Atomic::Modify(AtomicOp::And, value, ordering) => {
                let others = self.others_in_word(bit, ty);
                let value = self.placed_in_word(bit, value);
                let value = self.binary(BinaryOp::Or, value, others);
                Atomic::Modify(AtomicOp::And, value, ordering)
            }
            Atomic::Modify(..) | Atomic::Store(..) | Atomic::CompareExchange { .. } => {
                return self.by_exchange(place, atomic, ty, Some(bit));
            }
        };
        let found = self.issue(place, whole, word)?;
        Some(self.part_of_word(found, bit, ty))
    }

    /// An atomic on a `ty` that its memory has no instruction for, because it holds integers or larger
    /// words: exchanges what was found for what it becomes, until no other work-item came in between.
    /// `bit` is where the object begins, if it is part of a word.
    fn by_exchange(
        &mut self,
        place: Place,
        atomic: Atomic,
        ty: Type,
        bit: Option<Value>,
    ) -> Option<Value> {
        let word = match bit {
            Some(bit) => self.b.ty(bit),
            None => integer(self.b.types, ty),
        };
        let ordering = match atomic {
            Atomic::Load(ordering)
            | Atomic::Store(_, ordering)
            | Atomic::Modify(_, _, ordering) => ordering,
            // Where the object is not what was compared with, its word is exchanged for itself.
            Atomic::CompareExchange { ordering, failure, .. } => {
                Ordering { order: ordering.order.at_least(failure), ..ordering }
            }
        };
        // The exchange has the order that was asked for; what comes before need not be ordered.
        let relaxed = Ordering { order: MemoryOrder::Relaxed, ..ordering };
        let first = self.issue(place, Atomic::Load(relaxed), word)?;
        let (again, done) = (self.b.new_block(), self.b.new_block());
        let old_word = self.b.function.add_block_param(again, word);
        self.b.jump(again, &[first]);
        self.b.switch_to(again);
        let old = match bit {
            Some(bit) => self.part_of_word(old_word, bit, ty),
            None => self.b.bitcast(old_word, ty),
        };
        let new = match atomic {
            Atomic::Load(_) => old,
            Atomic::Store(value, _) => value,
            Atomic::Modify(op, value, _) => modified(&mut self.b, op, old, value),
            Atomic::CompareExchange { comparand, desired, .. } => {
                self.exchanged(old, comparand, desired)
            }
        };
        let desired = match bit {
            Some(bit) => self.with_part(old_word, bit, new),
            None => self.b.bitcast(new, word),
        };
        let failure = MemoryOrder::Relaxed;
        let exchange = Atomic::CompareExchange { comparand: old_word, desired, ordering, failure };
        let found = self.issue(place, exchange, word)?;
        let equal = self.b.compare(CompareOp::Equal, found, old_word);
        let block = self.b.call_block(done, &[]);
        let retry = self.b.call_block(again, &[found]);
        self.b.terminate(clc_ir::Terminator::Branch {
            condition: equal,
            then: block,
            otherwise: retry,
        });
        self.b.switch_to(done);
        Some(old)
    }

    /// What a compare-exchange leaves. Bits are compared, of floats too (OpenCL C 6.15.12.7.4).
    fn exchanged(&mut self, old: Value, comparand: Value, desired: Value) -> Value {
        let ty = self.b.ty(old);
        let int = integer(self.b.types, ty);
        let [found, comparand] = [old, comparand].map(|value| self.b.bitcast(value, int));
        let equal = self.b.compare(CompareOp::Equal, found, comparand);
        self.b.select(equal, desired, old)
    }
}
