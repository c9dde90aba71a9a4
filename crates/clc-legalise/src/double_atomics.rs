//! Drivers have no function behind the exchange and the store of doubles, though SPIR-V has them
//! (OpAtomicExchange, OpAtomicStore): these move integers with the same bits.

use clc_base::memory_model::AtomicOp;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{Builder, InstKind, Module, TypeKind, TypePool, Value};

pub(crate) fn run(module: &mut Module) {
    let Module { types, consts, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        rewrite::expand(types, consts, function, is_candidate, |b, inst| {
            match b.function.insts[inst].kind {
                InstKind::AtomicStore { pointer, value, ordering } if is_double(b, value) => {
                    let pointer = as_integer(b, pointer);
                    let value = b.bitcast(value, TypePool::I64);
                    b.atomic_store(pointer, value, ordering);
                    Expansion::Done
                }
                InstKind::AtomicModify { op: AtomicOp::Exchange, pointer, value, ordering }
                    if is_double(b, value) =>
                {
                    let ty = b.ty(value);
                    let pointer = as_integer(b, pointer);
                    let value = b.bitcast(value, TypePool::I64);
                    let found = b.atomic_modify(AtomicOp::Exchange, pointer, value, ordering);
                    Expansion::Value(b.bitcast(found, ty))
                }
                _ => Expansion::Keep,
            }
        });
    }
}

fn is_candidate(kind: &InstKind) -> bool {
    matches!(
        kind,
        InstKind::AtomicStore { .. } | InstKind::AtomicModify { op: AtomicOp::Exchange, .. }
    )
}

fn is_double(b: &Builder<'_>, value: Value) -> bool {
    b.types.kind(b.ty(value)) == TypeKind::Float(64)
}

fn as_integer(b: &mut Builder<'_>, pointer: Value) -> Value {
    match b.types.pointer_parts(b.ty(pointer)) {
        Some((_, class)) => {
            let ty = b.types.pointer(TypePool::I64, class);
            b.bitcast(pointer, ty)
        }
        None => pointer,
    }
}
