//! Atomics that have no instruction, or one that few devices have: flags, comparing exchanges through
//! memory, and those of floats, which are done on integers with the same bits.

use clc_builtins::{AtomicOp, Intrinsic};
use clc_ir::{MemFlags, MemoryAccess, Type, TypePool, Value};

use super::code::Code;

/// The operands after the first `count`: memory orders and scope.
fn rest(arguments: &[Value], count: usize) -> &[Value] {
    arguments.get(count..).unwrap_or_default()
}

fn with_rest(operands: &[Value], rest: &[Value]) -> Vec<Value> {
    operands.iter().chain(rest).copied().collect()
}

/// A flag is a 32-bit integer: 1 when set.
pub(super) fn flag_test_and_set(c: &mut Code<'_>, arguments: &[Value], ty: Type) -> Option<Value> {
    let &pointer = arguments.first()?;
    let (flag, _) = c.types.pointer_parts(c.ty(pointer))?;
    let set = c.ints(flag, 1);
    let operands = with_rest(&[pointer, set], rest(arguments, 1));
    let found = c.call(Intrinsic::AtomicFetch(AtomicOp::Exchange), &operands, flag);
    let clear = c.ints(flag, 0);
    let was_set = c.not_equal(found, clear);
    Some(truth(c, was_set, ty))
}

pub(super) fn flag_clear(c: &mut Code<'_>, arguments: &[Value]) -> Option<()> {
    let &pointer = arguments.first()?;
    let (flag, _) = c.types.pointer_parts(c.ty(pointer))?;
    let clear = c.ints(flag, 0);
    let operands = with_rest(&[pointer, clear], rest(arguments, 1));
    c.intrinsic(Intrinsic::AtomicStore, &operands, TypePool::VOID);
    Some(())
}

/// A truth value as the result of a function that gives `bool`.
fn truth(c: &mut Code<'_>, condition: Value, ty: Type) -> Value {
    if c.types.is_bool(ty) { condition } else { c.truth(condition, ty) }
}

/// An object of floats as one of integers; `None` if it is none.
fn as_integers(c: &mut Code<'_>, pointer: Value) -> Option<(Value, Type)> {
    let (float, class) = c.types.pointer_parts(c.ty(pointer))?;
    if !c.types.is_float(float) {
        return None;
    }
    let bits = u32::from(c.types.scalar_bits(float)?);
    let integer = c.ints_of(float, bits);
    let ty = c.types.pointer(integer, class);
    Some((c.bitcast(pointer, ty), integer))
}

/// `None` for integers, which have an instruction.
pub(super) fn load(c: &mut Code<'_>, arguments: &[Value]) -> Option<Value> {
    let &pointer = arguments.first()?;
    let (float, _) = c.types.pointer_parts(c.ty(pointer))?;
    let (pointer, integer) = as_integers(c, pointer)?;
    let operands = with_rest(&[pointer], rest(arguments, 1));
    let bits = c.call(Intrinsic::AtomicLoad, &operands, integer);
    Some(c.bitcast(bits, float))
}

/// `None` for integers, which have an instruction.
pub(super) fn store(c: &mut Code<'_>, arguments: &[Value]) -> Option<()> {
    let (&pointer, &value) = (arguments.first()?, arguments.get(1)?);
    let (pointer, integer) = as_integers(c, pointer)?;
    let bits = c.bitcast(value, integer);
    let operands = with_rest(&[pointer, bits], rest(arguments, 2));
    c.intrinsic(Intrinsic::AtomicStore, &operands, TypePool::VOID);
    Some(())
}

/// `None` for integers, which have an instruction.
pub(super) fn float_exchange(
    c: &mut Code<'_>,
    intrinsic: Intrinsic,
    arguments: &[Value],
) -> Option<Value> {
    let (&pointer, &value) = (arguments.first()?, arguments.get(1)?);
    let (pointer, integer) = as_integers(c, pointer)?;
    let ty = c.ty(value);
    let bits = c.bitcast(value, integer);
    let operands = with_rest(&[pointer, bits], rest(arguments, 2));
    let found = c.call(intrinsic, &operands, integer);
    Some(c.bitcast(found, ty))
}

/// `atomic_cmpxchg` of floats; `None` for integers, which have an instruction.
pub(super) fn float_cmpxchg(c: &mut Code<'_>, arguments: &[Value]) -> Option<Value> {
    let (&pointer, &comparand, &value) = (arguments.first()?, arguments.get(1)?, arguments.get(2)?);
    let (pointer, integer) = as_integers(c, pointer)?;
    let ty = c.ty(value);
    let (comparand, value) = (c.bitcast(comparand, integer), c.bitcast(value, integer));
    let operands = with_rest(&[pointer, comparand, value], rest(arguments, 3));
    let found = c.call(Intrinsic::AtomicCmpxchg, &operands, integer);
    Some(c.bitcast(found, ty))
}

/// `memory_order_seq_cst`, the order of what names none.
const SEQUENTIALLY_CONSISTENT: i32 = 5;

/// `atomic_compare_exchange_*(object, expected, desired[, success, failure[, scope]])`: `expected`
/// gets what was found, which changes nothing on success.
pub(super) fn compare_exchange(c: &mut Code<'_>, arguments: &[Value], ty: Type) -> Option<Value> {
    let [object, expected, desired, ref rest @ ..] = *arguments else { return None };
    let value_type = c.ty(desired);
    let align = c.types.align(value_type) as u32;
    let access = MemoryAccess { align, flags: MemFlags::default() };
    let comparand = c.load(expected, access);
    let mut operands = vec![object, comparand, desired];
    operands.extend_from_slice(rest);
    if rest.is_empty() {
        let order = c.i32(SEQUENTIALLY_CONSISTENT);
        operands.extend_from_slice(&[order, order]);
    }
    let found = match float_cmpxchg(c, &operands) {
        Some(found) => found,
        None => c.call(Intrinsic::AtomicCmpxchg, &operands, value_type),
    };
    c.store(expected, found, access);
    let (found, comparand) = (c.bits(found), c.bits(comparand));
    let equal = c.equal(found, comparand);
    Some(truth(c, equal, ty))
}

/// A float modification as a loop: load, compute, and exchange if nothing has changed since.
pub(super) fn float_modify(
    c: &mut Code<'_>,
    intrinsic: Intrinsic,
    op: AtomicOp,
    arguments: &[Value],
) -> Option<Value> {
    let (&pointer, &value) = (arguments.first()?, arguments.get(1)?);
    let (pointer, integer) = as_integers(c, pointer)?;
    let ty = c.ty(value);
    // The exchange has the order that was asked for; what comes before need not be ordered.
    let relaxed = c.i32(0);
    let (first, exchange) = match intrinsic {
        Intrinsic::Atomic(_) => (vec![pointer, relaxed], Vec::new()),
        _ => {
            let default = c.i32(SEQUENTIALLY_CONSISTENT);
            let order = arguments.get(2).copied().unwrap_or(default);
            let mut orders = vec![order, relaxed];
            let mut first = vec![pointer, relaxed];
            if let Some(&scope) = arguments.get(3) {
                orders.push(scope);
                first.push(scope);
            }
            (first, orders)
        }
    };
    let first = c.call(Intrinsic::AtomicLoad, &first, integer);
    let (header, after) = (c.new_block(), c.new_block());
    let old = c.function.add_block_param(header, integer);
    c.jump(header, &[first]);
    c.switch_to(header);
    let number = c.bitcast(old, ty);
    let new = match op {
        AtomicOp::FSub => c.fsub(number, value),
        AtomicOp::FMin => c.call_alike(Intrinsic::Fmin, &[number, value]),
        AtomicOp::FMax => c.call_alike(Intrinsic::Fmax, &[number, value]),
        _ => c.fadd(number, value),
    };
    let bits = c.bitcast(new, integer);
    let operands = with_rest(&[pointer, old, bits], &exchange);
    let found = c.call(Intrinsic::AtomicCmpxchg, &operands, integer);
    let is_done = c.equal(found, old);
    let done = c.call_block(after, &[]);
    let again = c.call_block(header, &[found]);
    c.terminate(clc_ir::Terminator::Branch { condition: is_done, then: done, otherwise: again });
    c.switch_to(after);
    Some(number)
}
