//! Counts in double what loops count in integers and convert, for shaders.
//!
//! ```text
//! head(i):                              head(i, d):
//!   .. (double)i .. (double)n ..   ->     .. d .. n' ..
//!   head(i + 1)                           head(i + 1, d + 1.0)
//! ```
//!
//! GPUs convert to and from numbers of 64 bits at a quarter of the rate at which they add doubles, or less. The sums are
//! exact: integers of 32 bits are, as doubles, and so are the integers next to them, where those do not wrap
//! ([`MathFlags::NO_SIGNED_WRAP`], or a test against a bound before each step).
//!
//! What is the same in all turns is converted before the loop, be it used in some turns only. Conversions of floats to
//! integers stay, since not all floats have one.

use clc_base::Id as _;
use clc_ir::debug::Location;
use clc_ir::{
    BinaryOp, Block, Const, ConvertOp, Function, Inst, InstKind, MathFlags, Type, TypePool, Value,
};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;
use crate::counted;
use crate::entered_once::{Counter, Edges, Loops, pass};
use crate::replacements::Replacements;

/// The most counters of one loop that are doubles, too, and the most values that are converted before it: each is two
/// registers more.
const MAX_MORE: usize = 4;

/// Steps the conversions of a function, or moves them.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let is_one = |&inst: &Inst| conversion(context, function, inst).is_some();
    if !function.layout.iter().any(|&block| function.blocks[block].insts.iter().any(is_one)) {
        return;
    }
    let loops = Loops::new(function);
    step(context, function, &loops);
    convert_before(context, function, &loops);
}

/// The operand of a conversion to or from a double that is defined whatever it is.
fn conversion(context: &ModuleContext<'_>, function: &Function, inst: Inst) -> Option<Value> {
    let data = &function.insts[inst];
    let InstKind::Convert { op, operand, .. } = data.kind else { return None };
    let is_defined = matches!(op, ConvertOp::SToF | ConvertOp::UToF | ConvertOp::FToF);
    let types = [data.result?, operand].map(|value| context.type_of(function, value));
    (is_defined && types.contains(&TypePool::F64)).then_some(operand)
}

/// Converts what a loop counts by adding to a double.
fn step(context: &mut ModuleContext<'_>, function: &mut Function, loops: &Loops) {
    let mut stepped: FxHashMap<(Value, ConvertOp), Value> = FxHashMap::default();
    let mut counts: FxHashMap<Block, usize> = FxHashMap::default();
    let mut replacements = Replacements::default();
    for place in 0..function.layout.len() {
        let block = function.layout[place];
        if loops.around[block.index()] == 0 {
            continue;
        }
        let mut place = 0;
        while let Some(&inst) = function.blocks[block].insts.get(place) {
            place += 1;
            let Some((op, result, counted, more)) = of_integer(context, function, inst) else {
                continue;
            };
            let double = match stepped.get(&(counted, op)) {
                Some(&double) => double,
                None => {
                    let Some(counter) = loops.counter(context, function, counted) else { continue };
                    let count = counts.entry(counter.edges.head).or_default();
                    if *count == MAX_MORE || !stays_in_range(function, loops, op, counted, &counter)
                    {
                        continue;
                    }
                    *count += 1;
                    let location = function.insts[inst].location;
                    let double = add_counter(context, function, op, &counter, location);
                    stepped.insert((counted, op), double);
                    double
                }
            };
            if more == 0 {
                replacements.set(result, double);
                place -= 1;
                function.blocks[block].insts.remove(place);
            } else {
                let right = number(context, more);
                function.insts[inst].kind =
                    InstKind::Binary { op: BinaryOp::FAdd, left: double, right };
                function.insts[inst].math = MathFlags::NONE;
            }
        }
    }
    replacements.apply(function);
}

/// How an integer of 32 bits becomes a double, the double, and the integer as a sum with a constant: with zero, unless it has a
/// sign and the sum does not wrap.
fn of_integer(
    context: &ModuleContext<'_>,
    function: &Function,
    inst: Inst,
) -> Option<(ConvertOp, Value, Value, i64)> {
    let data = &function.insts[inst];
    let InstKind::Convert { op, operand, .. } = data.kind else { return None };
    let result = data.result?;
    let [from, to] = [operand, result].map(|value| context.type_of(function, value));
    if !matches!(op, ConvertOp::SToF | ConvertOp::UToF)
        || (from, to) != (TypePool::I32, TypePool::F64)
    {
        return None;
    }
    if op == ConvertOp::SToF
        && let Some((_, data)) = function.def_inst(operand)
        && let InstKind::Binary { op: BinaryOp::IAdd, left, right } = data.kind
        && data.math.has(MathFlags::NO_SIGNED_WRAP)
        && let Some(more) = context.signed(right)
    {
        return Some((op, result, left, more));
    }
    Some((op, result, operand, 0))
}

/// Whether what is counted does not wrap as a number with a sign, or as one without.
fn stays_in_range(
    function: &Function,
    loops: &Loops,
    op: ConvertOp,
    counted: Value,
    counter: &Counter,
) -> bool {
    if op == ConvertOp::SToF {
        let next = function.def_inst(counter.next);
        return next.is_some_and(|(_, data)| data.math.has(MathFlags::NO_SIGNED_WRAP));
    }
    loops.is_below_bound(function, counted, counter)
}

/// Gives the head of a loop a parameter that is what it counts, as a double.
fn add_counter(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    op: ConvertOp,
    counter: &Counter,
    location: Location,
) -> Value {
    let &Counter { edges: Edges { head, entry, latch }, start, step, .. } = counter;
    let begin = match context.signed(start) {
        Some(start) if op == ConvertOp::SToF => number(context, start),
        Some(start) => number(context, i64::from(start as u32)),
        None => {
            let kind = InstKind::Convert { op, operand: start, rounding: None, saturate: false };
            function.compute(entry, kind, TypePool::F64, location)
        }
    };
    let param = function.add_block_param(head, TypePool::F64);
    let right = number(context, step);
    let kind = InstKind::Binary { op: BinaryOp::FAdd, left: param, right };
    let next = function.compute(latch, kind, TypePool::F64, location);
    for (from, value) in [(entry, begin), (latch, next)] {
        pass(function, from, head, value);
    }
    param
}

fn number(context: &mut ModuleContext<'_>, number: i64) -> Value {
    const TYPE: Type = TypePool::F64;
    context.consts.intern(Const::Float(TYPE, (number as f64).to_bits()))
}

/// Converts before loops what is the same in all their turns, outermost loops first.
fn convert_before(context: &mut ModuleContext<'_>, function: &mut Function, loops: &Loops) {
    for &head in loops.cfg.reverse_post_order() {
        let Some(edges) = loops.edges(head) else { continue };
        let blocks = counted::blocks(&loops.cfg, &loops.dominators, head).unwrap_or_default();
        let mut moved = Vec::new();
        for block in blocks {
            let mut insts = std::mem::take(&mut function.blocks[block].insts);
            insts.retain(|&inst| {
                let operand = conversion(context, function, inst);
                let leaves = moved.len() < MAX_MORE
                    && operand.is_some_and(|value| loops.is_before(function, value, edges));
                if leaves {
                    moved.push(inst);
                }
                !leaves
            });
            function.blocks[block].insts = insts;
        }
        function.blocks[edges.entry].insts.extend(moved);
    }
}
