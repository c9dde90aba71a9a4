//! Atomics through pointers to any address space.
//!
//! SPIR-V has them, but drivers have functions for atomics in `global` and `local` memory only. Where
//! the space of a pointer is not known, the program asks at run time: an atomic on `global` memory, one
//! on `local` memory, or else a load and a store, which are enough for memory that belongs to one
//! work-item. That is also what becomes of atomics on `private` memory.

use clc_base::AddressSpace;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{Builder, CompareOp, MemFlags, MemoryAccess, Module, StorageClass, Type, Value};

use crate::atomic::{Atomic, modified};

pub(crate) fn run(module: &mut Module) {
    let Module { types, consts, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        rewrite::expand(
            types,
            consts,
            function,
            |kind| Atomic::of(kind).is_some(),
            |b, inst| {
                let Some((pointer, atomic)) = Atomic::of(&b.function.insts[inst].kind) else {
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
                    | StorageClass::Uniform
                    | StorageClass::PhysicalStorageBuffer
                    | StorageClass::ReadOnlyBuffer
                    | StorageClass::StorageBuffer => return Expansion::Keep,
                };
                value.map_or(Expansion::Done, Expansion::Value)
            },
        );
    }
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
        let found = atomic.issue(b, named);
        b.jump(after, found.as_slice());
        b.switch_to(elsewhere);
    }
    let found = by_one_work_item(b, pointer, object, atomic);
    b.jump(after, found.as_slice());
    b.switch_to(after);
    result
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
        Atomic::Modify(op, value, _) => modified(b, op, old, value),
        Atomic::CompareExchange { comparand, desired, .. } => {
            let equal = b.compare(CompareOp::Equal, old, comparand);
            b.select(equal, desired, old)
        }
    };
    b.store(pointer, new, access);
    Some(old)
}
