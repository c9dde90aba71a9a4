//! Counters that begin at the number of a work-item count from zero instead, for compilers of processors that make vectors of
//! work-items: what is then counted is the same for all of them, and the number is added where [`item_indices`] sees it.
//!
//! ```text
//! b1(i): ... a[i] ...                    ->    b1(k): i = n + k; ... a[i] ...
//!     jump b1(i + step)                            jump b1(k + step)
//! ```
//!
//! `n` is what `i` is at first, `k` zero. Of 32 bits, as drivers see through those of 64; and those that indices
//! are computed from.
//!
//! [`item_indices`]: crate::item_indices

use clc_ir::debug::Location;
use clc_ir::{
    BinaryOp, Block, Cfg, Const, Function, InstKind, MathFlags, TypePool, Value, ValueDef,
};
use rustc_hash::FxHashSet;

use crate::context::ModuleContext;
use crate::item_indices::{each_index, has_no_vectors};
use crate::neighbours::{Step, Steps};
use crate::replacements::Replacements;

/// Counts from zero.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if has_no_vectors(function) {
        return;
    }
    let mut candidates = in_indices(context, function);
    if candidates.is_empty() {
        return;
    }
    let cfg = Cfg::new(function);
    candidates.retain(|&value| is_counted(function, &cfg, value));
    if candidates.is_empty() {
        return;
    }
    let mut steps = Steps::new(context.types, context.consts, function, &cfg);
    let counters: Vec<Counter> = candidates
        .into_iter()
        .filter_map(|value| counter(function, &cfg, &mut steps, value))
        .collect();
    let mut replacements = Replacements::default();
    for counter in &counters {
        let number = count_from_zero(context, function, counter);
        replacements.set(counter.value, number);
    }
    replacements.apply(function);
}

/// The parameters of 32 bits that indices are computed from, in order.
fn in_indices(context: &ModuleContext<'_>, function: &Function) -> Vec<Value> {
    let mut ahead = Vec::new();
    each_index(context, function, |_, _, index, _| ahead.push(index));
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(value) = ahead.pop() {
        if !seen.insert(value) {
            continue;
        }
        match function.def(value) {
            Some(ValueDef::Param(block, _))
                if block != function.entry()
                    && context.type_of(function, value) == TypePool::I32 =>
            {
                found.push(value);
            }
            Some(ValueDef::Inst(inst))
                if matches!(
                    function.insts[inst].kind,
                    InstKind::Binary { .. } | InstKind::Convert { .. }
                ) =>
            {
                function.each_operand(inst, |operand| ahead.push(operand));
            }
            _ => {}
        }
    }
    found.sort_unstable_by_key(|value| value.as_local());
    found
}

struct Counter {
    value: Value,
    block: Block,
    position: usize,
    begin: Value,
    /// The block that comes before the loop.
    before: Block,
    /// Those that jump back.
    around: Vec<Block>,
}

/// Whether a parameter is given a sum of itself, and what is no constant elsewhere.
fn is_counted(function: &Function, cfg: &Cfg, value: Value) -> bool {
    let Some(ValueDef::Param(block, position)) = function.def(value) else { return false };
    let (mut is_stepped, mut is_given) = (false, false);
    for from in cfg.predecessors(block) {
        for call in function.blocks[from].terminator.targets().filter(|call| call.block == block) {
            let next = function.value_at(call.arguments, position as usize);
            match sum_with(function, next, value) {
                Some(_) => is_stepped = true,
                None => is_given |= !next.is_const(),
            }
        }
    }
    is_stepped && is_given
}

/// What a parameter is if it begins at something that steps by one from work-item to work-item, and steps by what is the same for
/// all of them from turn to turn.
fn counter(function: &Function, cfg: &Cfg, steps: &mut Steps<'_>, value: Value) -> Option<Counter> {
    let Some(ValueDef::Param(block, position)) = function.def(value) else { return None };
    if steps.of(value) != Step::One {
        return None;
    }
    let (begin, then) = steps.turns(value)?;
    for &next in &then {
        let (_, step) = sum_with(function, next, value)?;
        if steps.of(step) != Step::None {
            return None;
        }
    }
    // Once for each edge.
    let (mut before, mut around): (Vec<Block>, Vec<Block>) =
        cfg.predecessors(block).partition(|&from| cfg.position(from) < cfg.position(block));
    around.sort_unstable();
    around.dedup();
    let before = before.pop()?;
    let position = position as usize;
    (!around.is_empty()).then_some(Counter { value, block, position, begin, before, around })
}

/// What is added to `value`, or subtracted from it, to have `next`.
fn sum_with(function: &Function, next: Value, value: Value) -> Option<(BinaryOp, Value)> {
    let InstKind::Binary { op, left, right } = function.def_inst(next)?.1.kind else { return None };
    match op {
        BinaryOp::IAdd | BinaryOp::ISub if left == value => Some((op, right)),
        BinaryOp::IAdd if right == value => Some((op, left)),
        _ => None,
    }
}

/// Makes the counter that is the same for all work-items, and returns the sum that takes the place of the other.
fn count_from_zero(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    counter: &Counter,
) -> Value {
    let &Counter { value, block, position, begin, before, .. } = counter;
    let count = function.add_block_param(block, TypePool::I32);
    let zero = context.consts.intern(Const::Int(TypePool::I32, 0));
    for &from in counter.around.iter().chain([&before]) {
        let mut terminator = std::mem::take(&mut function.blocks[from].terminator);
        for call in terminator.targets_mut().filter(|call| call.block == block) {
            let mut arguments: Vec<Value> = function.values_of(call.arguments).collect();
            let step = sum_with(function, arguments[position], value).filter(|_| from != before);
            arguments.push(match step {
                Some((op, right)) => {
                    append(function, from, InstKind::Binary { op, left: count, right })
                }
                None => zero,
            });
            call.arguments = function.list(&arguments);
        }
        function.blocks[from].terminator = terminator;
    }
    let number =
        append(function, block, InstKind::Binary { op: BinaryOp::IAdd, left: begin, right: count });
    function.blocks[block].insts.rotate_right(1);
    number
}

/// Puts a computation of 32 bits to the end of a block.
fn append(function: &mut Function, block: Block, kind: InstKind) -> Value {
    let ty = Some(TypePool::I32);
    let inst = function.append(block, kind, ty, MathFlags::NONE, Location::NONE);
    function.insts[inst].result.expect("a sum has a result")
}
