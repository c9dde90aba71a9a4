//! Variables of a work-item that are stored to before anything is loaded from them, whichever way control comes.
//!
//! Such a one, a list of neighbours' indices say, holds the same for all work-items where the same is stored for all.

use clc_ir::{Block, Cfg, Dominators, Function, Inst, InstKind, Value};
use rustc_hash::FxHashMap;

/// Stores to a variable that are looked at for each load of it.
const MAX_STORES: usize = 64;

/// By variable: the stores to it, all of which come before each load. With other variables more is done than to load and to
/// store, or some way to a load leads past a store.
pub(crate) fn stored_before(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
) -> FxHashMap<Value, Vec<Inst>> {
    let mut variables: FxHashMap<Value, Variable> = FxHashMap::default();
    for &block in cfg.reverse_post_order() {
        for &inst in &function.blocks[block].insts {
            let data = &function.insts[inst];
            match data.kind {
                InstKind::Variable { .. } => {
                    variables.extend(data.result.map(|result| (result, Variable::default())));
                }
                InstKind::Access { .. } => {}
                InstKind::Load { pointer, .. } => {
                    if let Some(variable) = variables.get_mut(&base(function, pointer)) {
                        variable.loads.push(block);
                    }
                }
                InstKind::Store { pointer, value, .. } => {
                    variables.remove(&base(function, value));
                    if let Some(variable) = variables.get_mut(&base(function, pointer)) {
                        variable.stores.push((block, inst));
                    }
                }
                _ => function.each_operand(inst, |operand| {
                    variables.remove(&base(function, operand));
                }),
            }
        }
        for target in function.blocks[block].terminator.targets() {
            for argument in function.values_of(target.arguments) {
                variables.remove(&base(function, argument));
            }
        }
    }
    let come_first = |variable: &Variable| {
        let mut loads = variable.loads.clone();
        loads.dedup();
        let precedes = |&load: &Block| {
            variable.stores.iter().all(|&(store, _)| dominators.dominates(store, load))
        };
        variable.stores.len() <= MAX_STORES && loads.iter().all(precedes)
    };
    let stores = |variable: Variable| variable.stores.into_iter().map(|(_, inst)| inst).collect();
    variables
        .into_iter()
        .filter(|(_, variable)| come_first(variable))
        .map(|(value, variable)| (value, stores(variable)))
        .collect()
}

/// Where a variable is accessed.
#[derive(Default)]
struct Variable {
    loads: Vec<Block>,
    stores: Vec<(Block, Inst)>,
}

/// What an address is a part of.
pub(crate) fn base(function: &Function, mut pointer: Value) -> Value {
    while let Some((_, data)) = function.def_inst(pointer)
        && let InstKind::Access { base, .. } = data.kind
    {
        pointer = base;
    }
    pointer
}
