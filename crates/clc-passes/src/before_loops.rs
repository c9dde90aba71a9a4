//! Blocks in front of loops, where it is asked once more whether there is a first turn.

use clc_base::Id as _;
use clc_ir::{Block, BlockCall, Function, InstKind, Terminator, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::copies;

/// Whether the test in the head of a loop can be asked once more: it branches, and only computes and loads before.
pub(crate) fn can_be_asked(function: &Function, head: Block) -> bool {
    let data = &function.blocks[head];
    matches!(data.terminator, Terminator::Branch { .. })
        && data.insts.iter().all(|&inst| match &function.insts[inst].kind {
            InstKind::Load { access, .. } => !access.flags.volatile,
            kind => copies::is_computation(kind),
        })
}

/// Whether a block calls what might never come back.
pub(crate) fn stays_away(context: &ModuleContext<'_>, function: &Function, block: Block) -> bool {
    function.blocks[block].insts.iter().any(|&inst| match function.insts[inst].kind {
        InstKind::Call { callee, .. } => !context.constant[callee.index()],
        _ => false,
    })
}

/// A new block that those come to who came to the head of a loop from outside, with parameters like the head's. It ends
/// nowhere yet, and is not in the layout.
pub(crate) fn add(
    context: &ModuleContext<'_>,
    function: &mut Function,
    head: Block,
    is_inside: &FxHashSet<Block>,
) -> (Block, Vec<Value>) {
    let before = function.add_block();
    function.blocks[before].location = function.blocks[head].location;
    for block in function.layout.clone() {
        if is_inside.contains(&block) {
            continue;
        }
        for target in function.blocks[block].terminator.targets_mut() {
            if target.block == head {
                target.block = before;
            }
        }
    }
    for (key, hint) in &mut function.loop_hints {
        if !is_inside.contains(key) {
            for block in [&mut hint.merge, &mut hint.continue_target] {
                if *block == head {
                    *block = before;
                }
            }
        }
    }
    let params = (function.blocks[head].params.clone().into_iter())
        .map(|param| {
            let ty = context.type_of(function, param);
            function.add_block_param(before, ty)
        })
        .collect();
    (before, params)
}

/// What the head of a loop tests, asked at the end of the block before it by a copy of what the head computes. `map` has
/// the head's parameters as they are there, and learns the rest.
pub(crate) fn ask(
    function: &mut Function,
    head: Block,
    before: Block,
    map: &mut FxHashMap<Value, Value>,
) -> Option<Value> {
    let Terminator::Branch { condition, .. } = function.blocks[head].terminator else {
        return None;
    };
    for inst in function.blocks[head].insts.clone() {
        copies::append(function, inst, before, map, function.insts[inst].kind);
    }
    Some(*map.get(&condition).unwrap_or(&condition))
}

/// Goes to `turn` if a condition is as `goes_on` says, and to `none` otherwise.
pub(crate) fn branch(
    condition: Value,
    goes_on: bool,
    turn: BlockCall,
    none: BlockCall,
) -> Terminator {
    let (then, otherwise) = if goes_on { (turn, none) } else { (none, turn) };
    Terminator::Branch { condition, then, otherwise }
}
