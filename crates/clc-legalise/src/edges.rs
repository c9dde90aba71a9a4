//! One OpPhi cannot tell two edges from the same block apart: where a block goes to another
//! twice with different arguments, all but the first such edge get a block of their own.

use clc_ir::{Block, BlockCall, Function, Terminator, Value, ValueList};
use rustc_hash::FxHashMap;

pub(crate) fn split(function: &mut Function) {
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        match &function.blocks[block].terminator {
            Terminator::Branch { then, otherwise, .. } => {
                if then.block == otherwise.block
                    && function.numbers_of(then.arguments)
                        != function.numbers_of(otherwise.arguments)
                {
                    split_block(function, block);
                }
            }
            Terminator::Switch { .. } => {
                let passes_values = function.blocks[block]
                    .terminator
                    .targets()
                    .any(|target| !target.arguments.is_empty());
                if passes_values {
                    split_block(function, block);
                }
            }
            Terminator::None
            | Terminator::Jump(_)
            | Terminator::Return(_)
            | Terminator::Unreachable => {}
        }
    }
}

fn split_block(function: &mut Function, block: Block) {
    let mut terminator = std::mem::take(&mut function.blocks[block].terminator);
    // The arguments on the edge that stays, and the blocks made for others.
    let mut direct: FxHashMap<Block, ValueList> = FxHashMap::default();
    let mut made: FxHashMap<(Block, Vec<Value>), Block> = FxHashMap::default();
    for target in terminator.targets_mut() {
        let kept = *direct.entry(target.block).or_insert(target.arguments);
        if function.numbers_of(kept) == function.numbers_of(target.arguments) {
            continue;
        }
        let key = (target.block, function.values_of(target.arguments).collect());
        let edge = match made.get(&key) {
            Some(&edge) => edge,
            None => {
                let edge = function.add_block();
                function.blocks[edge].terminator = Terminator::Jump(*target);
                function.blocks[edge].location = function.blocks[block].location;
                made.insert(key, edge);
                edge
            }
        };
        *target = BlockCall { block: edge, arguments: ValueList::EMPTY };
    }
    function.blocks[block].terminator = terminator;
}
