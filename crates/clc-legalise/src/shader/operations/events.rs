//! Events as numbers: nothing depends on them any more. Copies are over when they are waited for.

use clc_ir::{Const, InstKind, Module, Type, TypeKind, TypePool, Value};
use rustc_hash::FxHashMap;

/// Makes integers of all events: values, variables, and what points to them.
pub(super) fn run(module: &mut Module) {
    let types: Vec<(Type, TypeKind)> = module.types.iter().collect();
    let mut replaced: FxHashMap<Type, Type> = FxHashMap::default();
    for (ty, kind) in types {
        let new = match kind {
            TypeKind::Event => Some(TypePool::I64),
            TypeKind::Pointer { pointee, class } => {
                replaced.get(&pointee).map(|&pointee| module.types.pointer(pointee, class))
            }
            TypeKind::Array(element, len) => {
                replaced.get(&element).map(|&element| module.types.array(element, len))
            }
            _ => None,
        };
        if let Some(new) = new {
            replaced.insert(ty, new);
        }
    }
    if replaced.is_empty() {
        return;
    }
    let new_type = |ty: &mut Type| {
        if let Some(&new) = replaced.get(ty) {
            *ty = new;
        }
    };
    // Constants of these types, and those that point to such.
    let consts: Vec<(Value, Const)> = module
        .consts
        .iter()
        .map(|(id, constant)| (Value::from_const(id), constant.clone()))
        .collect();
    let mut new_consts: FxHashMap<Value, Value> = FxHashMap::default();
    for (old, constant) in consts {
        let new = match constant {
            Const::Undef(mut ty) if replaced.contains_key(&ty) => {
                new_type(&mut ty);
                Const::Undef(ty)
            }
            Const::Null(mut ty) if replaced.contains_key(&ty) => {
                new_type(&mut ty);
                match module.types.kind(ty) {
                    TypeKind::Int(_) => Const::Int(ty, 0),
                    _ => Const::Null(ty),
                }
            }
            _ => continue,
        };
        new_consts.insert(old, module.consts.intern(new));
    }
    for function in module.functions.values_mut() {
        function.params.iter_mut().for_each(new_type);
        new_type(&mut function.result);
        for value in &mut function.values {
            new_type(&mut value.ty);
        }
        for inst in function.insts.values_mut() {
            if let InstKind::Variable { ty, .. } = &mut inst.kind {
                new_type(ty);
            }
        }
        function.map_all_operands(|value| new_consts.get(&value).copied().unwrap_or(value));
    }
}
