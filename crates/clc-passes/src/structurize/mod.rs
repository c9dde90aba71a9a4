//! Structured control flow, as SPIR-V asks of shaders (2.11): afterwards each block that decides
//! names its merge block, and each loop its merge and continue blocks.
//!
//! 1. `prepare`: empty returns are given to each jump that goes to them, so that leaving early is
//!    no join; edges of switches that pass values get blocks.
//! 2. `reducible`: a cycle with several entries gets one, a block that dispatches on a number.
//!    Nodes are not split: a dispatch adds one block for an edge at most, while splitting can
//!    double with each level, and would copy barriers.
//! 3. `loops`: each loop gets a header of its own, one latch and one exit. Jumps out of several
//!    loops, and to several places, go through the exits with a note of where they want to go.
//! 4. `regions`: what is left is acyclic if a loop counts as one step. Walking the dominator tree,
//!    the blocks that a decision immediately dominates are its arms, if no other edge leads there,
//!    and otherwise follow its construct one after the other, each behind a test of the note
//!    where other jumps pass by.
//!
//! Every step is linear or as good as linear, and adds at most a few blocks for each edge.
//!
//! *Values.* In step 4, where a block was dominated by another, it still is, for what a block
//! dominates stays inside the construct it heads or behind it; so only block parameters need care.
//! Where all jumps through a merge block have one destination, they are its parameters, too; where
//! a note decides, they are stored in private variables, because carrying the parameters of all
//! destinations through all merge blocks would be quadratic. Steps 2 and 3 can take a value's
//! dominance over a use; such values are stored where they are made and loaded where they are used
//! (`values`).
//!
//! *Convergence.* No instruction is copied or moved to another block, and no condition is made of
//! anything but the program's own conditions, so each block runs as often, in the same order and
//! for the same work-items as before. All paths that met at a block still meet at or before it
//! within one instance of the innermost loop that the program itself has there. A barrier or
//! collective that all work-items of a group reach is therefore reached by all of them together.
//! The exception is a cycle with several entries, which the language leaves without a defined
//! place to meet: work-items that entered it at different places wait for each other at the
//! dispatch.

mod loops;
mod prepare;
mod reducible;
mod regions;
mod router;
mod tree;
mod values;

use clc_ir::{Block, Function, LoopHint, Merge, structured};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;
use crate::simplify_cfg;
use router::Router;

/// Structures one function. Runs last: the other passes do not keep what it says.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if structured::is_structured(function) {
        return;
    }
    // Only headers stay what they are: a merge block that returns is copied, and no jump leads to it then.
    let hints = std::mem::take(&mut function.loop_hints);
    simplify_cfg::remove_unreachable(function);
    let mut router = Router::new(context.types, context.consts, function);
    prepare::run(&mut router);
    reducible::run(&mut router);
    let loops = loops::run(&mut router);
    regions::run(&mut router, &loops);
    router.function.layout = structured::block_order(router.function);
    values::run(&mut router);
    router.finish();
    give_back(function, hints);
}

/// Gives loops the hints that they had, with the blocks that they have now.
fn give_back(function: &mut Function, hints: FxHashMap<Block, LoopHint>) {
    for (header, LoopHint { control, .. }) in hints {
        if let Some(Merge::Loop { merge, continue_target }) = function.blocks[header].merge {
            function.loop_hints.insert(header, LoopHint { control, merge, continue_target });
        }
    }
}
