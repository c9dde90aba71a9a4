//! Several turns at once of short loops that load from memory, for shaders: then their loads wait side by side.
//!
//! ```text
//!                              four(i): i < n && n - i > 3 * step ?
//! head(i): i < n ?      ->       the body at i, i + step, i + 2 * step, i + 3 * step; again
//!   body; head(i + step)       head(i): what is left, as before
//! ```
//!
//! Compilers of OpenCL drivers do so by themselves, those of Vulkan's mostly not. The test of the new loop is
//! true only where that of the old one is for all four turns: while `i < n` the difference `n - i` is positive,
//! and fits as an unsigned number.
//!
//! A loop from `x` to `x + c` turns `c / step` times, or never: where `x + c` is beyond the last number, `x` is not
//! below it. Nothing is left of such a loop then, be it all its turns that are written one after the other, or
//! four of them in a loop that counts.
//!
//! ```text
//!                              first(i): i < x + 16 ?
//! head(i): i < x + 16 ? ->       the body at i, i + 1, .. i + 15; head(i + 16)
//!   body; head(i + 1)          head(i): what follows the loop
//! ```
//!
//! Where the source asks for a number of turns (`opencl_unroll_hint`, OpenCL C 6.13.3), it is that many, whatever the
//! loop loads: compilers of Vulkan's drivers do not take SPIR-V's PartialCount into account.

use std::cell::OnceCell;

use clc_base::Id as _;
use clc_ir::debug::Location;
use clc_ir::{
    BinaryOp, Block, BlockCall, Cfg, CompareOp, Const, ConvertOp, Function, Inst, InstKind,
    LoopControl, LoopHint, MathFlags, StorageClass, Terminator, Type, TypeKind, TypePool, Value,
    ValueDef,
};
use rustc_hash::FxHashMap;

use crate::alignment;
use crate::context::ModuleContext;
use crate::wide_loads::{self, Known};
use crate::{copies, simplify_cfg};

/// Turns of one turn of the new loop, if the source asks for no other number.
const TURNS: u64 = 4;

/// The most instructions of a body that is copied.
const MAX_BODY: usize = 48;

/// The most instructions of all turns that the source asks for; where it asks for more, the driver is asked.
const MAX_ASKED: u64 = 4096;

/// What a call of a function that only computes counts for, which drivers inline.
const CALL: usize = 8;

/// Instructions of a loop that drivers unroll whole, by [`unroll_hints`](crate::unroll_hints).
const WHOLE: u64 = 512;

/// Unrolls the loops of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if function.loop_hints.values().any(|hint| asked(*hint).is_some()) {
        join_latches(function);
    }
    let cfg = Cfg::new(function);
    let neighbours = Neighbours { cfg: &cfg, known: OnceCell::new() };
    let found: Vec<Loop> = (function.layout.iter())
        .filter_map(|&body| find(context, function, &neighbours, body))
        .collect();
    for found in found {
        unroll(context, function, &found);
    }
}

/// The number of turns that a hint asks for.
fn asked(hint: LoopHint) -> Option<u64> {
    match hint.control {
        LoopControl::UnrollCount(count) if count > 1 => Some(count.into()),
        _ => None,
    }
}

/// Joins the blocks that jump back, which hints keep apart, with what comes before them, where a number of turns is
/// asked for.
fn join_latches(function: &mut Function) {
    let cfg = Cfg::new(function);
    let mut hints = Vec::new();
    function.loop_hints.retain(|&head, hint| {
        if asked(*hint).is_some() {
            let latch = hint.continue_target;
            let entries: Vec<Block> =
                cfg.predecessors(head).filter(|&from| from != latch).collect();
            hints.push((head, *hint, entries));
        }
        asked(*hint).is_none()
    });
    simplify_cfg::merge_chains(function);
    let cfg = Cfg::new(function);
    for (head, hint, entries) in hints {
        let mut latches = cfg.predecessors(head).filter(|from| !entries.contains(from));
        if let (Some(continue_target), None) = (latches.next(), latches.next())
            && function.layout.contains(&hint.merge)
        {
            function.loop_hints.insert(head, LoopHint { continue_target, ..hint });
        }
    }
}

/// A loop of two blocks: a test and a body.
struct Loop {
    head: Block,
    body: Block,
    /// The place of the counted variable among the parameters of the head.
    variable: usize,
    bound: Value,
    step: u64,
    /// Turns of one turn of the new loop.
    at_once: u64,
    ty: Type,
    /// How it becomes a wider integer, by the order in which it is below the bound.
    extension: ConvertOp,
    /// Whether there is a turn.
    condition: Value,
    turns: Turns,
}

/// How often a loop turns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turns {
    Unknown,
    /// So often, if at all: few enough for all of them to be written.
    Few(u64),
    /// So often, if at all: a multiple of [`Loop::at_once`].
    Many(u64),
}

/// The loop whose body is `body`, if it is one that is worth it.
fn find(
    context: &ModuleContext<'_>,
    function: &Function,
    neighbours: &Neighbours<'_>,
    body: Block,
) -> Option<Loop> {
    let cfg = neighbours.cfg;
    let Terminator::Jump(BlockCall { block: head, arguments: next }) =
        function.blocks[body].terminator
    else {
        return None;
    };
    let Terminator::Branch { condition, then, otherwise } = function.blocks[head].terminator else {
        return None;
    };
    let is_loop = then.block == body
        && otherwise.block != body
        && head != body
        && cfg.predecessors(body).count() == 1;
    let hint = function.loop_hints.get(&head);
    let asked = hint.and_then(|&hint| asked(hint));
    if hint.is_some() && asked.is_none() {
        return None;
    }
    let at_once = asked.unwrap_or(TURNS);
    if !is_loop || !function.blocks[body].params.is_empty() {
        return None;
    }
    let is_simple = |&inst: &Inst| copies::is_computation(&function.insts[inst].kind);
    if !function.blocks[head].insts.iter().all(is_simple) {
        return None;
    }
    let insts = &function.blocks[body].insts;
    let mut size = 0;
    for &inst in insts {
        size += match function.insts[inst].kind {
            InstKind::Call { callee, .. } if context.constant[callee.index()] => CALL,
            InstKind::Load { .. } | InstKind::Store { .. } => 1,
            ref kind if copies::is_computation(kind) => 1,
            _ => return None,
        };
    }
    let is_long = |&inst: &Inst| match function.insts[inst].kind {
        InstKind::Load { pointer, .. } => {
            is_slow(context.types, context.type_of(function, pointer))
        }
        _ => false,
    };
    let copied = (size + function.blocks[head].insts.len() + 2) as u64;
    let is_worth_it = match asked {
        Some(count) => copied.saturating_mul(count) <= MAX_ASKED,
        None => size <= MAX_BODY && insts.iter().any(is_long),
    };
    if !is_worth_it {
        return None;
    }

    let (_, test) = function.def_inst(condition)?;
    let InstKind::Compare { op, left, right: bound } = test.kind else { return None };
    let extension = match op {
        CompareOp::ULess => ConvertOp::ZeroExtend,
        CompareOp::SLess => ConvertOp::SignExtend,
        _ => return None,
    };
    let Some(ValueDef::Param(block, variable)) = function.def(left) else { return None };
    let variable = variable as usize;
    let bits = match context.types.kind(context.type_of(function, left)) {
        TypeKind::Int(bits @ (32 | 64)) => bits,
        _ => return None,
    };
    if block != head || !is_invariant(function, head, body, bound, true) {
        return None;
    }
    let (_, sum) = function.def_inst(function.value_at(next, variable))?;
    let InstKind::Binary { op: BinaryOp::IAdd, left: start, right: step } = sum.kind else {
        return None;
    };
    let step = match step.as_const().map(|id| context.consts.get(id)) {
        Some(&Const::Int(_, step)) if start == left => step,
        _ => return None,
    };
    // The steps of all turns but one fit, whatever the sign of the variable.
    if step == 0 || step.checked_mul(at_once).is_none_or(|steps| steps >= 1 << (bits - 2)) {
        return None;
    }
    let mut turns = Turns::Unknown;
    let mut entries = cfg.predecessors(head).filter(|&from| from != body);
    if let (Some(from), None) = (entries.next(), entries.next()) {
        let target =
            function.blocks[from].terminator.targets().find(|target| target.block == head)?;
        let begin = Sum::of(context, function, function.value_at(target.arguments, variable));
        let end = Sum::of(context, function, bound);
        // Less than half of all numbers apart, so that it is the one distance that they can have in either order.
        let distance = end.offset.wrapping_sub(begin.offset) & (u64::MAX >> (64 - bits));
        if begin.base == end.base && distance < 1 << (bits - 1) {
            let count = distance / step;
            let is_few = match asked {
                Some(asked) => count <= asked,
                None => count.saturating_mul(copied) <= WHOLE,
            };
            // The driver is asked for these, unless loads of neighbours become one.
            if asked.is_none() && begin.base.is_none() && (is_few || count < at_once) {
                let turns = Counted { counter: left, begin: begin.offset, step, count };
                let is_whole = is_few && distance.is_multiple_of(step);
                if !is_whole || !neighbours.are_loaded(context, function, body, &turns) {
                    return None;
                }
            }
            // A variable that would go past the end could begin anew.
            turns = match distance.is_multiple_of(step) {
                true if is_few => Turns::Few(count),
                true if count.is_multiple_of(at_once) => Turns::Many(count),
                _ => Turns::Unknown,
            };
        }
    }
    let ty = context.type_of(function, left);
    Some(Loop { head, body, variable, bound, step, at_once, ty, extension, condition, turns })
}

/// The turns of a loop that begins with a constant.
struct Counted {
    counter: Value,
    begin: u64,
    step: u64,
    count: u64,
}

/// Whether turns of loops load neighbours that [`wide_loads`] puts together once the turns are written out.
struct Neighbours<'a> {
    cfg: &'a Cfg,
    /// Looked for if it is asked for.
    known: OnceCell<Known>,
}

impl Neighbours<'_> {
    /// Only in a loop around this one is a kernel written twice for it.
    fn are_loaded(
        &self,
        context: &ModuleContext<'_>,
        function: &Function,
        body: Block,
        turns: &Counted,
    ) -> bool {
        if !wide_loads::may_be_twice(function) {
            return false;
        }
        let known = self.known.get_or_init(|| Known::new(context, function, self.cfg));
        let counts = |value: Value| match function.def_inst(value).map(|(_, data)| data.kind) {
            _ if value == turns.counter => true,
            Some(InstKind::Convert { op: ConvertOp::ZeroExtend, operand, .. }) => {
                operand == turns.counter
            }
            _ => false,
        };
        let is_one_of_many = |&inst: &Inst| {
            let Some((size, address)) = wide_loads::neighbour(context, function, inst) else {
                return false;
            };
            let Some(sum) = alignment::Sum::of(context, function, address) else { return false };
            let factor: i64 =
                sum.parts.iter().filter(|part| counts(part.0)).map(|part| part.1).sum();
            let rest = known.low.of_parts(context, &sum, counts);
            let first = (rest.bits as u64)
                .wrapping_add(sum.constant as u64)
                .wrapping_add((factor as u64).wrapping_mul(turns.begin));
            (factor as u64).wrapping_mul(turns.step) == size
                && turns.count.saturating_mul(size) >= wide_loads::WIDEST
                && 1 << rest.known >= wide_loads::WIDEST
                && first.is_multiple_of(wide_loads::WIDEST)
                && known.is_worth_it(&sum, counts)
        };
        function.blocks[body].insts.iter().any(is_one_of_many)
    }
}

/// A constant and something else, if there is something else.
struct Sum {
    base: Option<Value>,
    offset: u64,
}

impl Sum {
    fn of(context: &ModuleContext<'_>, function: &Function, value: Value) -> Sum {
        let constant = |value: Value| match value.as_const().map(|id| context.consts.get(id)) {
            Some(&Const::Int(_, bits)) => Some(bits),
            Some(Const::Null(_)) => Some(0),
            _ => None,
        };
        if let Some(offset) = constant(value) {
            return Sum { base: None, offset };
        }
        let sum = function.def_inst(value).and_then(|(_, inst)| match inst.kind {
            InstKind::Binary { op: BinaryOp::IAdd, left, right } => {
                Some(Sum { base: Some(left), offset: constant(right)? })
            }
            _ => None,
        });
        sum.unwrap_or(Sum { base: Some(value), offset: 0 })
    }
}

/// Whether what a pointer points to is in memory that is worth waiting for.
fn is_slow(types: &TypePool, pointer: Type) -> bool {
    use StorageClass::{PhysicalStorageBuffer, StorageBuffer, Uniform, Workgroup};
    let class = types.pointer_parts(pointer).map(|(_, class)| class);
    matches!(class, Some(PhysicalStorageBuffer | StorageBuffer | Uniform | Workgroup))
}

/// Whether a value is the same in every turn: from outside, or computed in the head of what is.
fn is_invariant(
    function: &Function,
    head: Block,
    body: Block,
    value: Value,
    may_compute: bool,
) -> bool {
    match function.def(value) {
        None => true,
        Some(ValueDef::Param(block, _)) => block != head && block != body,
        Some(ValueDef::Inst(inst)) if function.blocks[body].insts.contains(&inst) => false,
        Some(ValueDef::Inst(inst)) if function.blocks[head].insts.contains(&inst) => {
            let mut is_same = may_compute;
            function.each_operand(inst, |operand| {
                is_same &= is_invariant(function, head, body, operand, false);
            });
            is_same
        }
        Some(ValueDef::Inst(_)) => true,
    }
}

fn unroll(context: &mut ModuleContext<'_>, function: &mut Function, found: &Loop) {
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
            let goes_on = compute(function, four, test, TypePool::BOOL);
            let enter = BlockCall { block: several, arguments: nothing };
            branch(function, four, goes_on, enter, head, &params);
            let mut map = FxHashMap::default();
            map.extend(function.blocks[head].params.iter().copied().zip(params));
            copy(function, head, several, &mut map);
            let mut after = copy_turns(context, function, found, at_once, several, &mut map);
            let sum = InstKind::Binary { op: BinaryOp::IAdd, left: done, right: step };
            after.push(compute(function, several, sum, ty));
            jump(function, several, four, &after);
            unrolled_as_asked(function, head, four, several);
        }
        Turns::Unknown => {
            let several = function.add_block();
            blocks.push(several);
            let bound = *map.get(&found.bound).unwrap_or(&found.bound);
            let left =
                InstKind::Binary { op: BinaryOp::ISub, left: bound, right: params[found.variable] };
            let left = compute(function, first, left, ty);
            let steps = context.consts.intern(Const::Int(ty, (at_once - 1) * found.step));
            let enough = InstKind::Compare { op: CompareOp::ULess, left: steps, right: left };
            let enough = compute(function, first, enough, TypePool::BOOL);
            let both = InstKind::Binary { op: BinaryOp::And, left: tested, right: enough };
            let both = compute(function, first, both, TypePool::BOOL);
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
            op == found.extension && operand == params[found.variable]
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
            match function.insts[inst].result.filter(|_| extends(function, inst)) {
                None => copies::append(function, inst, to, map, kind),
                Some(result) if turn == 0 => {
                    copies::append(function, inst, to, map, kind);
                    first.insert(result, map[&result]);
                }
                Some(result) => {
                    let ty = context.type_of(function, result);
                    let steps = context.consts.intern(Const::Int(ty, turn * found.step));
                    let left = first[&result];
                    let sum = InstKind::Binary { op: BinaryOp::IAdd, left, right: steps };
                    map.insert(result, compute(function, to, sum, ty));
                }
            }
        }
        let values: Vec<Value> =
            next.iter().map(|value| *map.get(value).unwrap_or(value)).collect();
        map.extend(params.iter().copied().zip(values));
    }
    params.iter().map(|param| *map.get(param).unwrap_or(param)).collect()
}

fn compute(function: &mut Function, block: Block, kind: InstKind, ty: Type) -> Value {
    let inst = function.append(block, kind, Some(ty), MathFlags::default(), Location::default());
    function.insts[inst].result.expect("an instruction with a type has a result")
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
