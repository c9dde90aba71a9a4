//! Several turns of a loop in one.

use clc_ir::debug::Location;
use clc_ir::{
    BinaryOp, Block, BlockCall, CompareOp, Const, Function, Inst, InstKind, LoopControl, LoopHint,
    Terminator, TypePool, Value,
};
use rustc_hash::FxHashMap;

use super::{Loop, Step, Turns};
use crate::context::ModuleContext;
use crate::copies;

/// Writes a loop with several turns in one.
pub(super) fn unroll(context: &mut ModuleContext<'_>, function: &mut Function, found: &Loop) {
    let &Loop { head, body, turns, ty, at_once, .. } = found;
    let Terminator::Branch { then: BlockCall { block: _, arguments: nothing }, otherwise, .. } =
        function.blocks[head].terminator
    else {
        return;
    };
    // Who entered the old loop comes to the first of the new blocks, which stand before it.
    let first = function.add_block();
    for block in function.layout.clone() {
        if block == body {
            continue;
        }
        let mut terminator = std::mem::take(&mut function.blocks[block].terminator);
        for target in terminator.targets_mut().filter(|target| target.block == head) {
            target.block = first;
        }
        function.blocks[block].terminator = terminator;
    }
    let mut blocks = vec![first];
    let params = parameters_like(function, head, first);
    let (tested, mut map) = copy_of_test(function, found, first, &params);
    match turns {
        Turns::Few(count) => {
            let all = function.add_block();
            blocks.push(all);
            let enter = BlockCall { block: all, arguments: nothing };
            branch(function, first, tested, enter, head, &params);
            let after = copy_turns(context, function, found, count, all, &mut map);
            jump(function, all, head, &after);
        }
        Turns::Many(count) => {
            let (four, several) = (function.add_block(), function.add_block());
            blocks.extend([four, several]);
            let [zero, count, step] =
                [0, count, at_once].map(|number| context.consts.intern(Const::Int(ty, number)));
            let begin: Vec<Value> = params.iter().copied().chain([zero]).collect();
            let enter = BlockCall { block: four, arguments: function.list(&begin) };
            branch(function, first, tested, enter, head, &params);
            let params = parameters_like(function, head, four);
            let done = function.add_block_param(four, ty);
            let test = InstKind::Compare { op: CompareOp::ULess, left: done, right: count };
            let goes_on = function.compute(four, test, TypePool::BOOL, Location::NONE);
            let enter = BlockCall { block: several, arguments: nothing };
            branch(function, four, goes_on, enter, head, &params);
            let mut map = FxHashMap::default();
            map.extend(function.blocks[head].params.iter().copied().zip(params));
            copy(function, head, several, &mut map);
            let mut after = copy_turns(context, function, found, at_once, several, &mut map);
            let sum = InstKind::Binary { op: BinaryOp::IAdd, left: done, right: step };
            after.push(function.compute(several, sum, ty, Location::NONE));
            jump(function, several, four, &after);
            unrolled_as_asked(function, head, four, several);
        }
        Turns::Unknown => {
            let several = function.add_block();
            blocks.push(several);
            let bound = *map.get(&found.bound).unwrap_or(&found.bound);
            let variable = params[found.variable];
            let (left, right) = if found.down { (variable, bound) } else { (bound, variable) };
            let left = InstKind::Binary { op: BinaryOp::ISub, left, right };
            let left = function.compute(first, left, ty, Location::NONE);
            let steps = steps_between(context, function, found, first);
            let op = if found.takes_bound { CompareOp::ULessEqual } else { CompareOp::ULess };
            let enough = InstKind::Compare { op, left: steps, right: left };
            let enough = function.compute(first, enough, TypePool::BOOL, Location::NONE);
            let both = InstKind::Binary { op: BinaryOp::And, left: tested, right: enough };
            let both = function.compute(first, both, TypePool::BOOL, Location::NONE);
            let enter = BlockCall { block: several, arguments: nothing };
            branch(function, first, both, enter, head, &params);
            let after = copy_turns(context, function, found, at_once, several, &mut map);
            jump(function, several, first, &after);
            unrolled_as_asked(function, head, first, several);
        }
    }
    if turns != Turns::Unknown {
        function.blocks[head].terminator = Terminator::Jump(otherwise);
        function.loop_hints.remove(&head);
    }
    let layout = std::mem::take(&mut function.layout);
    let kept = layout.into_iter().filter(|&block| turns == Turns::Unknown || block != body);
    let kept = kept.filter(|block| !blocks.contains(block));
    function.layout = kept
        .flat_map(|block| match block == head {
            true => blocks.iter().copied().chain([head]).collect(),
            false => vec![block],
        })
        .collect();
}

/// The steps of all turns of the new loop but one. Where they do not fit, nothing is greater than what is returned.
fn steps_between(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    found: &Loop,
    block: Block,
) -> Value {
    let ty = found.ty;
    let times = found.at_once - 1;
    let mut constant = |number| context.consts.intern(Const::Int(ty, number));
    let (step, insts) = match &found.step {
        Step::Number(step) => return constant(times * step),
        Step::Value(step, insts) => (step, insts),
    };
    let mut map = FxHashMap::default();
    for &inst in insts {
        copies::append(function, inst, block, &mut map, function.insts[inst].kind);
    }
    let step = *map.get(step).unwrap_or(step);
    let bits = context.types.scalar_bits(ty).unwrap_or(64);
    let greatest = u64::MAX >> (64 - bits);
    let [times, most, greatest] = [times, greatest / times, greatest].map(constant);
    let steps = InstKind::Binary { op: BinaryOp::IMul, left: step, right: times };
    let steps = function.compute(block, steps, ty, Location::NONE);
    let fits = InstKind::Compare { op: CompareOp::ULessEqual, left: step, right: most };
    let condition = function.compute(block, fits, TypePool::BOOL, Location::NONE);
    let steps = InstKind::Select { condition, then: steps, otherwise: greatest };
    function.compute(block, steps, ty, Location::NONE)
}

/// Where the source asked for a number of turns, the new loop has them, and what is left is less: the driver is to
/// unroll neither.
fn unrolled_as_asked(function: &mut Function, old: Block, new: Block, latch: Block) {
    if let Some(hint) = function.loop_hints.get_mut(&old) {
        hint.control = LoopControl::DontUnroll;
        let hint = LoopHint { merge: old, continue_target: latch, ..*hint };
        function.loop_hints.insert(new, hint);
    }
}

/// Gives a block parameters as another one has.
fn parameters_like(function: &mut Function, of: Block, block: Block) -> Vec<Value> {
    let params = function.blocks[of].params.clone();
    let ty = |function: &Function, param: Value| {
        function.values[param.as_local().unwrap_or_default()].ty
    };
    params
        .into_iter()
        .map(|param| {
            let ty = ty(function, param);
            function.add_block_param(block, ty)
        })
        .collect()
}

/// Copies the head of a loop with its parameters as given: its test, and what has become of its values.
fn copy_of_test(
    function: &mut Function,
    found: &Loop,
    to: Block,
    params: &[Value],
) -> (Value, FxHashMap<Value, Value>) {
    let mut map = FxHashMap::default();
    map.extend(function.blocks[found.head].params.iter().copied().zip(params.iter().copied()));
    copy(function, found.head, to, &mut map);
    (*map.get(&found.condition).unwrap_or(&found.condition), map)
}

/// Copies the body so often, with the head before it from the second time on: the values for the next turn.
///
/// The variable does not go past the last number before the last of these turns, so that what it is in more bits
/// grows by steps, too: then addresses differ by constants.
fn copy_turns(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    found: &Loop,
    count: u64,
    to: Block,
    map: &mut FxHashMap<Value, Value>,
) -> Vec<Value> {
    let params = function.blocks[found.head].params.clone();
    let Terminator::Jump(BlockCall { arguments, .. }) = function.blocks[found.body].terminator
    else {
        return params;
    };
    let next: Vec<Value> = function.values_of(arguments).collect();
    let body = function.blocks[found.body].insts.clone();
    let extends = |function: &Function, inst: Inst| match function.insts[inst].kind {
        InstKind::Convert { op, operand, .. } => {
            Some(op) == found.extension && operand == params[found.variable]
        }
        _ => false,
    };
    let mut first = FxHashMap::default();
    for turn in 0..count {
        // What the head computes is computed for each turn; its test is unused.
        if turn > 0 {
            copy(function, found.head, to, map);
        }
        for &inst in &body {
            let kind = function.insts[inst].kind;
            let steps = match found.step {
                Step::Number(step) if extends(function, inst) && found.down => {
                    Some((turn * step).wrapping_neg())
                }
                Step::Number(step) if extends(function, inst) => Some(turn * step),
                _ => None,
            };
            match function.insts[inst].result.zip(steps) {
                None => copies::append(function, inst, to, map, kind),
                Some((result, _)) if turn == 0 => {
                    copies::append(function, inst, to, map, kind);
                    first.insert(result, map[&result]);
                }
                Some((result, steps)) => {
                    let ty = context.type_of(function, result);
                    let steps = context.consts.intern(Const::Int(ty, steps));
                    let left = first[&result];
                    let sum = InstKind::Binary { op: BinaryOp::IAdd, left, right: steps };
                    map.insert(result, function.compute(to, sum, ty, Location::NONE));
                }
            }
        }
        let values: Vec<Value> =
            next.iter().map(|value| *map.get(value).unwrap_or(value)).collect();
        map.extend(params.iter().copied().zip(values));
    }
    params.iter().map(|param| *map.get(param).unwrap_or(param)).collect()
}

fn branch(
    function: &mut Function,
    block: Block,
    condition: Value,
    then: BlockCall,
    otherwise: Block,
    arguments: &[Value],
) {
    let otherwise = BlockCall { block: otherwise, arguments: function.list(arguments) };
    function.blocks[block].terminator = Terminator::Branch { condition, then, otherwise };
}

fn jump(function: &mut Function, block: Block, to: Block, arguments: &[Value]) {
    let target = BlockCall { block: to, arguments: function.list(arguments) };
    function.blocks[block].terminator = Terminator::Jump(target);
}

/// Copies the instructions of a block to the end of another, with operands by `map`, which learns the results.
fn copy(function: &mut Function, from: Block, to: Block, map: &mut FxHashMap<Value, Value>) {
    for inst in function.blocks[from].insts.clone() {
        copies::append(function, inst, to, map, function.insts[inst].kind);
    }
}
