//! Inlines the functions that take addresses of a private or local variable, where that leaves no call that does: then a
//! private one can become values, and a local one keeps its type. For shaders, where memory that is reached by addresses is
//! one array of words, and a byte a part of one.
//!
//! ```text
//! s = variable { ulong, ulong }              v0 = .., v1 = ..
//! call round(s); call round(s)        ->     v0 = v0 + v1, v1 = rotate(v1, 13) ^ v0; v0 = v0 + v1, ..
//! ```

use clc_base::Id as _;
use clc_ir::{
    Const, FuncId, Inst, InstKind, Module, StorageClass, Type, TypeKind, TypePool, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::calls::callees_first;
use crate::inline::{self, LARGE, function_size};
use crate::{context, unroll_arrays};

/// Instructions of all calls that take addresses of a variable.
const MAX_SIZE: usize = 1024;

/// Inlines such calls, and makes values of what they were for.
pub fn run(module: &mut Module) {
    let order = callees_first(&module.functions);
    let mut is_final = vec![false; module.functions.len()];
    let mut is_changed = vec![false; module.functions.len()];
    for id in order {
        let calls = calls(module, id, &is_final);
        if !calls.is_empty() {
            inline::calls(module, id, &calls);
            is_changed[id.index()] = true;
        }
        is_final[id.index()] = true;
    }
    if !is_changed.contains(&true) {
        return;
    }
    let bodies = module.functions.iter().filter(|(_, function)| !function.is_declaration());
    let changed: Vec<bool> = bodies.map(|(id, _)| is_changed[id.index()]).collect();
    let mut changed = changed.into_iter();
    context::each_function(module, |context, function| {
        if changed.next() == Some(true) {
            unroll_arrays::make_values(context, function);
        }
    });
}

/// The calls of a function that take the address of a variable, or of what the function was given, that nothing else
/// takes, where there are few enough of them. Callees have to be as they stay.
fn calls(module: &Module, id: FuncId, is_final: &[bool]) -> FxHashSet<Inst> {
    let function = &module.functions[id];
    let mut found = FxHashSet::default();
    if function.is_declaration() {
        return found;
    }
    let types = &module.types;
    let mut roots: FxHashMap<Value, Value> = function.blocks[function.entry()]
        .params
        .iter()
        .copied()
        .filter(|&param| is_own(types, function.values[param.as_local().unwrap_or_default()].ty))
        .map(|param| (param, param))
        .collect();
    // By variable: the calls that take its address, with what they bring.
    let mut taken: FxHashMap<Value, (Vec<Inst>, usize)> = FxHashMap::default();
    let mut stay: FxHashSet<Value> = FxHashSet::default();
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        let data = &function.insts[inst];
        match data.kind {
            InstKind::Variable { ty, .. } if has_parts(types, ty) => {
                roots.extend(data.result.map(|result| (result, result)));
            }
            InstKind::Variable { .. } => {}
            InstKind::Access { base, .. } | InstKind::PtrAdd { base, .. } => {
                if let (Some(root), Some(result)) = (root(module, &roots, base), data.result) {
                    roots.insert(result, root);
                }
            }
            InstKind::Load { .. } | InstKind::CopyMemory { .. } => {}
            InstKind::Store { value, .. } => stay.extend(roots.get(&value)),
            InstKind::Call { callee, .. } => {
                let callee_data = &module.functions[callee];
                let can_go = is_final[callee.index()]
                    && !callee_data.is_declaration()
                    && !callee_data.no_inline
                    && callee != id;
                let mut of_call: Vec<Value> = Vec::new();
                function
                    .each_operand(inst, |operand| of_call.extend(root(module, &roots, operand)));
                of_call.sort_unstable();
                of_call.dedup();
                for root in of_call {
                    let (calls, size) = taken.entry(root).or_default();
                    calls.push(inst);
                    *size += function_size(callee_data);
                    if !can_go {
                        stay.insert(root);
                    }
                }
            }
            _ => function.each_operand(inst, |operand| stay.extend(roots.get(&operand))),
        }
    }
    for &block in &function.layout {
        function.each_terminator_operand(block, |operand| stay.extend(roots.get(&operand)));
    }
    let mut size = function_size(function);
    let mut variables: Vec<(Value, (Vec<Inst>, usize))> = taken.into_iter().collect();
    variables.sort_unstable_by_key(|&(root, _)| root);
    for (root, (calls, brought)) in variables {
        if brought <= MAX_SIZE && !stay.contains(&root) && size + brought <= LARGE {
            size += brought;
            found.extend(calls);
        }
    }
    found
}

/// The variable that a value is an address of, or of a part of it.
fn root(module: &Module, roots: &FxHashMap<Value, Value>, value: Value) -> Option<Value> {
    roots.get(&value).copied().or_else(|| global(module, value))
}

/// The variable of a work-group that a constant is the address of, or of a part of it.
fn global(module: &Module, value: Value) -> Option<Value> {
    match *module.consts.get(value.as_const()?) {
        Const::GlobalAddress(ty, _) => is_own(&module.types, ty).then_some(value),
        Const::Access { base, .. } => global(module, base),
        _ => None,
    }
}

/// Whether it is a pointer to more than a number, or to anything of the work-group. One number in memory does little
/// harm, and what compilers unroll has more loops in it when calls are inlined.
fn is_own(types: &TypePool, ty: Type) -> bool {
    match types.pointer_parts(ty) {
        Some((of, StorageClass::Function)) => has_parts(types, of),
        Some((_, StorageClass::Workgroup)) => true,
        _ => false,
    }
}

fn has_parts(types: &TypePool, ty: Type) -> bool {
    matches!(types.kind(ty), TypeKind::Array(..) | TypeKind::Struct(_) | TypeKind::Vector(..))
}
