//! Asks whether a selector is within a range, where many cases in a row go to one place; for shaders.
//!
//! ```text
//! switch c: 44 -> a; 48, 49, .. 57 -> b; else d     ->     c - 48 < 10 ? b : switch c: 44 -> a; else d
//! ```
//!
//! Compilers of shaders compare with one case after the other.

use clc_ir::debug::Location;
use clc_ir::{
    BinaryOp, Block, BlockCall, CompareOp, Const, Function, InstKind, SwitchCase, Terminator,
    TypePool, Value,
};

use crate::context::ModuleContext;
use crate::simplify_cfg;

/// The least cases in a row that one comparison is asked instead of.
const LEAST: usize = 3;

/// Asks so for the switches of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    for block in function.layout.clone() {
        split(context, function, block);
    }
}

/// Takes ranges out of the switch at the end of a block, one by one.
fn split(context: &mut ModuleContext<'_>, function: &mut Function, mut block: Block) {
    while let Terminator::Switch { selector, default, cases } = &function.blocks[block].terminator {
        let (selector, default) = (*selector, *default);
        let mut cases = cases.clone();
        cases.sort_unstable_by_key(|case| case.value);
        let Some((first, last)) = range(function, &cases, default) else { return };
        let (low, target) = (cases[first].value, cases[first].target);
        let count = (last - first) as u64;
        cases.drain(first..last);

        let ty = context.type_of(function, selector);
        let is_within = is_within(context, function, block, (selector, low, count));
        if cases.is_empty() {
            function.blocks[block].terminator =
                Terminator::Branch { condition: is_within, then: target, otherwise: default };
            return;
        }
        let rest = function.add_block();
        let otherwise = BlockCall { block: rest, arguments: function.list(&[]) };
        function.blocks[rest].location = function.blocks[block].location;
        function.blocks[block].terminator =
            Terminator::Branch { condition: is_within, then: target, otherwise };
        function.blocks[rest].terminator = match cases[..] {
            [SwitchCase { value, target }] => {
                let right = context.consts.intern(Const::Int(ty, value));
                let kind = InstKind::Compare { op: CompareOp::Equal, left: selector, right };
                let condition = function.compute(rest, kind, TypePool::BOOL, Location::NONE);
                Terminator::Branch { condition, then: target, otherwise: default }
            }
            _ => Terminator::Switch { selector, default, cases },
        };
        function.layout.retain(|&at| at != rest);
        let place = function.layout.iter().position(|&at| at == block).unwrap_or_default();
        function.layout.insert(place + 1, rest);
        block = rest;
    }
}

/// The most cases in a row that go to a place to which nothing else in the switch goes, if they are enough: where control
/// came there on two ways, work-items would part.
fn range(function: &Function, cases: &[SwitchCase], default: BlockCall) -> Option<(usize, usize)> {
    let mut best = None;
    let mut first = 0;
    while first < cases.len() {
        let target = cases[first].target;
        let follows = |&at: &usize| {
            cases[at].value == cases[at - 1].value.wrapping_add(1)
                && simplify_cfg::same_call(function, cases[at].target, target)
        };
        let last = (first + 1..cases.len()).find(|at| !follows(at)).unwrap_or(cases.len());
        let mut others = cases[..first].iter().chain(&cases[last..]).map(|case| case.target.block);
        let is_alone = default.block != target.block && others.all(|other| other != target.block);
        if is_alone && last - first >= LEAST && best.is_none_or(|(a, b)| b - a < last - first) {
            best = Some((first, last));
        }
        first = last;
    }
    best
}

fn is_within(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    block: Block,
    (selector, low, count): (Value, u64, u64),
) -> Value {
    let ty = context.type_of(function, selector);
    let [first, count] = [low, count].map(|number| context.consts.intern(Const::Int(ty, number)));
    let distance = match low {
        0 => selector,
        _ => {
            let kind = InstKind::Binary { op: BinaryOp::ISub, left: selector, right: first };
            function.compute(block, kind, ty, Location::NONE)
        }
    };
    let kind = InstKind::Compare { op: CompareOp::ULess, left: distance, right: count };
    function.compute(block, kind, TypePool::BOOL, Location::NONE)
}
