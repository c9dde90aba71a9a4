//! Turns of a loop written one after the other.

use clc_base::Id as _;
use clc_ir::{Block, BlockCall, Function, LoopHint, Terminator, TypePool, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::copies;
use crate::counted::{Known, Loop, MAX_STEPS, evaluate};
use crate::fold::Folder;
use crate::in_variables;

/// Turns that one test skips, of those that are tested: for work-items that are done for long.
const SKIPPED: usize = 8;

/// Where the values of a function are used: by value, and in one list for all of them.
pub(crate) struct Uses {
    /// By local value: where its blocks begin; those of the next one follow.
    starts: Vec<u32>,
    blocks: Vec<Block>,
}

impl Uses {
    pub(crate) fn new(function: &Function) -> Uses {
        let each_use = |note: &mut dyn FnMut(usize, Block)| {
            for &block in &function.layout {
                let mut note = |value: Value| {
                    if let Some(index) = value.as_local() {
                        note(index, block);
                    }
                };
                for &inst in &function.blocks[block].insts {
                    function.each_operand(inst, &mut note);
                }
                function.each_terminator_operand(block, &mut note);
            }
        };
        let mut starts = vec![0; function.values.len() + 1];
        each_use(&mut |index, _| starts[index + 1] += 1);
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut ends = starts.clone();
        let mut blocks = vec![function.entry(); starts.last().map_or(0, |&all| all as usize)];
        each_use(&mut |index, block| {
            blocks[ends[index] as usize] = block;
            ends[index] += 1;
        });
        Uses { starts, blocks }
    }

    /// The values of a loop that are used elsewhere, in order.
    pub(crate) fn behind(&self, function: &Function, found: &Loop) -> Vec<Value> {
        let is_used = |value: &Value| {
            value.as_local().is_some_and(|index| {
                let uses = self.starts[index] as usize..self.starts[index + 1] as usize;
                self.blocks[uses].iter().any(|&block| !found.contains(block))
            })
        };
        let mut values = Vec::new();
        for &block in &found.blocks {
            let insts = function.blocks[block].insts.iter();
            let results = insts.filter_map(|&inst| function.insts[inst].result);
            let all = function.blocks[block].params.iter().copied().chain(results);
            values.extend(all.filter(is_used));
        }
        values
    }
}

/// Whether variables can hold the values of a loop that are used behind it: only those of a loop that leaves early
/// have to.
pub(crate) fn can_unroll(types: &TypePool, function: &Function, found: &Loop, uses: &Uses) -> bool {
    let fits = |&value: &Value| {
        let ty = function.values[value.as_local().unwrap_or_default()].ty;
        ty != TypePool::BOOL && !types.is_pointer(ty)
    };
    !found.leaves_early || uses.behind(function, found).iter().all(fits)
}

/// Which turns of a loop are written.
pub(crate) enum Turns {
    /// So many, which there are.
    All(u64),
    /// As many as there may be, each behind the loop's test, by what the loop counts in each of them and behind the last:
    /// turns that the test refuses are empty, and count.
    Tested(Vec<Known>),
}

/// What a loop counts in each of `most` turns and behind them, if [`Turns::Tested`] is right for it where values are as in
/// any of `all`: the test refuses all turns behind one that it refuses, and the one behind the last.
pub(crate) fn tested(
    folder: &mut Folder<'_>,
    function: &Function,
    found: &Loop,
    all: &[Known],
    most: u64,
    uses: &Uses,
) -> Option<Vec<Known>> {
    let turns = counted(folder, function, found, most, uses)?;
    for around in all {
        let mut goes_on = true;
        for counted in &turns {
            let mut known = around.clone();
            known.extend(counted.iter().map(|(&param, &value)| (param, value)));
            let test = evaluate(folder, function, found.condition, &known, MAX_STEPS)?;
            let is_turn = (folder.scalar_bits(test)? != 0) == found.goes_on;
            if is_turn && !goes_on {
                return None;
            }
            goes_on = is_turn;
        }
        if goes_on {
            return None;
        }
    }
    Some(turns)
}

/// What a loop counts in each of `most` turns and behind them, if its turns can have tests of their own: nothing but its head
/// leaves it, which does nothing but compute, and nothing behind the loop needs what it counts, which is another there
/// where turns were empty.
pub(crate) fn counted(
    folder: &mut Folder<'_>,
    function: &Function,
    found: &Loop,
    most: u64,
    uses: &Uses,
) -> Option<Vec<Known>> {
    let counters = found.counters_from_constants(function);
    let mut head = function.blocks[found.header].insts.iter();
    let is_possible =
        !found.leaves_early && head.all(|&inst| copies::is_computation(&function.insts[inst].kind));
    if !is_possible {
        return None;
    }
    let counted = computed_in_head(function, found, &counters);
    let mut behind = uses.behind(function, found);
    behind.extend(function.values_of(found.outside.arguments));
    if behind.iter().any(|value| counted.contains(value)) {
        return None;
    }
    let params = &function.blocks[found.header].params;
    let mut now = Known::default();
    for (param, entry) in params.iter().zip(&found.entry) {
        now.extend(entry.filter(|_| counters.contains(param)).map(|entry| (*param, entry)));
    }
    let mut turns = vec![now];
    for turn in 0..most as usize {
        let mut next = Known::default();
        for (param, &value) in params.iter().zip(&found.next) {
            if counters.contains(param) {
                next.insert(*param, evaluate(folder, function, value, &turns[turn], MAX_STEPS)?);
            }
        }
        turns.push(next);
    }
    Some(turns)
}

/// Some parameters of a loop's head, and what the head computes of them.
pub(crate) fn computed_in_head(
    function: &Function,
    found: &Loop,
    params: &[Value],
) -> FxHashSet<Value> {
    let mut computed: FxHashSet<Value> = params.iter().copied().collect();
    for &inst in &function.blocks[found.header].insts {
        let mut any = false;
        function.each_operand(inst, |operand| any |= computed.contains(&operand));
        computed.extend(function.insts[inst].result.filter(|_| any));
    }
    computed
}

/// Writes turns of loops one after the other, where [`can_unroll`] allows it. None of the loops is in another.
pub(crate) fn unroll(types: &mut TypePool, function: &mut Function, loops: &[(&Loop, Turns)]) {
    let uses = Uses::new(function);
    // What is used behind a loop that leaves early comes from several turns.
    let mut early: FxHashMap<Value, &Loop> = FxHashMap::default();
    let mut values = Vec::new();
    // What is used behind one of the others in another loop still is when that is written.
    let mut is_used_behind = Vec::new();
    for (found, _) in loops {
        let behind = uses.behind(function, found);
        is_used_behind.push(!found.leaves_early && !behind.is_empty());
        if found.leaves_early {
            early.extend(behind.iter().map(|&value| (value, *found)));
            values.extend(behind);
        }
    }
    if !values.is_empty() {
        let stays = |value: Value, block: Block| early[&value].contains(block);
        in_variables::keep(types, function, &values, &[], stays);
    }
    for ((found, turns), is_used_behind) in loops.iter().zip(is_used_behind) {
        unroll_one(function, found, turns, is_used_behind);
    }
}

/// Gives a block parameters as another one has.
pub(crate) fn copy_params(function: &mut Function, of: Block, to: Block) -> Vec<Value> {
    let params = function.blocks[of].params.clone();
    let copy = |&param: &Value| {
        let ty = function.values[param.as_local().unwrap_or_default()].ty;
        function.add_block_param(to, ty)
    };
    params.iter().map(copy).collect()
}

/// The hints of a loop and of those inside that each turn is to have: not the loop's own, which are removed, nor one that
/// leads straight back to the head, which is another in each turn.
pub(crate) fn take_hints(function: &mut Function, found: &Loop) -> Vec<(Block, LoopHint)> {
    let header = found.header;
    function.loop_hints.remove(&header);
    let mut hints = Vec::new();
    for &block in &found.blocks {
        if let Some(&hint) = function.loop_hints.get(&block) {
            match [hint.merge, hint.continue_target].contains(&header) {
                true => drop(function.loop_hints.remove(&block)),
                false => hints.push((block, hint)),
            }
        }
    }
    hints
}

/// Copies the blocks of a loop for another turn, but for their terminators: what is in the head to the block that `blocks` has
/// for it, what is in others to new ones, which it learns. Operands are by `map`, which learns the results; those that
/// it knows are not copied.
pub(crate) fn copy_blocks(
    function: &mut Function,
    found: &Loop,
    hints: &[(Block, LoopHint)],
    blocks: &mut FxHashMap<Block, Block>,
    map: &mut FxHashMap<Value, Value>,
) {
    for &block in &found.blocks[1..] {
        let copy = function.add_block();
        function.blocks[copy].location = function.blocks[block].location;
        blocks.insert(block, copy);
        let copied = copy_params(function, block, copy);
        map.extend(function.blocks[block].params.iter().copied().zip(copied));
    }
    for &block in &found.blocks {
        let to = blocks[&block];
        for inst in function.blocks[block].insts.clone() {
            if !function.insts[inst].result.is_some_and(|result| map.contains_key(&result)) {
                copies::append(function, inst, to, map, function.insts[inst].kind);
            }
        }
    }
    for &(block, hint) in hints {
        let of = |block: Block| blocks.get(&block).copied();
        if let (Some(merge), Some(continue_target)) = (of(hint.merge), of(hint.continue_target)) {
            let hint = LoopHint { control: hint.control, merge, continue_target };
            function.loop_hints.insert(blocks[&block], hint);
        }
    }
}

/// Puts new blocks behind those of a loop.
pub(crate) fn place_behind(function: &mut Function, found: &Loop, new: Vec<Block>) {
    let last = found.blocks.last().copied().unwrap_or(found.header);
    let place = function.layout.iter().position(|&block| block == last);
    let place = place.map_or(function.layout.len(), |place| place + 1);
    function.layout.splice(place..place, new);
}

fn unroll_one(function: &mut Function, found: &Loop, which: &Turns, is_used_behind: bool) {
    let turns = match which {
        Turns::All(turns) => *turns,
        Turns::Tested(counted) => counted.len() as u64 - 1,
    };
    let header = found.header;
    let params = function.blocks[header].params.clone();
    let hints = take_hints(function, found);
    let originals: Vec<Terminator> =
        found.blocks.iter().map(|&block| function.blocks[block].terminator.clone()).collect();
    // The blocks of all turns, and the head that comes to the end, which stand behind the loop.
    let mut new = Vec::new();
    // The first turn is the loop as it is.
    let mut map: FxHashMap<Value, Value> = FxHashMap::default();
    let mut blocks: FxHashMap<Block, Block> =
        found.blocks.iter().map(|&block| (block, block)).collect();
    // Where the edges back of each turn go: the head of the next one.
    let heads: Vec<Block> = (0..turns).map(|_| function.add_block()).collect();
    for (turn, &next) in heads.iter().enumerate() {
        let next_params = copy_params(function, header, next);
        for (&block, original) in found.blocks.iter().zip(&originals) {
            let here = blocks[&block];
            let mut terminator = match (block == header, which) {
                (true, Turns::All(_)) => Terminator::Jump(found.inside),
                (true, Turns::Tested(counted)) => {
                    // The first of some skips all of them, as no turn is behind one that is none.
                    let skipped = if turn % SKIPPED == 0 { SKIPPED } else { 1 };
                    let to = (turn + skipped).min(heads.len());
                    // All but the counters is as it was.
                    let arguments: Vec<Value> = params
                        .iter()
                        .map(|param| counted[to].get(param).copied().unwrap_or(*param))
                        .collect();
                    let arguments = function.list(&arguments);
                    let skipped = BlockCall { block: heads[to - 1], arguments };
                    let (then, otherwise) = match found.goes_on {
                        true => (found.inside, skipped),
                        false => (skipped, found.inside),
                    };
                    Terminator::Branch { condition: found.condition, then, otherwise }
                }
                (false, _) => original.clone(),
            };
            for target in terminator.targets_mut() {
                let arguments: Vec<Value> = function.values_of(target.arguments).collect();
                target.arguments = function.list(&arguments);
                target.block = match target.block == header {
                    true => next,
                    // Or behind the loop.
                    false => *blocks.get(&target.block).unwrap_or(&target.block),
                };
            }
            function.blocks[here].terminator = terminator;
            function.map_terminator_operands(here, |value| *map.get(&value).unwrap_or(&value));
        }
        // Values of one turn are none of the next.
        map.clear();
        map.extend(params.iter().copied().zip(next_params));
        if let Turns::Tested(counted) = which {
            map.extend(counted[turn + 1].iter().map(|(&param, &value)| (param, value)));
        }
        blocks.insert(header, next);
        new.push(next);
        if turn + 1 == heads.len() {
            break;
        }
        copy_blocks(function, found, &hints, &mut blocks, &mut map);
        new.extend(found.blocks[1..].iter().map(|block| blocks[block]));
    }
    // The head that ends the loop; what is behind it uses its values.
    let end = blocks[&header];
    if turns > 0 {
        for inst in function.blocks[header].insts.clone() {
            copies::append(function, inst, end, &mut map, function.insts[inst].kind);
        }
        let arguments: Vec<Value> = function.values_of(found.outside.arguments).collect();
        let arguments: Vec<Value> =
            arguments.iter().map(|value| *map.get(value).unwrap_or(value)).collect();
        let arguments = function.list(&arguments);
        function.blocks[end].terminator =
            Terminator::Jump(BlockCall { block: found.outside.block, arguments });
    } else {
        function.blocks[header].terminator = Terminator::Jump(found.outside);
    }
    // The loop around may go back from here.
    for hint in function.loop_hints.values_mut().filter(|hint| hint.continue_target == header) {
        hint.continue_target = end;
    }
    if is_used_behind {
        let mut is_of_loop = vec![false; function.blocks.len()];
        for block in found.blocks.iter().chain(&new) {
            is_of_loop[block.index()] = true;
        }
        for block in function.layout.clone() {
            if is_of_loop[block.index()] {
                continue;
            }
            for inst in function.blocks[block].insts.clone() {
                function.map_operands(inst, |value| *map.get(&value).unwrap_or(&value));
            }
            function.map_terminator_operands(block, |value| *map.get(&value).unwrap_or(&value));
        }
    }
    place_behind(function, found, new);
}
