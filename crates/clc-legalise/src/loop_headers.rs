//! OpLoopMerge comes right before a branch (SPIR-V 3.42.17), so the header of a loop with a hint
//! leaves a switch to a block of its own.

use clc_ir::{BlockCall, Function, Terminator, ValueList};

pub(crate) fn split_switching(function: &mut Function) {
    for index in 0..function.layout.len() {
        let header = function.layout[index];
        if !matches!(function.blocks[header].terminator, Terminator::Switch { .. })
            || !function.loop_hints.contains_key(&header)
        {
            continue;
        }
        let block = function.add_block();
        function.blocks[block].location = function.blocks[header].location;
        let jump = Terminator::Jump(BlockCall { block, arguments: ValueList::EMPTY });
        function.blocks[block].terminator =
            std::mem::replace(&mut function.blocks[header].terminator, jump);
        if let Some(debug) = &mut function.debug {
            debug.move_end(header, block);
        }
    }
}
