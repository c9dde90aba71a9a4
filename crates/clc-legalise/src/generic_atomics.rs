//! Atomics through pointers to any address space.
//!
//! SPIR-V has them, but drivers have functions for atomics in `global` and `local` memory only. Where
//! nobody knows the space of a pointer, the program asks at run time: an atomic on `global` memory, one
//! on `local` memory, or else an access to what belongs to one work-item, which nobody else can see
//! between a load and a store. That is also what becomes of atomics on `private` memory.

use clc_base::AddressSpace;
use clc_base::memory_model::{AtomicOp, MemoryOrder, Ordering};
use clc_builtins::Intrinsic;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    BinaryOp, Builder, CompareOp, InstKind, MemFlags, MemoryAccess, Module, StorageClass, Type,
    Value,
};

/// An atomic without its pointer.
#[derive(Clone, Copy)]
enum Atomic {
    Load(Ordering),
    Store(Value, Ordering),
    Modify(AtomicOp, Value, Ordering),
    CompareExchange { values: [Value; 2], ordering: Ordering, failure: MemoryOrder },
}

pub(crate) fn run(module: &mut Module) {
    let Module { types, consts, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        rewrite::expand(
            types,
            consts,
            function,
            |kind| parts(kind).is_some(),
            |b, inst| {
                let Some((pointer, atomic)) = parts(&b.function.insts[inst].kind) else {
                    return Expansion::Keep;
                };
                let Some((object, class)) = b.types.pointer_parts(b.ty(pointer)) else {
                    return Expansion::Keep;
                };
                let value = match class {
                    StorageClass::Generic => in_any_space(b, pointer, object, atomic),
                    StorageClass::Function => by_one_work_item(b, pointer, object, atomic),
                    StorageClass::CrossWorkgroup
                    | StorageClass::Workgroup
                    | StorageClass::UniformConstant
                    | StorageClass::Input
                    | StorageClass::Private
                    | StorageClass::PushConstant
                    | StorageClass::PhysicalStorageBuffer
                    | StorageClass::StorageBuffer => return Expansion::Keep,
                };
                value.map_or(Expansion::Done, Expansion::Value)
            },
        );
    }
}

/// The pointer of an atomic and the rest of it.
fn parts(kind: &InstKind) -> Option<(Value, Atomic)> {
    Some(match *kind {
        InstKind::AtomicLoad { pointer, ordering } => (pointer, Atomic::Load(ordering)),
        InstKind::AtomicStore { pointer, value, ordering } => {
            (pointer, Atomic::Store(value, ordering))
        }
        InstKind::AtomicModify { op, pointer, value, ordering } => {
            (pointer, Atomic::Modify(op, value, ordering))
        }
        InstKind::AtomicCompareExchange { pointer, comparand, desired, ordering, failure } => {
            (pointer, Atomic::CompareExchange { values: [comparand, desired], ordering, failure })
        }
        _ => return None,
    })
}

/// The result, where the atomic has one.
fn in_any_space(
    b: &mut Builder<'_>,
    pointer: Value,
    object: Type,
    atomic: Atomic,
) -> Option<Value> {
    let after = b.new_block();
    let result = match atomic {
        Atomic::Store(..) => None,
        Atomic::Load(_) | Atomic::Modify(..) | Atomic::CompareExchange { .. } => {
            Some(b.function.add_block_param(after, object))
        }
    };
    for (space, class) in [
        (AddressSpace::Global, StorageClass::CrossWorkgroup),
        (AddressSpace::Local, StorageClass::Workgroup),
    ] {
        let ty = b.types.pointer(object, class);
        let named = b.generic_to(pointer, space, ty);
        let null = b.zero(ty);
        let is_here = b.compare(CompareOp::NotEqual, named, null);
        let (here, elsewhere) = (b.new_block(), b.new_block());
        b.branch(is_here, here, elsewhere);
        b.switch_to(here);
        let found = issue(b, named, atomic);
        b.jump(after, found.as_slice());
        b.switch_to(elsewhere);
    }
    let found = by_one_work_item(b, pointer, object, atomic);
    b.jump(after, found.as_slice());
    b.switch_to(after);
    result
}

fn issue(b: &mut Builder<'_>, pointer: Value, atomic: Atomic) -> Option<Value> {
    Some(match atomic {
        Atomic::Load(ordering) => b.atomic_load(pointer, ordering),
        Atomic::Store(value, ordering) => {
            b.atomic_store(pointer, value, ordering);
            return None;
        }
        Atomic::Modify(op, value, ordering) => b.atomic_modify(op, pointer, value, ordering),
        Atomic::CompareExchange { values, ordering, failure } => {
            b.atomic_compare_exchange(pointer, values, ordering, failure)
        }
    })
}

/// No other work-item accesses private memory, so there is nothing to order either.
fn by_one_work_item(
    b: &mut Builder<'_>,
    pointer: Value,
    object: Type,
    atomic: Atomic,
) -> Option<Value> {
    let access = MemoryAccess { align: b.types.align(object) as u32, flags: MemFlags::default() };
    if let Atomic::Store(value, _) = atomic {
        b.store(pointer, value, access);
        return None;
    }
    let old = b.load(pointer, access);
    let new = match atomic {
        Atomic::Load(_) | Atomic::Store(..) => return Some(old),
        Atomic::Modify(AtomicOp::FMin, value, _) => {
            b.intrinsic(Intrinsic::Fmin, &[old, value], object)?
        }
        Atomic::Modify(AtomicOp::FMax, value, _) => {
            b.intrinsic(Intrinsic::Fmax, &[old, value], object)?
        }
        Atomic::Modify(op, value, _) => modified(b, op, old, value),
        Atomic::CompareExchange { values: [comparand, desired], .. } => {
            let equal = b.compare(CompareOp::Equal, old, comparand);
            b.select(equal, desired, old)
        }
    };
    b.store(pointer, new, access);
    Some(old)
}

/// What an object holds after a modification; of numbers that are compared, none is a NaN.
pub(crate) fn modified(b: &mut Builder<'_>, op: AtomicOp, old: Value, value: Value) -> Value {
    let arithmetic = |op| Ok(op);
    let chosen = |op| Err(op);
    let how = match op {
        AtomicOp::Exchange => return value,
        AtomicOp::IAdd => arithmetic(BinaryOp::IAdd),
        AtomicOp::ISub => arithmetic(BinaryOp::ISub),
        AtomicOp::And => arithmetic(BinaryOp::And),
        AtomicOp::Or => arithmetic(BinaryOp::Or),
        AtomicOp::Xor => arithmetic(BinaryOp::Xor),
        AtomicOp::FAdd => arithmetic(BinaryOp::FAdd),
        AtomicOp::SMin => chosen(CompareOp::SLess),
        AtomicOp::UMin => chosen(CompareOp::ULess),
        AtomicOp::FMin => chosen(CompareOp::FLess),
        AtomicOp::SMax => chosen(CompareOp::SGreater),
        AtomicOp::UMax => chosen(CompareOp::UGreater),
        AtomicOp::FMax => chosen(CompareOp::FGreater),
    };
    match how {
        Ok(op) => b.binary(op, old, value),
        Err(op) => {
            let keeps = b.compare(op, old, value);
            b.select(keeps, old, value)
        }
    }
}
