//! Asks drivers not to write out the turns of loops that do enough in each.
//!
//! Compilers of processors write out loops that turn a known number of times, up to some hundred instructions in all, and
//! then optimise, and make vectors of, what they have written. Where a turn is some twenty instructions, of which few become
//! constants by that, kernels are no faster for it, and a driver may take twice as long to build them. On a GPU, too, a turn
//! of that size has enough to do while its loads wait; of smaller ones drivers make several at once.

use clc_ir::{
    Block, Cfg, Dominators, Function, InstKind, LoopControl, LoopHint, StorageClass, Value,
    turns_back,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::copies;
use crate::counted::{self, Known, Loop};
use crate::fold::Folder;

/// Turns of a loop that is kept, at least.
const TURNS: u64 = 8;

/// Instructions of a turn, at least, with its test.
const SIZE: u64 = 20;

/// One in so many instructions may become a constant.
const CONSTANTS: u64 = 3;

/// Instructions of all turns of a short loop, at most.
const SHORT: u64 = 128;

/// Gives such loops a hint, if they have none.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if !turns_back(function) {
        return;
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    for found in counted::loops(function, &cfg, &dominators) {
        if let Some(continue_target) = latch_of_long(context, function, &found) {
            let merge = found.outside.block;
            let hint = LoopHint { control: LoopControl::DontUnroll, merge, continue_target };
            function.loop_hints.entry(found.header).or_insert(hint);
        }
    }
}

/// The blocks of short loops in loops, both of a known number of turns, and without a hint: a driver for which they have few
/// instructions may write out both.
pub fn short_loops_in_loops(
    context: &mut ModuleContext<'_>,
    function: &Function,
) -> FxHashSet<Block> {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    // By block: in how many loops of a known number of turns it is.
    let mut around: FxHashMap<Block, u32> = FxHashMap::default();
    let mut short = Vec::new();
    for found in counted::loops(function, &cfg, &dominators) {
        if found.leaves_early || function.loop_hints.contains_key(&found.header) {
            continue;
        }
        let turns = counted::turns(&mut folder, function, &found, &Known::default());
        let Some((turns, _)) = turns else { continue };
        for &block in &found.blocks {
            *around.entry(block).or_default() += 1;
        }
        if turns.saturating_mul(found.size(function)) <= SHORT {
            short.push(found);
        }
    }
    short.retain(|found| around.get(&found.header).is_some_and(|&around| around > 1));
    short.into_iter().flat_map(|found| found.blocks).collect()
}

/// The block that jumps back, if a loop is one straight line that turns often and does enough in each turn.
fn latch_of_long(
    context: &mut ModuleContext<'_>,
    function: &Function,
    found: &Loop,
) -> Option<Block> {
    let &[header, latch] = found.blocks.as_slice() else { return None };
    if found.leaves_early {
        return None;
    }
    let size = found.size(function);
    if size < SIZE {
        return None;
    }
    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let (turns, _) = counted::turns(&mut folder, function, found, &Known::default())?;
    if turns < TURNS {
        return None;
    }
    // What is a constant in each turn once it is written out.
    let mut known: FxHashSet<Value> = found.counters(function).into_iter().collect();
    let mut constants = 0;
    for &inst in function.blocks[header].insts.iter().chain(&function.blocks[latch].insts) {
        let data = &function.insts[inst];
        let (mut is_known, mut counts) = (true, false);
        function.each_operand(inst, |operand| {
            is_known &= operand.is_const() || known.contains(&operand);
            counts |= known.contains(&operand);
        });
        if let InstKind::Access { base, indices } = data.kind {
            let is_same = function.values_of(indices).all(|index| index.is_const());
            let class = context.types.pointer_parts(context.type_of(function, base));
            match class.map(|(_, class)| class) {
                // Arrays that could be values.
                Some(StorageClass::Function) if !is_same => return None,
                // Tables whose numbers are known.
                Some(StorageClass::UniformConstant) if is_known && !is_same => constants += 1,
                _ => {}
            }
        } else if is_known && counts && copies::is_computation(&data.kind) {
            known.extend(data.result);
            constants += 1;
        }
    }
    (constants * CONSTANTS <= size).then_some(latch)
}
