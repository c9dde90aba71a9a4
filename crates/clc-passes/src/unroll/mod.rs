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
//! and fits as an unsigned number; where the loop goes on for `i <= n`, it is not negative, and may be `3 * step`.
//! It is eight turns of short loops that load from distant memory and turn equally often for all work-items, and sixteen where
//! they load one word.
//!
//! The same holds of `i - n` where the loop goes down. Where it goes on for `i != n`, the variable may begin anew on its
//! way: `n - i` is how far that is. A step that is only known when the loop runs, as where all work-items of a group go
//! through a range, may be so large that three do not fit: `3 * step` is the greatest number then, below which `n - i` is
//! always. Such bodies are left alone if they store: mostly they copy a little to the memory of the work-group.
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
//! Short loops from a constant that change memory of the work-group by what it had are written out whole: drivers keep the
//! order of loads and stores in each turn, and one turn would wait for another.
//!
//! Where the source asks for a number of turns (`opencl_unroll_hint`, OpenCL C 6.13.3), it is that many, whatever the
//! loop loads: compilers of Vulkan's drivers do not take SPIR-V's PartialCount into account.

mod heads;
mod turns;

use std::cell::OnceCell;

use clc_base::Id as _;
use clc_ir::{
    Block, BlockCall, Cfg, Const, ConvertOp, Dominators, Function, Inst, InstKind, LoopControl,
    LoopHint, StorageClass, Terminator, Type, TypeKind, Value,
};

use crate::alignment;
use crate::context::ModuleContext;
use crate::convergence::varying_values;
use crate::wide_loads::{self, Known};
use crate::{copies, simplify_cfg, speculate};
use heads::{Direction, Sum, Test, computed_before};

/// Turns of one turn of the new loop, if the source asks for no other number.
const TURNS: u64 = 4;

/// The same of a short loop over distant memory that turns equally often for all work-items, and probably not seldom,
/// then; if it loads memory of the work-group as well, a known number of times.
const MORE_TURNS: u64 = 8;

/// The same of such a loop that loads at most so many numbers in each turn, of 32 bits and more, and does little else.
const MOST_TURNS: u64 = 16;
const FEW_LOADED: u32 = 1;
const SHORTEST_BODY: usize = 16;

/// Instructions of the body of such a loop.
const SHORT_BODY: usize = 24;

/// The most instructions of a body that is copied.
const MAX_BODY: usize = 160;

/// The most instructions of all turns that the source asks for; where it asks for more, the driver is asked.
const MAX_ASKED: u64 = 4096;

/// Numbers that a body loads which has enough to wait for by itself.
const MAX_LOADED: u32 = 12;

/// What a call of a function that only computes counts for, which drivers inline.
const CALL: usize = 8;

/// Numbers of a vector that memory of the work-group may be made of.
pub const LOCAL_LANES: u64 = 4;

/// Instructions of a loop that drivers unroll whole, by [`unroll_hints`](crate::unroll_hints).
const WHOLE: u64 = 512;

/// Unrolls the loops of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if is_asked(function) {
        join_latches(function);
    }
    unroll(context, function, false);
}

/// Unrolls the loops of a function of which the source asks for a number of turns at once.
pub fn run_asked(context: &mut ModuleContext<'_>, function: &mut Function) {
    if is_asked(function) {
        join_latches(function);
        unroll(context, function, true);
    }
}

fn is_asked(function: &Function) -> bool {
    function.loop_hints.values().any(|hint| asked(*hint).is_some())
}

fn unroll(context: &mut ModuleContext<'_>, function: &mut Function, asked_alone: bool) {
    speculate::flatten_loops(context, function, |context, function, kind| match *kind {
        InstKind::Load { pointer, .. } => {
            let of = context.types.pointer_parts(context.type_of(function, pointer));
            of.is_some_and(|(_, class)| is_slow(class))
        }
        _ => false,
    });
    let cfg = Cfg::new(function);
    let neighbours = Neighbours { cfg: &cfg, known: OnceCell::new(), varying: OnceCell::new() };
    let found: Vec<Loop> = (function.layout.iter())
        .filter_map(|&body| find(context, function, &neighbours, body, asked_alone))
        .collect();
    for found in found {
        turns::unroll(context, function, &found);
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
    let mut heads = Vec::new();
    for (&head, hint) in &mut function.loop_hints {
        if asked(*hint).is_some() {
            hint.continue_target = head;
            heads.push(head);
        }
    }
    simplify_cfg::merge_chains(function);
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    for head in heads {
        let mut latches = dominators.latches(&cfg, head);
        if let (Some(latch), None) = (latches.next(), latches.next())
            && let Some(hint) = function.loop_hints.get_mut(&head)
        {
            hint.continue_target = latch;
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
    /// Whether the variable may be what bounds it.
    takes_bound: bool,
    step: Step,
    /// Whether the step is subtracted.
    down: bool,
    /// Turns of one turn of the new loop.
    at_once: u64,
    ty: Type,
    /// How it becomes a wider integer, by the order in which it is below or above the bound, if there is one.
    extension: Option<ConvertOp>,
    /// Whether there is a turn.
    condition: Value,
    turns: Turns,
}

/// What is added to the variable in each turn.
enum Step {
    Number(u64),
    /// The same in all turns; what computes it of what is known before the loop stands in the body.
    Value(Value, Vec<Inst>),
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
    asked_alone: bool,
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
    if asked.is_none() && (asked_alone || hint.is_some()) {
        return None;
    }
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
            InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::AtomicModify { .. }
            | InstKind::AtomicStore { .. } => 1,
            ref kind if copies::is_computation(kind) => 1,
            _ => return None,
        };
    }
    let pointed_to = |pointer| context.types.pointer_parts(context.type_of(function, pointer));
    // What is loaded from memory that is worth waiting for: of the work-group, or distant.
    let loaded = |wants_near: bool| -> u32 {
        let of = |&inst: &Inst| match function.insts[inst].kind {
            InstKind::Load { pointer, .. } => {
                let (of, class) = pointed_to(pointer)?;
                let is_one = is_slow(class) && (class == StorageClass::Workgroup) == wants_near;
                is_one.then(|| u32::from(context.types.lanes(of)))
            }
            _ => None,
        };
        insts.iter().filter_map(of).sum()
    };
    let (loads_near, loads_distant) = (loaded(true) > 0, loaded(false) > 0);
    let loads_few_words = || {
        let mut results = insts.iter().filter_map(|&inst| match function.insts[inst].kind {
            InstKind::Load { .. } => function.insts[inst].result,
            _ => None,
        });
        let is_word = |value| {
            let bits = context.types.scalar_bits(context.type_of(function, value));
            bits.is_some_and(|bits| bits >= 32)
        };
        size <= SHORTEST_BODY && loaded(true) + loaded(false) <= FEW_LOADED && results.all(is_word)
    };
    let is_store = |&inst: &Inst| matches!(function.insts[inst].kind, InstKind::Store { .. });
    let stores = insts.iter().any(is_store);
    let stores_near = |&inst: &Inst| match function.insts[inst].kind {
        InstKind::Store { pointer, .. } => {
            pointed_to(pointer).is_some_and(|(_, class)| class == StorageClass::Workgroup)
        }
        _ => false,
    };
    let test = Test::of(context, function, head, body, condition)?;
    let Test { place, variable, bits, bound, takes_bound, .. } = test;
    let takes_more = size <= SHORT_BODY
        && loads_distant
        && (bound.is_const() || !loads_near)
        && !neighbours.varies(context, function, bound);
    let copied = (size + function.blocks[head].insts.len() + 2) as u64;
    let is_worth_it = match asked {
        Some(count) => copied.saturating_mul(count) <= MAX_ASKED,
        None => size <= MAX_BODY && (1..=MAX_LOADED).contains(&(loaded(true) + loaded(false))),
    };
    if !is_worth_it {
        return None;
    }

    let (step, down) = test.step(context, function, function.value_at(next, place))?;
    let found = |step, at_once, turns| Loop {
        head,
        body,
        variable: place,
        bound,
        takes_bound,
        step,
        down,
        at_once,
        ty: context.type_of(function, variable),
        extension: test.extension,
        condition,
        turns,
    };
    let step = match step.as_const().map(|id| context.consts.get(id)) {
        Some(&Const::Int(_, step)) if down => step.wrapping_neg() & (u64::MAX >> (64 - bits)),
        Some(&Const::Int(_, step)) => step,
        _ if takes_bound || test.order != Some(Direction::Up) => return None,
        _ if asked.is_none() && (!loads_distant || stores) => return None,
        _ => {
            let step = Step::Value(step, computed_before(function, head, body, step)?);
            return Some(found(step, asked.unwrap_or(TURNS), Turns::Unknown));
        }
    };
    let end = Sum::of(context, function, bound);
    // Most loops begin at zero or beyond it.
    let at_most = match end.base {
        None if test.order == Some(Direction::Up) => end.offset.div_ceil(step.max(1)),
        _ => u64::MAX,
    };
    let at_once = asked.unwrap_or(match takes_more {
        true if at_most >= MOST_TURNS && loads_few_words() => MOST_TURNS,
        true if at_most >= MORE_TURNS => MORE_TURNS,
        _ => TURNS,
    });
    // The steps of all turns but one fit, whatever the sign of the variable.
    if step == 0 || step.checked_mul(at_once).is_none_or(|steps| steps >= 1 << (bits - 2)) {
        return None;
    }
    let mut turns = Turns::Unknown;
    let mut entries = cfg.predecessors(head).filter(|&from| from != body);
    if let (Some(from), None) = (entries.next(), entries.next()) {
        let target =
            function.blocks[from].terminator.targets().find(|target| target.block == head)?;
        let begin = Sum::of(context, function, function.value_at(target.arguments, place));
        // Less than half of all numbers apart, so that it is the one distance that they can have in either order.
        let distance = end.offset.wrapping_sub(begin.offset) & (u64::MAX >> (64 - bits));
        if takes_bound || test.order != Some(Direction::Up) {
            // The driver is asked for loops that turn a known number of times.
            if asked.is_none() && begin.base.is_none() && end.base.is_none() {
                return None;
            }
        } else if begin.share_base(&end, function) && distance < 1 << (bits - 1) {
            let count = distance / step;
            let is_few = match asked {
                Some(asked) => count <= asked,
                None => count.saturating_mul(copied) <= WHOLE,
            };
            // The driver is asked for these, unless loads of neighbours become one, or memory of the work-group is changed by
            // what it had: what comes from one turn does not wait for the turns before, as drivers cannot tell.
            if asked.is_none() && begin.base.is_none() && (is_few || count < at_once) {
                let turns = Counted { counter: variable, begin: begin.offset, step, count };
                let is_whole = is_few && distance.is_multiple_of(step);
                let is_changed = loads_near && insts.iter().any(stores_near);
                if !is_whole
                    || !(is_changed || neighbours.are_loaded(context, function, body, &turns))
                {
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
    if turns == Turns::Unknown && asked.is_none() && at_most < at_once {
        return None;
    }
    Some(found(Step::Number(step), at_once, turns))
}

/// The turns of a loop that begins with a constant.
struct Counted {
    counter: Value,
    begin: u64,
    step: u64,
    count: u64,
}

/// The last index of what a load reads out of an array of numbers in memory of the work-group whose rows are whole
/// vectors of [`LOCAL_LANES`].
fn local_index(context: &ModuleContext<'_>, function: &Function, inst: Inst) -> Option<Value> {
    let InstKind::Load { pointer, .. } = function.insts[inst].kind else { return None };
    let InstKind::Access { base, indices } = function.def_inst(pointer)?.1.kind else {
        return None;
    };
    let types = &*context.types;
    let (number, class) = types.pointer_parts(context.type_of(function, pointer))?;
    let is_number = matches!(types.kind(number), TypeKind::Int(32) | TypeKind::Float(32));
    if class != StorageClass::Workgroup || !is_number {
        return None;
    }
    let mut row = types.pointer_parts(context.type_of(function, base))?.0;
    while let TypeKind::Array(element, count) = types.kind(row) {
        if element == number {
            // Hosts choose the lengths of arrays of one.
            let is_whole = count == 1 || count.is_multiple_of(LOCAL_LANES);
            return function.values_of(indices).last().filter(|_| is_whole);
        }
        row = element;
    }
    None
}

/// Whether turns of loops load neighbours that become one load once the turns are written out: by [`wide_loads`], or
/// where arrays of the work-group become arrays of vectors.
struct Neighbours<'a> {
    cfg: &'a Cfg,
    /// Looked for if it is asked for.
    known: OnceCell<Known>,
    /// By local value: whether it may differ between work-items; likewise.
    varying: OnceCell<Vec<bool>>,
}

impl Neighbours<'_> {
    fn varies(&self, context: &ModuleContext<'_>, function: &Function, value: Value) -> bool {
        let find = || varying_values(context.types, function, self.cfg);
        value.as_local().is_some_and(|index| self.varying.get_or_init(find)[index])
    }

    /// Only in a loop around this one is a kernel written twice for it.
    fn are_loaded(
        &self,
        context: &ModuleContext<'_>,
        function: &Function,
        body: Block,
        turns: &Counted,
    ) -> bool {
        let insts = &function.blocks[body].insts;
        let may_be_twice = wide_loads::may_be_twice(function);
        let is_local = |&inst: &Inst| local_index(context, function, inst).is_some();
        if !may_be_twice && !insts.iter().any(is_local) {
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
        // What is known of a place that is `size` further in each turn, and where all turns together are `whole`.
        let neighbours = |place: Value, size: u64, whole: u64| {
            let sum = alignment::Sum::of(context, function, place)?;
            let factor: i64 =
                sum.parts.iter().filter(|part| counts(part.0)).map(|part| part.1).sum();
            let rest = known.low.of_parts(context, &sum, counts);
            let first = (rest.bits as u64)
                .wrapping_add(sum.constant as u64)
                .wrapping_add((factor as u64).wrapping_mul(turns.begin));
            let are_neighbours = (factor as u64).wrapping_mul(turns.step) == size
                && turns.count.saturating_mul(size) >= whole
                && 1 << rest.known >= whole
                && first.is_multiple_of(whole);
            are_neighbours.then_some((sum, rest))
        };
        let is_one_of_many = |&inst: &Inst| {
            if let Some(index) = local_index(context, function, inst) {
                return neighbours(index, 1, LOCAL_LANES).is_some_and(|(_, rest)| rest.given == 0);
            }
            may_be_twice
                && wide_loads::neighbour(context, function, inst)
                    .and_then(|(size, address)| neighbours(address, size, wide_loads::WIDEST))
                    .is_some_and(|(sum, _)| known.is_worth_it(&sum, counts))
        };
        insts.iter().any(is_one_of_many)
    }
}

/// Whether memory is worth waiting for.
fn is_slow(class: StorageClass) -> bool {
    use StorageClass::{PhysicalStorageBuffer, ReadOnlyBuffer, StorageBuffer, Uniform, Workgroup};
    matches!(class, PhysicalStorageBuffer | ReadOnlyBuffer | StorageBuffer | Uniform | Workgroup)
}
