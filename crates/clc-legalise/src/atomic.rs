//! Atomics apart from what they work on, for steps that give them another pointer.

use clc_base::memory_model::{AtomicOp, MemoryOrder, Ordering};
use clc_builtins::Intrinsic;
use clc_ir::{BinaryOp, Builder, CompareOp, InstKind, Value};

/// An atomic without its pointer.
#[derive(Clone, Copy)]
pub(crate) enum Atomic {
    Load(Ordering),
    Store(Value, Ordering),
    Modify(AtomicOp, Value, Ordering),
    CompareExchange { comparand: Value, desired: Value, ordering: Ordering, failure: MemoryOrder },
}

impl Atomic {
    /// The pointer of an atomic and the rest of it; nothing of other instructions.
    pub fn of(kind: &InstKind) -> Option<(Value, Atomic)> {
        Some(match *kind {
            InstKind::AtomicLoad { pointer, ordering } => (pointer, Atomic::Load(ordering)),
            InstKind::AtomicStore { pointer, value, ordering } => {
                (pointer, Atomic::Store(value, ordering))
            }
            InstKind::AtomicModify { op, pointer, value, ordering } => {
                (pointer, Atomic::Modify(op, value, ordering))
            }
            InstKind::AtomicCompareExchange { pointer, comparand, desired, ordering, failure } => {
                (pointer, Atomic::CompareExchange { comparand, desired, ordering, failure })
            }
            _ => return None,
        })
    }

    /// The same on other values.
    pub fn map(self, mut map: impl FnMut(Value) -> Value) -> Atomic {
        match self {
            Atomic::Load(ordering) => Atomic::Load(ordering),
            Atomic::Store(value, ordering) => Atomic::Store(map(value), ordering),
            Atomic::Modify(op, value, ordering) => Atomic::Modify(op, map(value), ordering),
            Atomic::CompareExchange { comparand, desired, ordering, failure } => {
                let (comparand, desired) = (map(comparand), map(desired));
                Atomic::CompareExchange { comparand, desired, ordering, failure }
            }
        }
    }

    /// Appends the instruction; a store has no result.
    pub fn issue(self, b: &mut Builder<'_>, pointer: Value) -> Option<Value> {
        Some(match self {
            Atomic::Load(ordering) => b.atomic_load(pointer, ordering),
            Atomic::Store(value, ordering) => {
                b.atomic_store(pointer, value, ordering);
                return None;
            }
            Atomic::Modify(op, value, ordering) => b.atomic_modify(op, pointer, value, ordering),
            Atomic::CompareExchange { comparand, desired, ordering, failure } => {
                b.atomic_compare_exchange(pointer, [comparand, desired], ordering, failure)
            }
        })
    }
}

/// What an object holds after a modification. Of a number and a NaN, the number is the smaller and the
/// larger, as `fmin` and `fmax` have it (cl_ext_float_atomics, `atomic_fetch_min` and `_max`).
pub(crate) fn modified(b: &mut Builder<'_>, op: AtomicOp, old: Value, value: Value) -> Value {
    let chosen = |b: &mut Builder<'_>, op| {
        let keeps = b.compare(op, old, value);
        b.select(keeps, old, value)
    };
    let extremum = |b: &mut Builder<'_>, intrinsic| {
        let ty = b.ty(old);
        b.intrinsic(intrinsic, &[old, value], ty).unwrap_or(old)
    };
    match op {
        AtomicOp::Exchange => value,
        AtomicOp::IAdd => b.binary(BinaryOp::IAdd, old, value),
        AtomicOp::ISub => b.binary(BinaryOp::ISub, old, value),
        AtomicOp::And => b.binary(BinaryOp::And, old, value),
        AtomicOp::Or => b.binary(BinaryOp::Or, old, value),
        AtomicOp::Xor => b.binary(BinaryOp::Xor, old, value),
        AtomicOp::FAdd => b.binary(BinaryOp::FAdd, old, value),
        AtomicOp::SMin => chosen(b, CompareOp::SLess),
        AtomicOp::UMin => chosen(b, CompareOp::ULess),
        AtomicOp::SMax => chosen(b, CompareOp::SGreater),
        AtomicOp::UMax => chosen(b, CompareOp::UGreater),
        AtomicOp::FMin => extremum(b, Intrinsic::Fmin),
        AtomicOp::FMax => extremum(b, Intrinsic::Fmax),
    }
}
