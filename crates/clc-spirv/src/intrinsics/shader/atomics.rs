//! Atomics of shaders, under the Vulkan memory model.

use clc_builtins::AtomicOp;
use clc_ir::{StorageClass, Value};
use rspirv::spirv::{MemorySemantics, Op, Scope};
use smallvec::SmallVec;

use super::super::atomics::{require, require_float};
use super::super::synchronisation::Order;
use super::synchronisation::{scope_of, semantics, shader_scope};
use crate::emit::{Call, FunctionEmitter, Id};

/// What an atomic does besides.
enum Kind {
    Load,
    Store,
    Modification,
}

/// An order that the kind of atomic may have: a load cannot release, a store cannot acquire.
fn limited(order: Order, kind: &Kind) -> Order {
    match (order, kind) {
        (Order::Relaxed, _) => Order::Relaxed,
        (Order::Release, Kind::Load) | (Order::Acquire, Kind::Store) => Order::Relaxed,
        (_, Kind::Load) => Order::Acquire,
        (_, Kind::Store) => Order::Release,
        (order, Kind::Modification) => order,
    }
}

/// The memory that an order of an atomic concerns: that which its pointer is of.
fn memory_of(f: &FunctionEmitter<'_, '_>, pointer: Value) -> MemorySemantics {
    match f.pointer_parts(pointer).map(|(_, class)| class) {
        Some(StorageClass::Workgroup) => MemorySemantics::WORKGROUP_MEMORY,
        _ => MemorySemantics::UNIFORM_MEMORY,
    }
}

/// The scope and semantics operands of an atomic of `kind` with the operands `[order[, scope]]`;
/// without them it is sequentially consistent for the device.
fn ordered(
    f: &mut FunctionEmitter<'_, '_>,
    pointer: Value,
    operands: &[Value],
    kind: Kind,
) -> Result<[Id; 2], &'static str> {
    let order =
        operands.first().map_or(Order::SequentiallyConsistent, |&order| Order::of(f, order));
    let scope = match operands.get(1) {
        Some(&value) => scope_of(f, value)?,
        None => shader_scope(Scope::Device),
    };
    let memory = memory_of(f, pointer);
    let semantics = semantics(limited(order, &kind), memory);
    Ok([f.module.u32_constant(scope as u32), f.module.u32_constant(semantics.bits())])
}

/// `atomic_add` and its kin, which order nothing.
pub(super) fn relaxed(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: AtomicOp) -> Id {
    let scope = f.module.u32_constant(shader_scope(Scope::Device) as u32);
    let semantics = f.module.u32_constant(MemorySemantics::RELAXED.bits());
    modify(f, call, op, [scope, semantics])
}

/// `atomic_fetch_add` and its kin.
pub(super) fn fetch(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: AtomicOp) -> Id {
    let rest = call.arguments.get(2..).unwrap_or_default();
    match ordered(f, call.arguments[0], rest, Kind::Modification) {
        Ok(effect) => modify(f, call, op, effect),
        Err(reason) => f.unsupported(call, reason),
    }
}

fn modify(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: AtomicOp, effect: [Id; 2]) -> Id {
    let ty = call.result;
    let pointer = f.operand(call.arguments[0]);
    let mut operands: SmallVec<[Id; 4]> = SmallVec::new();
    operands.push(pointer);
    operands.extend_from_slice(&effect);
    let instruction = match op {
        AtomicOp::Increment => Op::AtomicIIncrement,
        AtomicOp::Decrement => Op::AtomicIDecrement,
        AtomicOp::IAdd => Op::AtomicIAdd,
        AtomicOp::ISub => Op::AtomicISub,
        AtomicOp::SMin => Op::AtomicSMin,
        AtomicOp::UMin => Op::AtomicUMin,
        AtomicOp::SMax => Op::AtomicSMax,
        AtomicOp::UMax => Op::AtomicUMax,
        AtomicOp::And => Op::AtomicAnd,
        AtomicOp::Or => Op::AtomicOr,
        AtomicOp::Xor => Op::AtomicXor,
        AtomicOp::Exchange => Op::AtomicExchange,
        AtomicOp::FAdd | AtomicOp::FSub => Op::AtomicFAddEXT,
        AtomicOp::FMin => Op::AtomicFMinEXT,
        AtomicOp::FMax => Op::AtomicFMaxEXT,
    };
    if f.module.types.is_float(ty) {
        require_float(f, ty, op);
    } else {
        require(f, ty);
    }
    if let (Some(&value), false) =
        (call.arguments.get(1), matches!(op, AtomicOp::Increment | AtomicOp::Decrement))
    {
        let mut value = f.operand(value);
        if op == AtomicOp::FSub {
            value = f.op(Op::FNegate, ty, &[value]);
        }
        operands.push(value);
    }
    f.op(instruction, ty, &operands)
}

pub(super) fn load(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    match ordered(f, call.arguments[0], &call.arguments[1..], Kind::Load) {
        Ok([scope, semantics]) => {
            require(f, call.result);
            let pointer = f.operand(call.arguments[0]);
            f.op(Op::AtomicLoad, call.result, &[pointer, scope, semantics])
        }
        Err(reason) => f.unsupported(call, reason),
    }
}

pub(super) fn store(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let rest = call.arguments.get(2..).unwrap_or_default();
    match ordered(f, call.arguments[0], rest, Kind::Store) {
        Ok([scope, semantics]) => {
            let ty = f.ty(call.arguments[1]);
            require(f, ty);
            let operands = f.operands(&call.arguments[..2]);
            f.op_void(Op::AtomicStore, &[operands[0], scope, semantics, operands[1]]);
            0
        }
        Err(reason) => f.unsupported(call, reason),
    }
}

/// `atomic_cmpxchg(pointer, comparand, value[, success, failure[, scope]])`, relaxed where no orders
/// follow. A failed exchange is a load.
pub(super) fn compare_exchange(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let [pointer, comparand, value, ref rest @ ..] = *call.arguments else {
        return f.unsupported(call, "it has too few operands");
    };
    let success = rest.first().map_or(Order::Relaxed, |&order| Order::of(f, order));
    let failure = rest.get(1).map_or(success, |&order| Order::of(f, order));
    let scope = match rest.get(2) {
        Some(&value) => scope_of(f, value),
        None => Ok(shader_scope(Scope::Device)),
    };
    let scope = match scope {
        Ok(scope) => f.module.u32_constant(scope as u32),
        Err(reason) => return f.unsupported(call, reason),
    };
    require(f, call.result);
    let memory = memory_of(f, pointer);
    let equal = semantics(success, memory).bits();
    let unequal = semantics(limited(failure, &Kind::Load), memory).bits();
    let (equal, unequal) = (f.module.u32_constant(equal), f.module.u32_constant(unequal));
    let operands = f.operands(&[pointer, comparand, value]);
    f.op(
        Op::AtomicCompareExchange,
        call.result,
        &[operands[0], scope, equal, unequal, operands[2], operands[1]],
    )
}
