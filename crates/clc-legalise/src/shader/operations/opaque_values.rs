//! Events and samplers as numbers: nothing depends on them any more. Copies are over when they are
//! waited for, and of samplers only those are left that no image is read with.

use clc_ir::{Const, InstKind, Module, Type, TypeKind, TypePool, Value};
use rustc_hash::FxHashMap;

/// Makes integers of all events, and for shaders of samplers: values, variables, and what points to
/// them.
pub(super) fn run(module: &mut Module, is_shader: bool) {
    // Samplers that the host provides stay, with all others: they are refused with the arguments.
    let is_sampler = |&ty: &Type| module.types.kind(ty) == TypeKind::Sampler;
    let is_shader = is_shader
        && !module.functions.values().any(|function| {
            function.entry_point.is_some() && function.params.iter().any(is_sampler)
        });
    let types: Vec<(Type, TypeKind)> = module.types.iter().collect();
    let mut replaced: FxHashMap<Type, Type> = FxHashMap::default();
    for (ty, kind) in types {
        let new = match kind {
            TypeKind::Event => Some(TypePool::I64),
            TypeKind::Sampler if is_shader => Some(TypePool::I32),
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
            Const::Sampler(_, bits) if is_shader => Const::Int(TypePool::I32, u64::from(bits)),
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
