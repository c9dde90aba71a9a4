//! Takes the joins away that need none.

use clc_ir::{Block, BlockCall, Function, Terminator, Value, ValueDef, ValueList};
use rustc_hash::FxHashMap;

use super::router::{Router, plain};

pub(super) fn run(router: &mut Router<'_>) {
    give_returns(router);
    split_edges(router);
    crate::simplify_cfg::remove_unreachable(router.function);
}

/// A block that only leaves the function.
fn leaves(function: &Function, block: Block) -> bool {
    let data = &function.blocks[block];
    data.insts.is_empty()
        && matches!(data.terminator, Terminator::Return(_) | Terminator::Unreachable)
}

/// Gives each block its own copy of the empty returns it goes to.
fn give_returns(router: &mut Router<'_>) {
    let mut copies: FxHashMap<(Block, Vec<Value>), Block> = FxHashMap::default();
    for index in 0..router.function.layout.len() {
        let block = router.function.layout[index];
        let mut terminator = std::mem::take(&mut router.function.blocks[block].terminator);
        copies.clear();
        for target in terminator.targets_mut() {
            // A block that goes nowhere has lost its terminator to the loop above.
            if target.block == block || !leaves(router.function, target.block) {
                continue;
            }
            let arguments: Vec<Value> = router.function.values_of(target.arguments).collect();
            let key = (target.block, arguments);
            let copy = match copies.get(&key) {
                Some(&copy) => copy,
                None => {
                    let leave = match router.function.blocks[target.block].terminator {
                        Terminator::Return(Some(value)) => {
                            let value = match router.function.def(value) {
                                Some(ValueDef::Param(owner, index)) if owner == target.block => {
                                    router.function.value_at(target.arguments, index as usize)
                                }
                                _ => value,
                            };
                            Terminator::Return(Some(value))
                        }
                        Terminator::Return(None) => Terminator::Return(None),
                        _ => Terminator::Unreachable,
                    };
                    let span = router.function.blocks[target.block].location;
                    let copy = router.block_with(span, leave);
                    copies.insert(key, copy);
                    copy
                }
            };
            *target = plain(copy);
        }
        router.function.blocks[block].terminator = terminator;
    }
}

/// Afterwards a branch has two destinations, and the edges of switches pass no values.
fn split_edges(router: &mut Router<'_>) {
    for index in 0..router.function.layout.len() {
        let block = router.function.layout[index];
        let span = router.function.blocks[block].location;
        let mut terminator = std::mem::take(&mut router.function.blocks[block].terminator);
        match &mut terminator {
            Terminator::Branch { then, otherwise, .. } if then.block == otherwise.block => {
                if router.function.numbers_of(then.arguments)
                    == router.function.numbers_of(otherwise.arguments)
                {
                    terminator = Terminator::Jump(*then);
                } else {
                    *then = plain(router.block_with(span, Terminator::Jump(*then)));
                }
            }
            Terminator::Switch { default, cases, .. } => {
                let mut made: FxHashMap<(Block, Vec<Value>), Block> = FxHashMap::default();
                let mut split = |router: &mut Router<'_>, target: &mut BlockCall| {
                    if target.arguments == ValueList::EMPTY || target.arguments.is_empty() {
                        return;
                    }
                    let key = (target.block, router.function.values_of(target.arguments).collect());
                    let edge = *made
                        .entry(key)
                        .or_insert_with(|| router.block_with(span, Terminator::Jump(*target)));
                    *target = plain(edge);
                };
                split(router, default);
                for case in cases.iter_mut() {
                    split(router, &mut case.target);
                }
                if cases.is_empty() {
                    terminator = Terminator::Jump(*default);
                }
            }
            Terminator::None
            | Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Return(_)
            | Terminator::Unreachable => {}
        }
        router.function.blocks[block].terminator = terminator;
    }
}
