//! Functions that print strings which they take as arguments are inlined: only callers know the
//! strings.

use clc_base::arena::Id as _;
use clc_builtins::Intrinsic;
use clc_ir::{ConvertOp, FuncId, Function, InstKind, Module, TypePool, Value, ValueDef};
use rustc_hash::FxHashSet;

/// Inlines them, and leaves them without a body.
pub(super) fn inline(module: &mut Module) {
    // By function: the parameters that are printed, by itself or by what it calls.
    let mut printed: Vec<Vec<usize>> = vec![Vec::new(); module.functions.len()];
    for id in clc_passes::calls::callees_first(&module.functions) {
        let function = &module.functions[id];
        // A kernel has no callers since its body was moved, and its parameters are the host's.
        if function.is_declaration() || function.entry_point.is_some() {
            continue;
        }
        printed[id.index()] = printed_parameters(module, function, &printed);
    }
    if printed.iter().all(Vec::is_empty) {
        return;
    }
    clc_passes::inline::run_for(module, |id| !printed[id.index()].is_empty());
    let gone: Vec<FuncId> =
        module.functions.ids().filter(|id| !printed[id.index()].is_empty()).collect();
    for id in gone {
        let name = std::mem::take(&mut module.functions[id].name);
        module.functions[id] = Function::new(name, TypePool::VOID);
    }
}

fn printed_parameters(module: &Module, function: &Function, printed: &[Vec<usize>]) -> Vec<usize> {
    let mut strings: Vec<Value> = Vec::new();
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        match function.insts[inst].kind {
            InstKind::Intrinsic { intrinsic: Intrinsic::Printf, arguments } => {
                strings.extend(function.values_of(arguments));
            }
            InstKind::Call { callee, arguments } => {
                let places = printed[callee.index()].iter();
                strings.extend(places.map(|&place| function.value_at(arguments, place)));
            }
            _ => {}
        }
    }
    let params = &function.blocks[function.entry()].params;
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    while let Some(value) = strings.pop() {
        let is_pointer = module.types.is_pointer(module.value_type(function, value));
        if !is_pointer || !seen.insert(value) {
            continue;
        }
        if let Some(place) = params.iter().position(|&param| param == value) {
            found.push(place);
            continue;
        }
        match function.def(value) {
            Some(ValueDef::Param(block, position)) => {
                for &from in &function.layout {
                    for target in function.blocks[from].terminator.targets() {
                        if target.block == block {
                            strings.push(function.value_at(target.arguments, position as usize));
                        }
                    }
                }
            }
            Some(ValueDef::Inst(inst)) => match function.insts[inst].kind {
                InstKind::Select { then, otherwise, .. } => strings.extend([then, otherwise]),
                InstKind::Convert { op: ConvertOp::Bitcast, operand, .. } => strings.push(operand),
                InstKind::Access { base, .. } | InstKind::PtrAdd { base, .. } => strings.push(base),
                _ => {}
            },
            None => {}
        }
    }
    found
}
