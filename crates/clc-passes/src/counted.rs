//! Loops whose head ends them after a known number of turns, if nothing in them does before: how many, and all turns
//! written one after the other.

use clc_base::Id as _;
use clc_ir::debug::Location;
use clc_ir::{
    Align, Block, BlockCall, Cfg, Dominators, Function, Inst, InstKind, LoopControl, MathFlags,
    MemoryAccess, StorageClass, Terminator, Type, TypePool, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::copies;
use crate::fold::Folder;

/// More turns are not counted.
const MAX_TURNS: u64 = 160;

/// Turns that one test skips, of those that are tested: for work-items that are done for long.
const SKIPPED: usize = 8;

/// Operations between a value and the counted variables that it is computed from.
const MAX_STEPS: usize = 6;

/// A loop whose head tests whether there is another turn.
pub(crate) struct Loop {
    pub header: Block,
    /// In reverse post-order, the header first.
    pub blocks: Vec<Block>,
    members: FxHashSet<Block>,
    /// Whether blocks behind the head may leave it, too.
    pub leaves_early: bool,
    /// Where the head goes for another turn.
    inside: BlockCall,
    /// Where it goes after the last one.
    outside: BlockCall,
    pub condition: Value,
    /// What the condition says for another turn.
    goes_on: bool,
    /// What the header's parameters are in the first turn; nothing where control comes from several blocks.
    entry: Vec<Value>,
    /// What they are in the next turn, likewise.
    next: Vec<Value>,
}

impl Loop {
    pub fn size(&self, function: &Function) -> u64 {
        self.blocks.iter().map(|&block| function.blocks[block].insts.len() as u64 + 1).sum()
    }

    /// The header's parameters that decide how often the loop turns.
    pub fn counters(&self, function: &Function) -> Vec<Value> {
        let params = &function.blocks[self.header].params;
        let mut counters = Vec::new();
        let mut left = vec![(self.condition, MAX_STEPS)];
        while let Some((value, steps)) = left.pop() {
            if params.contains(&value) {
                counters.push(value);
            } else if let Some((inst, _)) = function.def_inst(value).filter(|_| steps > 0) {
                function.each_operand(inst, |operand| left.push((operand, steps - 1)));
            }
        }
        counters
    }

    /// Those of them that begin with constants and are computed from themselves and constants alone.
    pub fn counters_from_constants(&self, function: &Function) -> Vec<Value> {
        let params = &function.blocks[self.header].params;
        let is_own = |param: Value, next: Value| match function.def_inst(next) {
            Some((_, data)) => match data.kind {
                InstKind::Binary { left, right, .. } => {
                    [left, right].into_iter().all(|value| value == param || value.is_const())
                }
                _ => false,
            },
            None => false,
        };
        let counters = self.counters(function);
        let ways = params.iter().zip(self.entry.iter().zip(&self.next));
        ways.filter(|&(param, (entry, next))| {
            counters.contains(param) && entry.is_const() && is_own(*param, *next)
        })
        .map(|(&param, _)| param)
        .collect()
    }

    pub fn contains(&self, block: Block) -> bool {
        self.members.contains(&block)
    }
}

/// The loops of a function, outer ones before those in them. Loops that the source wants to be left alone are none.
pub(crate) fn loops(function: &Function, cfg: &Cfg, dominators: &Dominators) -> Vec<Loop> {
    let order = cfg.reverse_post_order();
    order.iter().filter_map(|&header| loop_at(function, cfg, dominators, header)).collect()
}

/// The blocks of a loop that turns back from some, in reverse post-order, the header first.
pub(crate) fn blocks(cfg: &Cfg, header: Block, back: Vec<Block>) -> Vec<Block> {
    let mut members = FxHashSet::default();
    members.insert(header);
    let mut left = back;
    while let Some(block) = left.pop() {
        if members.insert(block) {
            left.extend(cfg.predecessors(block));
        }
    }
    let mut blocks: Vec<Block> = members.into_iter().collect();
    blocks.sort_unstable_by_key(|&block| cfg.position(block));
    blocks
}

/// The loop of a header, if it is one.
pub(crate) fn loop_at(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    header: Block,
) -> Option<Loop> {
    let back: Vec<Block> =
        cfg.predecessors(header).filter(|&from| dominators.dominates(header, from)).collect();
    if back.is_empty() {
        return None;
    }
    if let Some(hint) = function.loop_hints.get(&header)
        && hint.control == LoopControl::DontUnroll
    {
        return None;
    }
    let blocks = blocks(cfg, header, back);
    let members: FxHashSet<Block> = blocks.iter().copied().collect();
    let is_inside = |target: BlockCall| members.contains(&target.block);
    let stays = |block: Block| {
        let mut targets = function.blocks[block].terminator.targets();
        targets.next().is_some_and(|first| is_inside(first) && targets.all(is_inside))
    };
    let leaves_early = !blocks[1..].iter().all(|&block| stays(block));
    let Terminator::Branch { condition, then, otherwise } = function.blocks[header].terminator
    else {
        return None;
    };
    let goes_on = is_inside(then);
    let (inside, outside) = if goes_on { (then, otherwise) } else { (otherwise, then) };
    if is_inside(outside) || !is_inside(inside) {
        return None;
    }
    let arguments = |is_back: bool| -> Vec<Value> {
        let from = cfg.predecessors(header).filter(|from| members.contains(from) == is_back);
        let mut calls = from.flat_map(|from| {
            function.blocks[from].terminator.targets().filter(|to| to.block == header)
        });
        match (calls.next(), calls.next()) {
            (Some(only), None) => function.values_of(only.arguments).collect(),
            _ => Vec::new(),
        }
    };
    let (entry, next) = (arguments(false), arguments(true));
    Some(Loop {
        header,
        blocks,
        members,
        leaves_early,
        inside,
        outside,
        condition,
        goes_on,
        entry,
        next,
    })
}

/// What is computed from constants and from what loops count that are written out, be it by drivers.
pub(crate) struct Counters(FxHashSet<Value>);

impl Counters {
    /// Those of loops that turn at most `most` times, by themselves or in each turn of such a loop around them.
    pub fn new(context: &mut ModuleContext<'_>, function: &Function, most: u64) -> Counters {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let loops = loops(function, &cfg, &dominators);
        let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
        let mut counters = FxHashSet::default();
        for (index, around) in loops.iter().enumerate() {
            let known = Known::default();
            let Some((_, ends)) =
                turns(&mut folder, function, around, &known).filter(|(turns, _)| *turns <= most)
            else {
                continue;
            };
            counters.extend(around.counters(function));
            for inner in loops[index + 1..].iter().filter(|inner| around.contains(inner.header)) {
                let turns = |known| turns(&mut folder, function, inner, known);
                if ends.iter().map(turns).all(|found| found.is_some_and(|(turns, _)| turns <= most))
                {
                    counters.extend(inner.counters(function));
                }
            }
        }
        Counters(counters)
    }

    pub fn are_enough_for(&self, function: &Function, value: Value) -> bool {
        let mut left = vec![(value, MAX_STEPS)];
        while let Some((value, steps)) = left.pop() {
            if value.is_const() || self.0.contains(&value) {
                continue;
            }
            match function.def_inst(value) {
                Some((inst, data)) if steps > 0 && copies::is_computation(&data.kind) => {
                    function.each_operand(inst, |operand| left.push((operand, steps - 1)));
                }
                _ => return false,
            }
        }
        true
    }
}

/// What values are known to be in some turn.
pub(crate) type Known = FxHashMap<Value, Value>;

/// How often a loop turns at most, and if it does not leave early, where values are as `known`, and what the variables of its
/// header are in the first turn and in the last.
pub(crate) fn turns(
    folder: &mut Folder<'_>,
    function: &Function,
    found: &Loop,
    known: &Known,
) -> Option<(u64, [Known; 2])> {
    let (mut count, mut ends) = (0, None);
    let end = visit_turns(folder, function, found, known, |known| {
        count += 1;
        let [_, last] = ends.get_or_insert_with(|| [known.clone(), known.clone()]);
        last.clone_from(known);
    })?;
    Some((count, ends.unwrap_or_else(|| [end.clone(), end])))
}

/// Calls `visit` with what the variables of a loop's header are in each turn, and returns what they are behind the last.
fn visit_turns(
    folder: &mut Folder<'_>,
    function: &Function,
    found: &Loop,
    known: &Known,
    mut visit: impl FnMut(&Known),
) -> Option<Known> {
    let params = &function.blocks[found.header].params;
    let evaluated = |folder: &mut Folder<'_>, values: &[Value], known: &Known| -> Known {
        let mut all = known.clone();
        for (&param, &value) in params.iter().zip(values) {
            match evaluate(folder, function, value, known, MAX_STEPS) {
                Some(constant) => drop(all.insert(param, constant)),
                None => drop(all.remove(&param)),
            }
        }
        all
    };
    let mut now = evaluated(folder, &found.entry, known);
    for _ in 0..=MAX_TURNS {
        let test = evaluate(folder, function, found.condition, &now, MAX_STEPS)?;
        if (folder.scalar_bits(test)? != 0) != found.goes_on {
            return Some(now);
        }
        visit(&now);
        now = evaluated(folder, &found.next, &now);
    }
    None
}

/// What the variables of a loop's header are in each of its turns, where that is known.
pub(crate) fn each_turn(
    folder: &mut Folder<'_>,
    function: &Function,
    found: &Loop,
) -> Option<Vec<Known>> {
    let mut all = Vec::new();
    visit_turns(folder, function, found, &Known::default(), |known| all.push(known.clone()))?;
    Some(all)
}

/// The constant that a value is where others are as `known`.
fn evaluate(
    folder: &mut Folder<'_>,
    function: &Function,
    value: Value,
    known: &Known,
    steps: usize,
) -> Option<Value> {
    if value.is_const() {
        return Some(value);
    }
    if let Some(&constant) = known.get(&value) {
        return Some(constant);
    }
    let steps = steps.checked_sub(1)?;
    let (_, data) = function.def_inst(value)?;
    let operand = |folder: &mut Folder<'_>, value| evaluate(folder, function, value, known, steps);
    match data.kind {
        InstKind::Binary { op, left, right } => {
            let (left, right) = (operand(folder, left)?, operand(folder, right)?);
            folder.binary(op, left, right)
        }
        InstKind::Compare { op, left, right } => {
            let (left, right) = (operand(folder, left)?, operand(folder, right)?);
            folder.compare(op, left, right)
        }
        InstKind::Convert { op, operand: of, rounding, saturate } => {
            let of = operand(folder, of)?;
            let ty = function.values[value.as_local()?].ty;
            folder.convert(op, of, ty, rounding, saturate)
        }
        _ => None,
    }
}

/// Whether variables can hold the values of a loop that are used behind it: only those of a loop that leaves early
/// have to.
pub(crate) fn can_unroll(types: &TypePool, function: &Function, found: &Loop) -> bool {
    let fits = |&value: &Value| {
        let ty = function.values[value.as_local().unwrap_or_default()].ty;
        ty != TypePool::BOOL && !types.is_pointer(ty)
    };
    !found.leaves_early || used_behind(function, found).iter().all(fits)
}

/// The values of a loop that are used elsewhere, in order.
fn used_behind(function: &Function, found: &Loop) -> Vec<Value> {
    let mut used = FxHashSet::default();
    for &block in function.layout.iter().filter(|&&block| !found.contains(block)) {
        for &inst in &function.blocks[block].insts {
            function.each_operand(inst, |value| used.extend([value]));
        }
        function.each_terminator_operand(block, |value| used.extend([value]));
    }
    let mut values = Vec::new();
    for &block in &found.blocks {
        let insts = function.blocks[block].insts.iter();
        let results = insts.filter_map(|&inst| function.insts[inst].result);
        let all = function.blocks[block].params.iter().copied().chain(results);
        values.extend(all.filter(|value| used.contains(value)));
    }
    values
}

/// Gives what is used behind a loop to variables, because it comes from several turns.
fn keep_in_variables(types: &mut TypePool, function: &mut Function, found: &Loop) {
    let values = used_behind(function, found);
    let mut variables: FxHashMap<Value, (Value, Type, MemoryAccess)> = FxHashMap::default();
    for &value in &values {
        let ty = function.values[value.as_local().unwrap_or_default()].ty;
        let align = types.align(ty) as Align;
        let pointer = types.pointer(ty, StorageClass::Function);
        let kind = InstKind::Variable { ty, align };
        let inst = function.create_inst(kind, Some(pointer), MathFlags::NONE, Location::default());
        let entry = function.entry();
        function.blocks[entry].insts.insert(0, inst);
        let variable = function.insts[inst].result.expect("a variable has an address");
        variables.insert(value, (variable, ty, MemoryAccess::aligned(align)));
    }
    let store = |function: &mut Function, value: Value| {
        let (pointer, _, access) = *variables.get(&value)?;
        let kind = InstKind::Store { pointer, value, access };
        Some(function.create_inst(kind, None, MathFlags::NONE, Location::default()))
    };
    for block in function.layout.clone() {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut new = Vec::with_capacity(insts.len());
        if found.contains(block) {
            for param in function.blocks[block].params.clone() {
                new.extend(store(function, param));
            }
            for inst in insts {
                new.push(inst);
                if let Some(result) = function.insts[inst].result {
                    new.extend(store(function, result));
                }
            }
            function.blocks[block].insts = new;
            continue;
        }
        let mut used = Vec::new();
        for &inst in &insts {
            function.each_operand(inst, |value| used.push(value));
        }
        function.each_terminator_operand(block, |value| used.push(value));
        let mut map: FxHashMap<Value, Value> = FxHashMap::default();
        for value in used {
            if let Some(&(pointer, ty, access)) = variables.get(&value)
                && !map.contains_key(&value)
            {
                let kind = InstKind::Load { pointer, access };
                let load =
                    function.create_inst(kind, Some(ty), MathFlags::NONE, Location::default());
                new.push(load);
                map.extend(function.insts[load].result.map(|result| (value, result)));
            }
        }
        for &inst in &insts {
            function.map_operands(inst, |value| *map.get(&value).unwrap_or(&value));
        }
        function.map_terminator_operands(block, |value| *map.get(&value).unwrap_or(&value));
        // Those of the entry come first.
        let is_variable =
            |inst: &Inst| matches!(function.insts[*inst].kind, InstKind::Variable { .. });
        let first = insts.iter().take_while(|inst| is_variable(inst)).count();
        new.splice(0..0, insts[..first].iter().copied());
        new.extend_from_slice(&insts[first..]);
        function.blocks[block].insts = new;
    }
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
/// any of `all`: nothing but its head leaves it, which does nothing but compute, the test refuses all turns behind one
/// that it refuses, and nothing behind the loop needs what it counts.
pub(crate) fn tested(
    folder: &mut Folder<'_>,
    function: &Function,
    found: &Loop,
    all: &[Known],
    most: u64,
) -> Option<Vec<Known>> {
    let counters = found.counters_from_constants(function);
    let behind = used_behind(function, found);
    let mut head = function.blocks[found.header].insts.iter();
    let is_possible = !found.leaves_early
        && head.all(|&inst| copies::is_computation(&function.insts[inst].kind))
        && counters.iter().all(|counter| !behind.contains(counter));
    if !is_possible {
        return None;
    }
    let params = &function.blocks[found.header].params;
    let mut now = Known::default();
    for (param, &entry) in params.iter().zip(&found.entry) {
        if counters.contains(param) {
            now.insert(*param, entry);
        }
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

/// Writes turns of a loop one after the other, where [`can_unroll`] allows it.
pub(crate) fn unroll(types: &mut TypePool, function: &mut Function, found: &Loop, which: &Turns) {
    let turns = match which {
        Turns::All(turns) => *turns,
        Turns::Tested(counted) => counted.len() as u64 - 1,
    };
    if found.leaves_early {
        keep_in_variables(types, function, found);
    }
    let header = found.header;
    let params = function.blocks[header].params.clone();
    function.loop_hints.remove(&header);
    // Those of loops inside, but for one that leads straight back to the head, which is another in each turn.
    let mut hints = Vec::new();
    for &block in &found.blocks {
        if let Some(&hint) = function.loop_hints.get(&block) {
            match [hint.merge, hint.continue_target].contains(&header) {
                true => drop(function.loop_hints.remove(&block)),
                false => hints.push((block, hint)),
            }
        }
    }
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
        let next_params: Vec<Value> = params
            .iter()
            .map(|param| {
                let ty = function.values[param.as_local().unwrap_or_default()].ty;
                function.add_block_param(next, ty)
            })
            .collect();
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
        for &block in &found.blocks[1..] {
            let copy = function.add_block();
            function.blocks[copy].location = function.blocks[block].location;
            blocks.insert(block, copy);
            new.push(copy);
            for param in function.blocks[block].params.clone() {
                let ty = function.values[param.as_local().unwrap_or_default()].ty;
                let copied = function.add_block_param(copy, ty);
                map.insert(param, copied);
            }
        }
        for &block in &found.blocks {
            let to = blocks[&block];
            for inst in function.blocks[block].insts.clone() {
                copies::append(function, inst, to, &mut map, function.insts[inst].kind);
            }
        }
        for &(block, hint) in &hints {
            let of = |block: Block| blocks.get(&block).copied();
            if let (Some(merge), Some(continue_target)) = (of(hint.merge), of(hint.continue_target))
            {
                let hint = clc_ir::LoopHint { control: hint.control, merge, continue_target };
                function.loop_hints.insert(blocks[&block], hint);
            }
        }
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
    let last = found.blocks.last().copied().unwrap_or(header);
    let layout = std::mem::take(&mut function.layout);
    function.layout = layout
        .into_iter()
        .flat_map(|block| match block == last {
            true => std::iter::once(block).chain(new.iter().copied()).collect(),
            false => vec![block],
        })
        .collect();
}
