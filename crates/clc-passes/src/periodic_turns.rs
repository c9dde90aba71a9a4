//! Several turns at once of loops of shaders in which values repeat after a few turns: buffers that take turns, for one.
//!
//! ```text
//! for (k = 0; k < n; k++) {                  for (k = 0; k < n; k++) {
//!     to[k & 1][i] = from[~k & 1][i];            to[0][i] = from[1][i];
//!     barrier();                      ->         barrier();
//! }                                              if (++k >= n) break;
//!                                                to[1][i] = from[0][i];
//!                                                barrier();
//!                                            }
//! ```
//!
//! What repeats are variables of the loop's head that are computed from each other and from constants alone, or change
//! places, and remainders of a variable that counts by a constant from a constant. In each of the turns they are
//! known then, and with them addresses, or which way control goes.
//!
//! Drivers write out loops by themselves, and find out by that what repeats; but not loops with barriers, of which they may not
//! copy a rest, and not large ones, in which a private array with such an index stays in memory.
//!
//! The loop's test stands before each turn as it did. So a work-item takes the same turns in the same order, and those that
//! came to a barrier together, which is in the same turn of each of them, come to the same copy of it together: which copy it is
//! depends on the number of the turn alone.

use clc_ir::{
    BinaryOp, Block, BlockCall, Cfg, Dominators, Function, Inst, InstKind, MathFlags, StorageClass,
    Terminator, Value, ValueDef,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::counted::{self, Known, Loop, MAX_STEPS, evaluate};
use crate::fold::Folder;
use crate::step_remainders::Taken;
use crate::written_turns::{Uses, copy_blocks, copy_params, place_behind, take_hints};
use crate::{copies, dead_code, simplify, simplify_cfg, unroll_hints};

/// Turns after which values are what they were.
const MAX_PERIOD: usize = 4;

/// Loops of a function, one after the other.
const MAX_LOOPS: usize = 8;

/// The most instructions of all turns that become one.
const MAX_SIZE: u64 = 512;

/// The same where turns are more than it takes until values repeat, so that fewer come back to the head.
const MAX_SIZE_OF_MORE: u64 = 320;

/// What a call counts for, which drivers inline.
const CALL: u64 = 64;

/// Turns of a loop with a barrier that is written out whole, and their instructions.
const FEW_TURNS: u64 = 16;
const MAX_SIZE_OF_FEW: u64 = 1792;

/// Writes several turns of loops as one.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let mut changes = false;
    for _ in 0..MAX_LOOPS {
        let cfg = Cfg::new(function);
        if !cfg.blocks_in_loops().contains(&true) {
            break;
        }
        let dominators = Dominators::new(&cfg);
        let loops = counted::loops_from_anywhere(function, &cfg, &dominators);
        let mut find =
            loops.iter().filter_map(|found| Some((found, turns(context, function, found)?)));
        let Some((found, turns)) = find.next() else { break };
        write(function, found, &turns);
        changes = true;
    }
    if changes {
        simplify::run(context, function);
        simplify_cfg::run(context, function);
        // What is known now was computed.
        dead_code::run(context, function);
    }
}

/// What is known in each of the turns that are to be one, if that is worth it.
fn turns(context: &mut ModuleContext<'_>, function: &Function, found: &Loop) -> Option<Vec<Known>> {
    let size = size(function, found);
    if found.leaves_early
        || size * 2 > MAX_SIZE
        || found.has_variables(function)
        || function.loop_hints.contains_key(&found.header)
    {
        return None;
    }
    let mut turns: Vec<Known> = vec![Known::default()];
    for period in (2..=MAX_PERIOD).filter(|&period| size * period as u64 <= MAX_SIZE) {
        let found = repeating(context, function, found, period);
        if found[0].len() > turns[0].len() {
            turns = found;
        }
    }
    let has_barrier = each_inst(function, found)
        .any(|inst| matches!(function.insts[inst].kind, InstKind::Barrier { .. }));
    if !is_worth_it(context, function, found, &turns[0], has_barrier)
        || is_written_out(context, function, found, size, has_barrier)
    {
        return None;
    }
    if has_barrier && turns.len() * 2 <= MAX_PERIOD && size * MAX_PERIOD as u64 <= MAX_SIZE_OF_MORE
    {
        turns.extend_from_within(..);
    }
    Some(turns)
}

/// Whether drivers probably write out all turns of a loop, or are asked to.
fn is_written_out(
    context: &mut ModuleContext<'_>,
    function: &Function,
    found: &Loop,
    size: u64,
    has_barrier: bool,
) -> bool {
    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let turns = counted::turns(&mut folder, function, found, &Known::default());
    turns.is_some_and(|(turns, _)| match has_barrier {
        true => turns * size <= MAX_SIZE || turns <= FEW_TURNS && turns * size <= MAX_SIZE_OF_FEW,
        false => turns <= unroll_hints::MAX_TURNS,
    })
}

fn each_inst<'a>(function: &'a Function, found: &'a Loop) -> impl Iterator<Item = Inst> + 'a {
    found.blocks.iter().flat_map(|&block| &function.blocks[block].insts).copied()
}

fn size(function: &Function, found: &Loop) -> u64 {
    let is_call = |inst: &Inst| matches!(function.insts[*inst].kind, InstKind::Call { .. });
    found.size(function) + CALL * each_inst(function, found).filter(is_call).count() as u64
}

/// What repeats after `period` turns, by turn.
fn repeating(
    context: &mut ModuleContext<'_>,
    function: &Function,
    found: &Loop,
    period: usize,
) -> Vec<Known> {
    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let mut turns = cycling(&mut folder, function, found, period);
    for inst in each_inst(function, found) {
        if let Some(result) = function.insts[inst].result
            && let Some(taken) = Taken::of(function, result)
            && let Some(constant) = context.signed(taken.divisor)
            && let Ok(constant) = u32::try_from(constant)
            && let Some(counter) = Counter::of(context, function, found, taken.of)
            && let Some(remainders) = counter.remainders(taken.op, constant, period)
        {
            let ty = context.type_of(function, result);
            let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
            for (known, remainder) in turns.iter_mut().zip(remainders) {
                known.insert(result, folder.int(ty, remainder));
            }
        }
    }
    turns
}

/// The parameters of a loop's head that are what they were after `period` turns and not before, by turn.
fn cycling(
    folder: &mut Folder<'_>,
    function: &Function,
    found: &Loop,
    period: usize,
) -> Vec<Known> {
    let params = &function.blocks[found.header].params;
    let entry = params.iter().zip(&found.entry);
    let mut first: Known = entry.filter_map(|(&param, &value)| Some((param, value?))).collect();
    loop {
        let mut turns = vec![first.clone()];
        for turn in 0..period {
            let mut next = Known::default();
            for (&param, &value) in params.iter().zip(&found.next) {
                if turns[turn].contains_key(&param)
                    && let Some(value) = chosen(folder, function, value, &turns[turn])
                {
                    next.insert(param, value);
                }
            }
            turns.push(next);
        }
        // What does not repeat may have been what others were computed from.
        let all = first.len();
        first.retain(|param, value| turns[period].get(param) == Some(value));
        if first.len() == all {
            turns.truncate(period);
            let varies = |param: &Value| turns.iter().any(|turn| turn[param] != turns[0][param]);
            let varying: FxHashSet<Value> = first.keys().copied().filter(varies).collect();
            turns.iter_mut().for_each(|turn| turn.retain(|param, _| varying.contains(param)));
            return turns;
        }
    }
}

/// The value that one is where others are as `known`, also where conditions choose it.
fn chosen(
    folder: &mut Folder<'_>,
    function: &Function,
    mut value: Value,
    known: &Known,
) -> Option<Value> {
    for _ in 0..MAX_STEPS {
        let inst = function.def_inst(value).map(|(_, data)| data.kind);
        let Some(InstKind::Select { condition, then, otherwise }) = inst else { break };
        let condition = evaluate(folder, function, condition, known, MAX_STEPS)?;
        value = if folder.scalar_bits(condition)? != 0 { then } else { otherwise };
    }
    evaluate(folder, function, value, known, MAX_STEPS)
}

/// What counts by a constant from a constant.
struct Counter {
    first: i64,
    step: i64,
    /// Whether it only ever grows, from what is not negative.
    grows: bool,
}

impl Counter {
    /// A parameter of a loop's head, to which constants may be added.
    fn of(
        context: &ModuleContext<'_>,
        function: &Function,
        found: &Loop,
        value: Value,
    ) -> Option<Counter> {
        let sum = |value: Value| {
            let (_, data) = function.def_inst(value)?;
            let InstKind::Binary { op: BinaryOp::IAdd, left, right } = data.kind else {
                return None;
            };
            let fits = data.math.has(MathFlags::NO_SIGNED_WRAP);
            Some((left, context.signed(right)?, fits))
        };
        let params = &function.blocks[found.header].params;
        let (mut param, mut offset, mut fits) = (value, 0i64, true);
        for _ in 0..MAX_STEPS {
            if params.contains(&param) {
                break;
            }
            let (left, constant, sum_fits) = sum(param)?;
            (param, offset) = (left, offset.wrapping_add(constant));
            fits &= sum_fits;
        }
        let place = params.iter().position(|&of| of == param)?;
        let (of, step, next_fits) = sum(*found.next.get(place)?)?;
        let first = context.signed((*found.entry.get(place)?)?)?.wrapping_add(offset);
        let grows = fits && next_fits && first >= 0 && step > 0;
        (of == param).then_some(Counter { first, step, grows })
    }

    /// The remainders that an operation with a constant takes of it, turn by turn, if they repeat after `period` turns.
    fn remainders(&self, op: BinaryOp, constant: u32, period: usize) -> Option<Vec<u64>> {
        let constant = i64::from(constant);
        // Sums that wrap keep the remainder by a power of two.
        let (modulus, mask) = match op {
            BinaryOp::And => ((constant as u64 + 1).next_power_of_two() as i64, constant),
            BinaryOp::URem | BinaryOp::SRem if self.grows && constant > 0 => (constant, -1),
            _ => return None,
        };
        let (first, step) = (self.first.rem_euclid(modulus), self.step.rem_euclid(modulus));
        let at = |turn: usize| (first + turn as i64 * step) % modulus;
        let repeats = at(period) == at(0) && at(1) != at(0);
        repeats.then(|| (0..period).map(|turn| (at(turn) & mask) as u64).collect())
    }
}

/// Whether what is known is part of indices of private arrays, whose elements may become values then; of a loop with a barrier,
/// whether it is part of any address, or decides which way or which value is taken.
fn is_worth_it(
    context: &ModuleContext<'_>,
    function: &Function,
    found: &Loop,
    known: &Known,
    has_barrier: bool,
) -> bool {
    let is_private = |pointer: Value| {
        let of = context.types.pointer_parts(context.type_of(function, pointer));
        of.is_some_and(|(_, class)| class == StorageClass::Function)
    };
    // What depends on what is known, and what depends on nothing else.
    let mut depends: FxHashSet<Value> = known.keys().copied().collect();
    let mut decided = depends.clone();
    for &block in &found.blocks {
        for &inst in &function.blocks[block].insts {
            let data = &function.insts[inst];
            let (mut any, mut all) = (false, true);
            function.each_operand(inst, |operand| {
                any |= depends.contains(&operand);
                all &= operand.is_const() || decided.contains(&operand);
            });
            match data.kind {
                _ if !any => {}
                InstKind::Access { base, .. } | InstKind::PtrAdd { base, .. }
                    if has_barrier || is_private(base) =>
                {
                    return true;
                }
                InstKind::Load { pointer, .. } | InstKind::Store { pointer, .. }
                    if has_barrier && depends.contains(&pointer) =>
                {
                    return true;
                }
                InstKind::Select { condition, .. }
                    if has_barrier && decided.contains(&condition) =>
                {
                    return true;
                }
                ref kind if copies::is_computation(kind) => {
                    depends.extend(data.result);
                    decided.extend(data.result.filter(|_| all));
                }
                _ => {}
            }
        }
        if let Terminator::Branch { condition: value, .. }
        | Terminator::Switch { selector: value, .. } = function.blocks[block].terminator
            && has_barrier
            && decided.contains(&value)
        {
            return true;
        }
    }
    false
}

/// Writes turns of a loop as one, where values are as `turns` says, and after the last as in the first.
fn write(function: &mut Function, found: &Loop, turns: &[Known]) {
    let header = found.header;
    let mut carried = Uses::new(function).behind(function, found);
    let own = |value: &Value| match function.def(*value) {
        Some(ValueDef::Param(block, _)) => block == header,
        Some(ValueDef::Inst(inst)) => function.blocks[header].insts.contains(&inst),
        None => false,
    };
    for value in function.values_of(found.outside.arguments).filter(own) {
        if !carried.contains(&value) {
            carried.push(value);
        }
    }
    let hints = take_hints(function, found);
    let originals: Vec<Terminator> =
        found.blocks.iter().map(|&block| function.blocks[block].terminator.clone()).collect();

    // All turns leave the loop by one block, which passes on what is used behind.
    let exit = function.add_block();
    let mut behind = Known::default();
    for &value in &carried {
        let ty = function.values[value.as_local().unwrap_or_default()].ty;
        behind.insert(value, function.add_block_param(exit, ty));
    }
    for block in function.layout.clone() {
        if !found.contains(block) {
            map_block(function, block, &behind);
        }
    }
    let arguments: Vec<Value> = function.values_of(found.outside.arguments).collect();
    let arguments = function.list(&arguments);
    let outside = BlockCall { block: found.outside.block, arguments };
    function.blocks[exit].terminator = Terminator::Jump(outside);
    map_block(function, exit, &behind);
    // The loop around may go back from here.
    for hint in function.loop_hints.values_mut().filter(|hint| hint.continue_target == header) {
        hint.continue_target = exit;
    }

    let mut heads = vec![header];
    heads.extend((1..turns.len()).map(|_| function.add_block()));
    let mut new = Vec::new();
    // The first turn is the loop as it is, and is changed when all others are copied from it.
    for turn in (1..turns.len()).chain([0]) {
        let mut map = FxHashMap::default();
        let mut blocks: FxHashMap<Block, Block> =
            found.blocks.iter().map(|&block| (block, block)).collect();
        if turn == 0 {
            map.extend(turns[0].iter().map(|(&of, &value)| (of, value)));
            found.blocks.iter().for_each(|&block| map_block(function, block, &map));
        } else {
            let params = copy_params(function, header, heads[turn]);
            map.extend(function.blocks[header].params.iter().copied().zip(params));
            map.extend(turns[turn].iter().map(|(&of, &value)| (of, value)));
            blocks.insert(header, heads[turn]);
            copy_blocks(function, found, &hints, &mut blocks, &mut map);
            new.extend(found.blocks.iter().map(|block| blocks[block]));
        }
        let next = heads[(turn + 1) % heads.len()];
        for (block, original) in found.blocks.iter().zip(&originals) {
            let mut terminator = original.clone();
            for target in terminator.targets_mut() {
                let mut arguments: Vec<Value> = function.values_of(target.arguments).collect();
                target.block = match blocks.get(&target.block) {
                    _ if target.block == header => next,
                    Some(&block) => block,
                    None => {
                        arguments.clone_from(&carried);
                        exit
                    }
                };
                target.arguments = function.list(&arguments);
            }
            let here = blocks[block];
            function.blocks[here].terminator = terminator;
            function.map_terminator_operands(here, |value| *map.get(&value).unwrap_or(&value));
        }
    }
    new.push(exit);
    place_behind(function, found, new);
}

/// Replaces operands in a block.
fn map_block(function: &mut Function, block: Block, map: &Known) {
    for inst in function.blocks[block].insts.clone() {
        function.map_operands(inst, |value| *map.get(&value).unwrap_or(&value));
    }
    function.map_terminator_operands(block, |value| *map.get(&value).unwrap_or(&value));
}
