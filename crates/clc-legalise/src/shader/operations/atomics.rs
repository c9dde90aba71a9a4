//! Atomics of floating-point numbers, which few devices have: they are done on integers with the same
//! bits.
//!
//! Each function returns nothing for atomics of integers, which have an instruction.

use clc_base::memory_model::{AtomicOp, MemoryOrder, Ordering};
use clc_builtins::Intrinsic;
use clc_ir::{Type, Value};

use super::code::Code;

/// An object of floats as one of integers; `None` if it is none.
fn as_integers(c: &mut Code<'_, '_>, pointer: Value) -> Option<(Value, Type)> {
    let (float, class) = c.types.pointer_parts(c.ty(pointer))?;
    if !c.types.is_float(float) {
        return None;
    }
    let bits = u32::from(c.types.scalar_bits(float)?);
    let integer = c.ints_of(float, bits);
    let ty = c.types.pointer(integer, class);
    Some((c.bitcast(pointer, ty), integer))
}

pub(super) fn load(c: &mut Code<'_, '_>, pointer: Value, ordering: Ordering) -> Option<Value> {
    let (float, _) = c.types.pointer_parts(c.ty(pointer))?;
    let (pointer, _) = as_integers(c, pointer)?;
    let bits = c.atomic_load(pointer, ordering);
    Some(c.bitcast(bits, float))
}

pub(super) fn store(
    c: &mut Code<'_, '_>,
    pointer: Value,
    value: Value,
    ordering: Ordering,
) -> Option<()> {
    let (pointer, integer) = as_integers(c, pointer)?;
    let bits = c.bitcast(value, integer);
    c.atomic_store(pointer, bits, ordering);
    Some(())
}

pub(super) fn exchange(
    c: &mut Code<'_, '_>,
    pointer: Value,
    value: Value,
    ordering: Ordering,
) -> Option<Value> {
    let (pointer, integer) = as_integers(c, pointer)?;
    let ty = c.ty(value);
    let bits = c.bitcast(value, integer);
    let found = c.atomic_modify(AtomicOp::Exchange, pointer, bits, ordering);
    Some(c.bitcast(found, ty))
}

/// A modification as a loop: load, compute, and exchange if nothing has changed since.
pub(super) fn modify(
    c: &mut Code<'_, '_>,
    op: AtomicOp,
    pointer: Value,
    value: Value,
    ordering: Ordering,
) -> Option<Value> {
    let (pointer, integer) = as_integers(c, pointer)?;
    let ty = c.ty(value);
    // The exchange has the order that was asked for; what comes before need not be ordered.
    let relaxed = Ordering { order: MemoryOrder::Relaxed, ..ordering };
    let first = c.atomic_load(pointer, relaxed);
    let (header, after) = (c.new_block(), c.new_block());
    let old = c.function.add_block_param(header, integer);
    c.jump(header, &[first]);
    c.switch_to(header);
    let number = c.bitcast(old, ty);
    let new = match op {
        AtomicOp::FMin => c.call_alike(Intrinsic::Fmin, &[number, value]),
        AtomicOp::FMax => c.call_alike(Intrinsic::Fmax, &[number, value]),
        _ => c.fadd(number, value),
    };
    let bits = c.bitcast(new, integer);
    let found = c.atomic_compare_exchange(pointer, [old, bits], ordering, MemoryOrder::Relaxed);
    let is_done = c.equal(found, old);
    let done = c.call_block(after, &[]);
    let again = c.call_block(header, &[found]);
    c.terminate(clc_ir::Terminator::Branch { condition: is_done, then: done, otherwise: again });
    c.switch_to(after);
    Some(number)
}
