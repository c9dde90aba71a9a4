//! Atomics: those of OpenCL C 1.x, which are relaxed, and those of C11.

use clc_builtins::AtomicOp;
use clc_ir::{StorageClass, Type, TypeKind, TypePool, Value};
use rspirv::spirv::{Capability, MemorySemantics, Op, Scope};
use smallvec::SmallVec;

use super::synchronisation::{Order, SCOPE_IS_NOT_CONSTANT, scope};
use crate::emit::{Call, FunctionEmitter, Id};

/// The scope and semantics operands of an atomic.
#[derive(Clone, Copy)]
struct Effect {
    scope: Id,
    semantics: Id,
}

impl Effect {
    /// OpenCL C 1.x: atomic for the device, and ordering nothing else.
    fn relaxed(f: &mut FunctionEmitter<'_, '_>) -> Effect {
        Effect::new(f, Scope::Device, MemorySemantics::RELAXED)
    }

    fn new(f: &mut FunctionEmitter<'_, '_>, scope: Scope, semantics: MemorySemantics) -> Effect {
        Effect {
            scope: f.module.u32_constant(scope as u32),
            semantics: f.module.u32_constant(semantics.bits()),
        }
    }

    /// C11: the optional operands `[order[, scope]]`; without them sequentially consistent for
    /// the device. An order concerns the memory that the pointer is of.
    fn ordered(
        f: &mut FunctionEmitter<'_, '_>,
        pointer: Value,
        operands: &[Value],
    ) -> Option<Effect> {
        let order = match operands.first() {
            Some(&order) => Order::of(f, order),
            None => Order::SequentiallyConsistent,
        };
        let scope = match operands.get(1) {
            Some(&value) => scope(f, value)?,
            None => Scope::Device,
        };
        let semantics = semantics(f, pointer, order);
        Some(Effect::new(f, scope, semantics))
    }
}

fn semantics(f: &FunctionEmitter<'_, '_>, pointer: Value, order: Order) -> MemorySemantics {
    let memory = match f.pointer_parts(pointer).map(|(_, class)| class) {
        _ if order == Order::Relaxed => MemorySemantics::RELAXED,
        Some(StorageClass::Workgroup) => MemorySemantics::WORKGROUP_MEMORY,
        Some(StorageClass::CrossWorkgroup) => MemorySemantics::CROSS_WORKGROUP_MEMORY,
        _ => MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::CROSS_WORKGROUP_MEMORY,
    };
    order.semantics() | memory
}

/// Asks for what an atomic on values of `ty` needs.
pub(super) fn require(f: &mut FunctionEmitter<'_, '_>, ty: Type) {
    if f.module.types.scalar_bits(ty) == Some(64) {
        f.module.capability(Capability::Int64Atomics);
    }
}

fn is_float(f: &FunctionEmitter<'_, '_>, ty: Type) -> bool {
    matches!(f.module.types.kind(ty), TypeKind::Float(_))
}

/// `atomic_add` and its kin.
pub(super) fn relaxed(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: AtomicOp) -> Id {
    let effect = Effect::relaxed(f);
    modify(f, call, op, effect)
}

/// `atomic_fetch_add` and its kin.
pub(super) fn fetch(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: AtomicOp) -> Id {
    let rest = call.arguments.get(2..).unwrap_or_default();
    match Effect::ordered(f, call.arguments[0], rest) {
        Some(effect) => modify(f, call, op, effect),
        None => f.unsupported(call, SCOPE_IS_NOT_CONSTANT),
    }
}

fn modify(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: AtomicOp, effect: Effect) -> Id {
    let ty = call.result;
    if op == AtomicOp::Exchange && is_double(f, ty) {
        return exchange_double(f, call, effect);
    }
    let Effect { scope, semantics } = effect;
    let pointer = f.operand(call.arguments[0]);
    let mut operands: SmallVec<[Id; 4]> = SmallVec::new();
    operands.extend_from_slice(&[pointer, scope, semantics]);
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
    match op {
        AtomicOp::Increment | AtomicOp::Decrement => require(f, ty),
        AtomicOp::IAdd
        | AtomicOp::ISub
        | AtomicOp::SMin
        | AtomicOp::UMin
        | AtomicOp::SMax
        | AtomicOp::UMax
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::Exchange => {
            require(f, ty);
            operands.push(f.operand(call.arguments[1]));
        }
        AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax => {
            require_float(f, ty, op);
            operands.push(f.operand(call.arguments[1]));
        }
        AtomicOp::FSub => {
            require_float(f, ty, op);
            let value = f.operand(call.arguments[1]);
            operands.push(f.op(Op::FNegate, ty, &[value]));
        }
    }
    f.op(instruction, ty, &operands)
}

/// The capabilities of the float atomics, by operation and size.
pub(super) fn require_float(f: &mut FunctionEmitter<'_, '_>, ty: Type, op: AtomicOp) {
    let bits = f.module.types.scalar_bits(ty);
    if matches!(op, AtomicOp::FAdd | AtomicOp::FSub) {
        let (capability, extension) = match bits {
            Some(16) => (Capability::AtomicFloat16AddEXT, "SPV_EXT_shader_atomic_float16_add"),
            Some(64) => (Capability::AtomicFloat64AddEXT, "SPV_EXT_shader_atomic_float_add"),
            _ => (Capability::AtomicFloat32AddEXT, "SPV_EXT_shader_atomic_float_add"),
        };
        f.module.capability(capability);
        f.module.extension(extension);
    } else {
        f.module.capability(match bits {
            Some(16) => Capability::AtomicFloat16MinMaxEXT,
            Some(64) => Capability::AtomicFloat64MinMaxEXT,
            _ => Capability::AtomicFloat32MinMaxEXT,
        });
        f.module.extension("SPV_EXT_shader_atomic_float_min_max");
    }
}

/// `atomic_cmpxchg(pointer, comparand, value)`, which is relaxed where no orders follow.
pub(super) fn compare_exchange_values(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let [object, comparand, value, ref rest @ ..] = *call.arguments else {
        return f.unsupported(call, "it has too few operands");
    };
    let Some((success, failure)) = exchange_effects(f, object, rest, Order::Relaxed) else {
        return f.unsupported(call, SCOPE_IS_NOT_CONSTANT);
    };
    require(f, call.result);
    let operands = f.operands(&[object, comparand, value]);
    f.op(
        Op::AtomicCompareExchange,
        call.result,
        &[
            operands[0],
            success.scope,
            success.semantics,
            failure.semantics,
            operands[2],
            operands[1],
        ],
    )
}

/// The operands `[success[, failure[, scope]]]` of a comparing exchange: what it does where it
/// succeeds, and where it fails. `None` for a scope that is not constant.
fn exchange_effects(
    f: &mut FunctionEmitter<'_, '_>,
    object: Value,
    operands: &[Value],
    default: Order,
) -> Option<(Effect, Effect)> {
    let success = operands.first().map_or(default, |&order| Order::of(f, order));
    let failure = match operands.get(1).map_or(success, |&order| Order::of(f, order)) {
        // A failed exchange is a load.
        Order::Release => Order::Relaxed,
        Order::AcquireRelease => Order::Acquire,
        order => order,
    };
    let memory_scope = match operands.get(2) {
        None => Scope::Device,
        Some(&value) => scope(f, value)?,
    };
    let success = semantics(f, object, success);
    let failure = semantics(f, object, failure);
    Some((Effect::new(f, memory_scope, success), Effect::new(f, memory_scope, failure)))
}

/// `atomic_init` is a plain store.
pub(super) fn init(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let operands = f.operands(call.arguments);
    let align = f.module.types.align(f.ty(call.arguments[1]));
    /// The memory operand that says that an alignment follows.
    const ALIGNED: u32 = 2;
    f.op_void(Op::Store, &[operands[0], operands[1], ALIGNED, align as u32]);
    0
}

pub(super) fn load(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let Some(Effect { scope, semantics }) =
        Effect::ordered(f, call.arguments[0], &call.arguments[1..])
    else {
        return f.unsupported(call, SCOPE_IS_NOT_CONSTANT);
    };
    // A load cannot release: the default order is more than it can have.
    require(f, call.result);
    let pointer = f.operand(call.arguments[0]);
    f.op(Op::AtomicLoad, call.result, &[pointer, scope, semantics])
}

pub(super) fn store(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let rest = call.arguments.get(2..).unwrap_or_default();
    let Some(Effect { scope, semantics }) = Effect::ordered(f, call.arguments[0], rest) else {
        return f.unsupported(call, SCOPE_IS_NOT_CONSTANT);
    };
    let ty = f.ty(call.arguments[1]);
    require(f, ty);
    let operands = f.operands(&call.arguments[..2]);
    let (mut pointer, mut value) = (operands[0], operands[1]);
    if is_double(f, ty) {
        let Some((integer, integer_pointer)) = as_integer(f, call.arguments[0], ty) else {
            return f.unsupported(call, OBJECT_IS_NO_POINTER);
        };
        pointer = integer_pointer;
        value = f.op(Op::Bitcast, integer, &[value]);
    }
    f.op_void(Op::AtomicStore, &[pointer, scope, semantics, value]);
    0
}

const OBJECT_IS_NO_POINTER: &str = "its object is not a pointer";

/// The integer type of the size of the float type `ty`, and the pointer `object` as one to it.
fn as_integer(f: &mut FunctionEmitter<'_, '_>, object: Value, ty: Type) -> Option<(Type, Id)> {
    let integer = match f.module.types.scalar_bits(ty) {
        Some(16) => TypePool::I16,
        Some(64) => TypePool::I64,
        _ => TypePool::I32,
    };
    let (_, class) = f.pointer_parts(object)?;
    let pointer_type = f.module.types.pointer(integer, class);
    let pointer = f.operand(object);
    Some((integer, f.op(Op::Bitcast, pointer_type, &[pointer])))
}

/// Exchanges and stores take floats, but drivers have no function for doubles behind them.
fn is_double(f: &FunctionEmitter<'_, '_>, ty: Type) -> bool {
    is_float(f, ty) && f.module.types.scalar_bits(ty) == Some(64)
}

fn exchange_double(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    Effect { scope, semantics }: Effect,
) -> Id {
    let Some((ty, pointer)) = as_integer(f, call.arguments[0], call.result) else {
        return f.unsupported(call, OBJECT_IS_NO_POINTER);
    };
    f.module.capability(Capability::Int64Atomics);
    let value = f.operand(call.arguments[1]);
    let value = f.op(Op::Bitcast, ty, &[value]);
    let found = f.op(Op::AtomicExchange, ty, &[pointer, scope, semantics, value]);
    f.op(Op::Bitcast, call.result, &[found])
}

/// `atomic_compare_exchange_*(object, expected, desired[, success, failure[, scope]])`: stores what
/// was found to `expected`, which changes nothing on success, and says whether it was expected.
pub(super) fn compare_exchange(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let [object, expected, desired, ref rest @ ..] = *call.arguments else {
        return f.unsupported(call, "it has too few operands");
    };
    let Some((success, failure)) = exchange_effects(f, object, rest, Order::SequentiallyConsistent)
    else {
        return f.unsupported(call, SCOPE_IS_NOT_CONSTANT);
    };
    let value_type = f.ty(desired);
    require(f, value_type);
    let align = f.module.types.align(value_type) as u32;
    let mut pointer = f.operand(object);
    let expected = f.operand(expected);
    let mut value = f.operand(desired);
    /// The memory operand that says that an alignment follows.
    const ALIGNED: u32 = 2;
    let mut comparand = f.op(Op::Load, value_type, &[expected, ALIGNED, align]);
    // The instruction compares integers only.
    let mut ty = value_type;
    let float = is_float(f, value_type);
    if float {
        let Some((integer, integer_pointer)) = as_integer(f, object, value_type) else {
            return f.unsupported(call, OBJECT_IS_NO_POINTER);
        };
        (ty, pointer) = (integer, integer_pointer);
        value = f.op(Op::Bitcast, ty, &[value]);
        comparand = f.op(Op::Bitcast, ty, &[comparand]);
    }
    let found = f.op(
        Op::AtomicCompareExchange,
        ty,
        &[pointer, success.scope, success.semantics, failure.semantics, value, comparand],
    );
    let stored = if float { f.op(Op::Bitcast, value_type, &[found]) } else { found };
    f.op_void(Op::Store, &[expected, stored, ALIGNED, align]);
    let equal = f.op(Op::IEqual, TypePool::BOOL, &[found, comparand]);
    truth(f, equal, call.result)
}

/// A truth value as the result type of a function that returns `bool`.
fn truth(f: &mut FunctionEmitter<'_, '_>, value: Id, ty: Type) -> Id {
    if f.module.types.is_bool(ty) { value } else { f.bool_to_int(value, ty) }
}

pub(super) fn flag_test_and_set(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let Some(Effect { scope, semantics }) =
        Effect::ordered(f, call.arguments[0], &call.arguments[1..])
    else {
        return f.unsupported(call, SCOPE_IS_NOT_CONSTANT);
    };
    let pointer = f.operand(call.arguments[0]);
    let was_set = f.op(Op::AtomicFlagTestAndSet, TypePool::BOOL, &[pointer, scope, semantics]);
    truth(f, was_set, call.result)
}

pub(super) fn flag_clear(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let Some(Effect { scope, semantics }) =
        Effect::ordered(f, call.arguments[0], &call.arguments[1..])
    else {
        return f.unsupported(call, SCOPE_IS_NOT_CONSTANT);
    };
    let pointer = f.operand(call.arguments[0]);
    f.op_void(Op::AtomicFlagClear, &[pointer, scope, semantics]);
    0
}
