//! Which blocks all work-items of a work-group come to together, and which values are the same for all.
//!
//! Compilers that make vectors of work-items compute in the other blocks with masks, on which every call of a
//! function waits. What is found here is a guess about speed and never about meaning: values that are loaded
//! from one address are taken to be the same for all.

use clc_base::Id;
use clc_builtins::Intrinsic;
use clc_ir::{
    Block, Cfg, Dominators, FuncId, Function, InstKind, Linkage, Module, PostDominators,
    StorageClass, TypePool, Value,
};

/// Rounds of looking at the whole function, each of which finds values that depend on what the one before
/// has found; after those, all work-items are taken to be somewhere else.
const ROUNDS: usize = 8;

/// Steps of finding the blocks that branches decide over.
const STEPS: usize = 1 << 20;

/// By function and block: whether all work-items come to it together, as far as that is found. Functions that
/// other modules may call are not known to be called by all.
pub fn converged_blocks(module: &Module) -> Vec<Vec<bool>> {
    // By function: the calls that were not seen yet, and whether all others are made by all work-items.
    let mut calls: Vec<u32> = vec![0; module.functions.len()];
    let mut is_together: Vec<bool> = Vec::new();
    let mut found = Vec::new();
    for function in module.functions.values() {
        for (_, callee) in each_call(function) {
            calls[callee.index()] += 1;
        }
        is_together.push(function.entry_point.is_some() || function.linkage == Linkage::Internal);
        found.push(vec![false; function.blocks.len()]);
    }
    // Callers come before what they call; functions that call themselves never come.
    let mut next: Vec<FuncId> =
        module.functions.ids().filter(|id| calls[id.index()] == 0).collect();
    while let Some(id) = next.pop() {
        let function = &module.functions[id];
        if is_together[id.index()] {
            found[id.index()] = converged_blocks_of(&module.types, function);
        }
        for (block, callee) in each_call(function) {
            is_together[callee.index()] &= found[id.index()][block.index()];
            calls[callee.index()] -= 1;
            if calls[callee.index()] == 0 {
                next.push(callee);
            }
        }
    }
    found
}

/// The calls of functions of the module, with the blocks that they are in.
fn each_call(function: &Function) -> impl Iterator<Item = (Block, FuncId)> + '_ {
    function.layout.iter().flat_map(move |&block| {
        function.blocks[block].insts.iter().filter_map(move |&inst| {
            match function.insts[inst].kind {
                InstKind::Call { callee, .. } => Some((block, callee)),
                _ => None,
            }
        })
    })
}

/// Of a function that all work-items call together.
pub(crate) fn converged_blocks_of(types: &TypePool, function: &Function) -> Vec<bool> {
    if !function.is_declaration()
        && let Some(found) = found(types, function, &Cfg::new(function))
    {
        return found.is_masked.iter().map(|masked| !masked).collect();
    }
    vec![false; function.blocks.len()]
}

/// By local value of a function that all work-items call together: whether it may differ between them.
pub fn varying_values(types: &TypePool, function: &Function, cfg: &Cfg) -> Vec<bool> {
    let found = found(types, function, cfg);
    found.map_or_else(|| vec![true; function.values.len()], |found| found.varies)
}

/// Nothing where that would take long.
fn found<'a>(types: &'a TypePool, function: &'a Function, cfg: &Cfg) -> Option<Found<'a>> {
    let none = || vec![false; function.blocks.len()];
    let post_dominators = PostDominators::new(function, cfg);
    let mut found = Found {
        types,
        function,
        varies: vec![false; function.values.len()],
        is_masked: none(),
        has_changed: false,
    };
    if function.entry_point.is_none() {
        // What is passed differs, as far as is known here.
        found.vary_params(function.entry());
    }
    let dominators = Dominators::new(cfg);
    let mut is_decided = none();
    // Whether work-items come to a block only by a way that some of them go.
    let mut is_behind_way = none();
    let mut steps = 0;
    for _ in 0..ROUNDS {
        found.has_changed = false;
        for &block in cfg.reverse_post_order() {
            found.block(block);
            let decides = function.blocks[block]
                .terminator
                .operand()
                .is_some_and(|condition| found.varies(condition));
            if !decides || std::mem::replace(&mut is_decided[block.index()], true) {
                continue;
            }
            // The blocks between here and where all paths meet again; what they pass on there differs too.
            let meeting = post_dominators.immediate_post_dominator(block);
            for target in function.blocks[block].terminator.targets() {
                let way = target.block;
                // All that come to what only this way leads to come from here, with the same.
                let is_only_way = cfg
                    .predecessors(way)
                    .all(|from| from == block || dominators.dominates(way, from));
                is_behind_way[way.index()] |= is_only_way && Some(way) != meeting;
                let mut next = Some(way);
                while let Some(at) = next.filter(|&at| next != meeting && at != block) {
                    found.mask(at);
                    if !(is_only_way && dominators.dominates(way, at)) {
                        found.vary_params(at);
                    }
                    next = post_dominators.immediate_post_dominator(at);
                    steps += 1;
                    if steps > STEPS {
                        return None;
                    }
                }
                if next == Some(block) {
                    found.mask(block);
                    found.vary_params(block);
                }
            }
            if let Some(meeting) = meeting {
                found.vary_params(meeting);
            }
        }
        if !found.has_changed {
            // Who does not go a way does not come to what only that leads to.
            for &block in cfg.reverse_post_order() {
                let before = dominators.immediate_dominator(block);
                let is_behind = before.is_some_and(|before| is_behind_way[before.index()]);
                is_behind_way[block.index()] |= is_behind;
                found.is_masked[block.index()] |= is_behind;
            }
            return Some(found);
        }
    }
    None
}

struct Found<'a> {
    types: &'a TypePool,
    function: &'a Function,
    /// By local value: whether it may differ between work-items.
    varies: Vec<bool>,
    /// By block: whether some work-items may come to it without the others.
    is_masked: Vec<bool>,
    has_changed: bool,
}

impl Found<'_> {
    fn varies(&self, value: Value) -> bool {
        value.as_local().is_some_and(|index| self.varies[index])
    }

    fn set_varies(&mut self, value: Value) {
        if let Some(index) = value.as_local() {
            self.has_changed |= !std::mem::replace(&mut self.varies[index], true);
        }
    }

    fn mask(&mut self, block: Block) {
        self.has_changed |= !std::mem::replace(&mut self.is_masked[block.index()], true);
    }

    fn vary_params(&mut self, block: Block) {
        for &param in &self.function.blocks[block].params {
            self.set_varies(param);
        }
    }

    fn block(&mut self, block: Block) {
        for &inst in &self.function.blocks[block].insts {
            let data = &self.function.insts[inst];
            let Some(result) = data.result.filter(|&result| !self.varies(result)) else { continue };
            let mut of_operands = false;
            self.function.each_operand(inst, |operand| of_operands |= self.varies(operand));
            if of_operands || is_source(self.types, self.function, &data.kind) {
                self.set_varies(result);
            }
        }
        for target in self.function.blocks[block].terminator.targets() {
            let params = &self.function.blocks[target.block].params;
            for (&param, argument) in params.iter().zip(self.function.values_of(target.arguments)) {
                if self.varies(argument) {
                    self.set_varies(param);
                }
            }
        }
    }
}

/// Whether a result may differ where the operands do not.
pub(crate) fn is_source(types: &TypePool, function: &Function, kind: &InstKind) -> bool {
    match *kind {
        InstKind::Intrinsic { intrinsic, .. } => {
            matches!(
                intrinsic,
                Intrinsic::GetGlobalId
                    | Intrinsic::GetLocalId
                    | Intrinsic::GetGlobalLinearId
                    | Intrinsic::GetLocalLinearId
                    | Intrinsic::GetSubGroupId
                    | Intrinsic::GetSubGroupLocalId
            ) || !intrinsic.effects().is_pure()
        }
        // A variable of its own for each work-item.
        InstKind::Load { pointer, .. } => is_private(types, function, pointer),
        InstKind::Call { .. }
        | InstKind::AtomicLoad { .. }
        | InstKind::AtomicModify { .. }
        | InstKind::AtomicCompareExchange { .. } => true,
        InstKind::Binary { .. }
        | InstKind::Unary { .. }
        | InstKind::Compare { .. }
        | InstKind::Select { .. }
        | InstKind::Convert { .. }
        | InstKind::Store { .. }
        | InstKind::CopyMemory { .. }
        | InstKind::Variable { .. }
        | InstKind::PtrAdd { .. }
        | InstKind::Access { .. }
        | InstKind::Extract { .. }
        | InstKind::Insert { .. }
        | InstKind::ExtractDynamic { .. }
        | InstKind::InsertDynamic { .. }
        | InstKind::Shuffle { .. }
        | InstKind::Construct { .. }
        | InstKind::AtomicStore { .. }
        | InstKind::Fence(_)
        | InstKind::Barrier { .. }
        | InstKind::GenericTo { .. } => false,
    }
}

/// Whether an address is one of a variable that each work-item has of its own, or may be.
pub(crate) fn is_private(types: &TypePool, function: &Function, address: Value) -> bool {
    let ty = address.as_local().map(|index| function.values[index].ty);
    let class = ty.and_then(|ty| types.pointer_parts(ty)).map(|(_, class)| class);
    matches!(class, Some(StorageClass::Function | StorageClass::Private | StorageClass::Generic))
}
