//! Images and samplers in memory, which are those that blocks capture: without optimization the literal
//! of a block is a variable, and the function of the block loads what it captured.

use clc_ir::{FuncId, Function, InstKind, Linkage, Module};
use clc_passes::{address_space_inference, context, dead_code, inline, mem2reg, simplify, sroa};
use rustc_hash::FxHashSet;

use super::is_opaque;

/// Makes values of images and samplers that are loaded from variables.
pub(super) fn make_values(module: &mut Module) {
    let mut inlined = FxHashSet::default();
    loop {
        let loading: FxHashSet<FuncId> =
            module.functions.ids().filter(|&id| loads(module, &module.functions[id])).collect();
        if loading.is_empty() {
            return;
        }
        // A block may be called by one that captured it.
        let callees = |id: &FuncId| module.functions[*id].entry_point.is_none();
        let new: FxHashSet<FuncId> =
            loading.iter().copied().filter(callees).filter(|&id| inlined.insert(id)).collect();
        if new.is_empty() {
            break;
        }
        inline::run_for(module, |id| new.contains(&id));
        for &id in &new {
            module.functions[id].linkage = Linkage::Internal;
        }
        dead_code::dead_functions(module);
    }
    address_space_inference::run(module);
    context::each_function(module, |context, function| {
        // First the variables with the addresses of what is captured.
        mem2reg::run(context, function);
        simplify::run(context, function);
        dead_code::remove_dead(function, context.removable);
        sroa::run(context, function);
        mem2reg::run(context, function);
    });
}

fn loads(module: &Module, function: &Function) -> bool {
    let insts = function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
    insts.copied().any(|inst| {
        let inst = &function.insts[inst];
        let is_load = matches!(inst.kind, InstKind::Load { .. });
        is_load
            && inst.result.is_some_and(|value| {
                is_opaque(module.types.kind(module.value_type(function, value)))
            })
    })
}
