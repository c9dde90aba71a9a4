//! Lets loops go back to their heads from one block.
//!
//! LLVM takes a loop with several such blocks, on some of which a value stays what it was, for a loop in a loop: one over the
//! turns that leave it, another over those that do not. A merge of two lists turns into loops of few turns so, which
//! work-items side by side leave one after the other. From source its front ends make one block, as C's `continue` asks for;
//! here `simplify-cfg` has taken that out, as all blocks with nothing in them.

use clc_base::Id as _;
use clc_ir::{Block, BlockCall, Cfg, Dominators, Function, Terminator, Value, turns_back};

use crate::context::ModuleContext;

/// Gives the loops of a function such a block, where they have none.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if !turns_back(function) {
        return;
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    for &head in cfg.reverse_post_order() {
        let mut latches: Vec<Block> = dominators.latches(&cfg, head).collect();
        latches.sort_unstable_by_key(|latch| latch.index());
        latches.dedup();
        if latches.len() > 1 {
            join(context, function, head, &latches);
        }
    }
}

/// Puts a block between the latches and the head.
fn join(context: &ModuleContext<'_>, function: &mut Function, head: Block, latches: &[Block]) {
    let latch = function.add_block();
    function.blocks[latch].location = function.blocks[head].location;
    if let Some(hint) = function.loop_hints.get_mut(&head) {
        hint.continue_target = latch;
    }
    let mut lists = Vec::new();
    for &from in latches {
        for target in function.blocks[from].terminator.targets_mut() {
            if target.block == head {
                target.block = latch;
                lists.push(target.arguments);
            }
        }
    }
    // What is the same on all ways dominates the new block, too.
    let mut next: Vec<Value> = Vec::new();
    let mut kept = Vec::new();
    for (index, param) in function.blocks[head].params.clone().into_iter().enumerate() {
        let first = function.value_at(lists[0], index);
        if lists[1..].iter().all(|&list| function.value_at(list, index) == first) {
            next.push(first);
        } else {
            let ty = context.type_of(function, param);
            next.push(function.add_block_param(latch, ty));
            kept.push(index);
        }
    }
    for &from in latches {
        let mut terminator = std::mem::take(&mut function.blocks[from].terminator);
        for target in terminator.targets_mut().filter(|target| target.block == latch) {
            let arguments: Vec<Value> =
                kept.iter().map(|&index| function.value_at(target.arguments, index)).collect();
            target.arguments = function.list(&arguments);
        }
        function.blocks[from].terminator = terminator;
    }
    let arguments = function.list(&next);
    function.blocks[latch].terminator = Terminator::Jump(BlockCall { block: head, arguments });
}
