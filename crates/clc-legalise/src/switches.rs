//! A switch has at most 16,383 cases (SPIR-V 2.17, universal limits), so one with more becomes a
//! chain of switches, each the default of the one before it.

use clc_ir::{BlockCall, Function, Terminator, ValueList};

/// Cases of one OpSwitch.
const MOST_CASES: usize = 16_383;

pub(crate) fn split_large(function: &mut Function) {
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        let Terminator::Switch { selector, default, cases } =
            &mut function.blocks[block].terminator
        else {
            continue;
        };
        if cases.len() <= MOST_CASES {
            continue;
        }
        let (selector, default) = (*selector, *default);
        let cases = std::mem::take(cases);
        let mut next = default;
        let mut chunks = cases.chunks(MOST_CASES).rev().peekable();
        while let Some(chunk) = chunks.next() {
            let terminator = Terminator::Switch { selector, default: next, cases: chunk.to_vec() };
            if chunks.peek().is_none() {
                function.blocks[block].terminator = terminator;
                break;
            }
            let more = function.add_block();
            function.blocks[more].terminator = terminator;
            function.blocks[more].location = function.blocks[block].location;
            next = BlockCall { block: more, arguments: ValueList::EMPTY };
        }
    }
}
