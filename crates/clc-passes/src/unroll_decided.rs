//! Writes out loops that decide by what they count, for shaders: each turn then has its own way alone.
//!
//! ```text
//! for (mode = 0; mode < 9; mode++)          cost of vertical(..);
//!     switch (mode) {                 ->    cost of horizontal(..);
//!     case 0: .. vertical(..)               ..
//!     case 1: .. horizontal(..) ..
//! ```
//!
//! Drivers look at the size of a loop as it is, which is that of all ways together, and leave it. Each turn is looked at
//! as constants will leave it, also in functions that it calls, which drivers inline: what it computes of what is counted,
//! what it then finds in tables, and where it cannot go, is nothing. A loop is written out if that is less than half of what its turns would be
//! otherwise.

use clc_base::Arena;
use clc_ir::{
    Block, Cfg, Const, Dominators, FuncId, Function, Global, GlobalId, InstKind, Module,
    Terminator, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::each_function;
use crate::counted::{self, Known, Loop, evaluate};
use crate::fold::Folder;
use crate::written_turns::{self, Turns};
use crate::{mem2reg, simplify, simplify_cfg};

/// Turns of a loop that is looked at.
const MAX_TURNS: usize = 16;

/// Instructions of the written turns of all such loops of a function.
const MAX_SIZE: u64 = 4096;

/// Blocks that are looked at for one module; loops behind them are left as they are.
const MAX_BLOCKS: usize = 1 << 16;

/// What counts for an element of a table that is not known: it is in memory, and so is what is found there.
const LOOKUP: u64 = 8;

/// How deep calls are followed, and what counts for those that are not.
const MAX_CALLS: u32 = 3;
const CALL: u64 = 8;

/// Writes out the loops of a module that have much fewer instructions then than in as many turns.
pub fn run(module: &mut Module) {
    let mut chosen: Vec<Vec<(Loop, u64)>> = Vec::new();
    let mut found_any = false;
    {
        let folder = Folder { types: &mut module.types, consts: &mut module.consts };
        let (functions, globals) = (&module.functions, &module.globals);
        let mut sizer =
            Sizer { folder, functions, globals, cfgs: FxHashMap::default(), left: MAX_BLOCKS };
        for function in functions.values().filter(|function| !function.is_declaration()) {
            let of_function = decided(&mut sizer, function);
            found_any |= !of_function.is_empty();
            chosen.push(of_function);
        }
    }
    if !found_any {
        return;
    }
    let mut chosen = chosen.into_iter();
    each_function(module, |context, function| {
        let loops = chosen.next().unwrap_or_default();
        if loops.is_empty() {
            return;
        }
        let loops: Vec<(&Loop, Turns)> =
            loops.iter().map(|(found, turns)| (found, Turns::All(*turns))).collect();
        written_turns::unroll(context.types, function, &loops);
        mem2reg::run(context, function);
        simplify_cfg::run(context, function);
        simplify::run(context, function);
        simplify_cfg::run(context, function);
    });
}

/// The loops of a function that are written out, with their turns; none is in another.
fn decided(sizer: &mut Sizer<'_>, function: &Function) -> Vec<(Loop, u64)> {
    let cfg = Cfg::new(function);
    if !cfg.blocks_in_loops().contains(&true) {
        return Vec::new();
    }
    let dominators = Dominators::new(&cfg);
    let mut left = MAX_SIZE;
    let mut taken: FxHashSet<Block> = FxHashSet::default();
    let mut chosen = Vec::new();
    for found in counted::loops_from_anywhere(function, &cfg, &dominators) {
        if !taken.contains(&found.header)
            && let Some((turns, size)) = sizer.if_decided(function, &cfg, &found)
            && let Some(rest) = left.checked_sub(size)
        {
            left = rest;
            taken.extend(found.blocks.iter().copied());
            chosen.push((found, turns));
        }
    }
    chosen
}

/// Finds out how many instructions stay of what control reaches.
struct Sizer<'a> {
    folder: Folder<'a>,
    functions: &'a Arena<FuncId, Function>,
    globals: &'a Arena<GlobalId, Global>,
    /// Of functions that are called.
    cfgs: FxHashMap<FuncId, Cfg>,
    /// Blocks that may still be looked at.
    left: usize,
}

impl Sizer<'_> {
    /// How often a loop turns, and the instructions that its turns have if they are written out, if that is worth it.
    fn if_decided(&mut self, function: &Function, cfg: &Cfg, found: &Loop) -> Option<(u64, u64)> {
        let may_decide = |&block: &Block| {
            let block = &function.blocks[block];
            matches!(block.terminator, Terminator::Branch { .. } | Terminator::Switch { .. })
                || block
                    .insts
                    .iter()
                    .any(|&inst| matches!(function.insts[inst].kind, InstKind::Call { .. }))
        };
        if found.leaves_early
            || !found.blocks[1..].iter().any(may_decide)
            || found.has_variables(function)
        {
            return None;
        }
        let turns = counted::each_turn(&mut self.folder, function, found)?;
        if !(2..=MAX_TURNS).contains(&turns.len()) {
            return None;
        }
        let stays = |block: Block| block != found.header && found.contains(block);
        let region = Region { function, cfg, blocks: &found.blocks, stays: &stays };
        let whole = self.size(&region, Known::default(), MAX_CALLS);
        let most = (whole.saturating_mul(turns.len() as u64) / 2).min(MAX_SIZE);
        let mut size = 0u64;
        for known in &turns {
            size = size.saturating_add(self.size(&region, known.clone(), MAX_CALLS));
            if size > most {
                return None;
            }
        }
        (self.left > 0).then_some((turns.len() as u64, size))
    }

    /// The instructions that control may reach and that are no constants, where values are as `known`.
    fn size(&mut self, region: &Region<'_>, mut known: Known, calls: u32) -> u64 {
        let Region { function, cfg, blocks, stays } = *region;
        let Some((&first, _)) = blocks.split_first() else { return 0 };
        // By block that control reaches: what its parameters are, if that is one constant.
        let mut reached: FxHashMap<Block, Vec<Option<Value>>> = FxHashMap::default();
        reached.insert(first, Vec::new());
        let mut size = 0u64;
        for &block in blocks {
            let Some(params) = reached.remove(&block) else { continue };
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                return u64::MAX;
            }
            let is_head =
                cfg.predecessors(block).any(|from| cfg.position(from) >= cfg.position(block));
            // What a loop in the region counts is another constant in each turn.
            if !is_head {
                let params = function.blocks[block].params.iter().zip(params);
                known.extend(params.filter_map(|(&param, value)| Some((param, value?))));
            }
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                if let Some(result) = data.result
                    && let Some(constant) = self.constant(function, result, &known)
                {
                    known.insert(result, constant);
                    continue;
                }
                size = size.saturating_add(match data.kind {
                    InstKind::Call { callee, arguments } => {
                        let arguments = function.values_of(arguments);
                        let arguments = arguments.map(|value| constant(&known, value)).collect();
                        self.call(callee, arguments, calls)
                    }
                    InstKind::Load { pointer, .. } if self.is_of_table(function, pointer) => LOOKUP,
                    _ => 1,
                });
            }
            size = size.saturating_add(1);
            let only = self.only_way(&function.blocks[block].terminator, &known);
            for target in function.blocks[block].terminator.targets() {
                if !stays(target.block) || only.is_some_and(|only| only != target.block) {
                    continue;
                }
                let values = function.values_of(target.arguments);
                let values: Vec<Option<Value>> =
                    values.map(|value| constant(&known, value)).collect();
                let old = reached.entry(target.block).or_insert_with(|| values.clone());
                for (old, new) in old.iter_mut().zip(values) {
                    *old = old.filter(|_| *old == new);
                }
            }
        }
        size
    }

    /// The constant that an instruction computes, or finds in a table.
    fn constant(&mut self, function: &Function, result: Value, known: &Known) -> Option<Value> {
        let (_, data) = function.def_inst(result)?;
        match data.kind {
            InstKind::Load { pointer, .. } => {
                let InstKind::Access { base, indices } = function.def_inst(pointer)?.1.kind else {
                    return None;
                };
                let indices = function.values_of(indices).map(|index| constant(known, index));
                let indices: Vec<Value> = indices.collect::<Option<_>>()?;
                self.folder.table_element(self.globals, base, &indices)
            }
            InstKind::Extract { aggregate, path } => {
                let [index] = function.numbers_of(path) else { return None };
                self.folder.component(constant(known, aggregate)?, *index)
            }
            _ => evaluate(&mut self.folder, function, result, known, 1),
        }
    }

    fn is_of_table(&self, function: &Function, pointer: Value) -> bool {
        let Some((_, data)) = function.def_inst(pointer) else { return false };
        let InstKind::Access { base, .. } = data.kind else { return false };
        let table = base.as_const().map(|base| self.folder.consts.get(base));
        matches!(table, Some(Const::GlobalAddress(_, id)) if self.globals[*id].is_const)
    }

    /// The instructions of a function with some arguments.
    fn call(&mut self, callee: FuncId, arguments: Vec<Option<Value>>, calls: u32) -> u64 {
        let function = &self.functions[callee];
        if function.is_declaration() || calls == 0 {
            return CALL;
        }
        let cfg = self.cfgs.remove(&callee).unwrap_or_else(|| Cfg::new(function));
        let params = function.blocks[function.entry()].params.iter();
        let known = params.zip(arguments).filter_map(|(&param, value)| Some((param, value?)));
        let stays = |_: Block| true;
        let blocks = cfg.reverse_post_order();
        let region = Region { function, cfg: &cfg, blocks, stays: &stays };
        let size = self.size(&region, known.collect(), calls - 1);
        self.cfgs.insert(callee, cfg);
        size
    }

    /// Where control goes if a constant says so.
    fn only_way(&self, terminator: &Terminator, known: &Known) -> Option<Block> {
        let bits = |value: Value| self.folder.scalar_bits(constant(known, value)?);
        match terminator {
            Terminator::Branch { condition, then, otherwise } => {
                Some(if bits(*condition)? != 0 { then.block } else { otherwise.block })
            }
            Terminator::Switch { selector, default, cases } => {
                let selected = bits(*selector)?;
                let case = cases.iter().find(|case| case.value == selected);
                Some(case.map_or(default.block, |case| case.target.block))
            }
            _ => None,
        }
    }
}

/// Blocks that control goes through from the first.
#[derive(Clone, Copy)]
struct Region<'a> {
    function: &'a Function,
    cfg: &'a Cfg,
    /// In reverse post-order.
    blocks: &'a [Block],
    /// Whether control does not leave by going to a block.
    stays: &'a dyn Fn(Block) -> bool,
}

fn constant(known: &Known, value: Value) -> Option<Value> {
    if value.is_const() { Some(value) } else { known.get(&value).copied() }
}
