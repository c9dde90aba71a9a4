//! Loops whose head ends them after a known number of turns, if nothing in them does before: how many, and what they count.

use clc_ir::{
    Block, BlockCall, Cfg, Dominators, Function, InstKind, LoopControl, Terminator, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::copies;
use crate::fold::Folder;

/// Turns of loops that drivers write out.
pub(crate) const WRITTEN_OUT: u64 = 64;

/// More turns are not counted.
const MAX_TURNS: u64 = 160;

/// Operations between a value and the counted variables that it is computed from.
pub(crate) const MAX_STEPS: usize = 6;

/// A loop whose head tests whether there is another turn.
pub(crate) struct Loop {
    pub header: Block,
    /// In reverse post-order, the header first.
    pub blocks: Vec<Block>,
    members: FxHashSet<Block>,
    /// Whether blocks behind the head may leave it, too.
    pub leaves_early: bool,
    /// Where the head goes for another turn.
    pub inside: BlockCall,
    /// Where it goes after the last one.
    pub outside: BlockCall,
    pub condition: Value,
    /// What the condition says for another turn.
    pub goes_on: bool,
    /// What the header's parameters are in the first turn, where that is known; nothing where control comes from several
    /// blocks and the loop is not one of [`loops_from_anywhere`].
    pub entry: Vec<Option<Value>>,
    /// What they are in the next turn; nothing where control comes back from several blocks.
    pub next: Vec<Value>,
}

impl Loop {
    pub fn size(&self, function: &Function) -> u64 {
        self.blocks.iter().map(|&block| function.blocks[block].insts.len() as u64 + 1).sum()
    }

    /// Whether turns have variables, of which there is one for all of them.
    pub fn has_variables(&self, function: &Function) -> bool {
        let mut insts = self.blocks.iter().flat_map(|&block| &function.blocks[block].insts);
        insts.any(|&inst| matches!(function.insts[inst].kind, InstKind::Variable { .. }))
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
            let is_const = entry.is_some_and(Value::is_const);
            counters.contains(param) && is_const && is_own(*param, *next)
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

/// The same, with what they begin with where control comes from several blocks that agree. For shaders: that it is better
/// where compilers make vectors of work-items is not known.
pub(crate) fn loops_from_anywhere(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
) -> Vec<Loop> {
    let mut loops = loops(function, cfg, dominators);
    for found in &mut loops {
        let from = cfg.predecessors(found.header).filter(|from| !found.members.contains(from));
        let mut calls = from.flat_map(|from| calls(function, from, found.header));
        let first = calls.next().map(|call| function.values_of(call.arguments).map(Some).collect());
        let mut entry: Vec<Option<Value>> = first.unwrap_or_default();
        for call in calls {
            for (entry, value) in entry.iter_mut().zip(function.values_of(call.arguments)) {
                *entry = entry.filter(|&entry| entry == value);
            }
        }
        found.entry = entry;
    }
    loops
}

/// How a block goes to another.
fn calls(function: &Function, from: Block, to: Block) -> impl Iterator<Item = BlockCall> + '_ {
    function.blocks[from].terminator.targets().filter(move |call| call.block == to)
}

/// The blocks of the loop that begins with a block, in reverse post-order, the header first; nothing where none begins.
pub(crate) fn blocks(cfg: &Cfg, dominators: &Dominators, header: Block) -> Option<Vec<Block>> {
    let mut left: Vec<Block> = dominators.latches(cfg, header).collect();
    if left.is_empty() {
        return None;
    }
    let mut members = FxHashSet::default();
    members.insert(header);
    while let Some(block) = left.pop() {
        if members.insert(block) {
            left.extend(cfg.predecessors(block));
        }
    }
    let mut blocks: Vec<Block> = members.into_iter().collect();
    blocks.sort_unstable_by_key(|&block| cfg.position(block));
    Some(blocks)
}

/// The loop of a header, if it is one.
pub(crate) fn loop_at(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    header: Block,
) -> Option<Loop> {
    if let Some(hint) = function.loop_hints.get(&header)
        && hint.control == LoopControl::DontUnroll
    {
        return None;
    }
    let blocks = blocks(cfg, dominators, header)?;
    let members: FxHashSet<Block> = blocks.iter().copied().collect();
    let is_inside = |block: Block| members.contains(&block);
    let stays = |block: Block| {
        let mut targets = function.blocks[block].terminator.targets().map(|target| target.block);
        targets.next().is_some_and(|first| is_inside(first) && targets.all(is_inside))
    };
    let leaves_early = !blocks[1..].iter().all(|&block| stays(block));
    let Terminator::Branch { condition, then, otherwise } = function.blocks[header].terminator
    else {
        return None;
    };
    let goes_on = is_inside(then.block);
    let (inside, outside) = if goes_on { (then, otherwise) } else { (otherwise, then) };
    if is_inside(outside.block) || !is_inside(inside.block) {
        return None;
    }
    let only = |is_back: bool| {
        let from = cfg.predecessors(header).filter(|&from| is_inside(from) == is_back);
        let mut calls = from.flat_map(|from| calls(function, from, header));
        let only = calls.next().filter(|_| calls.next().is_none())?;
        Some(function.values_of(only.arguments))
    };
    let entry = only(false).into_iter().flatten().map(Some).collect();
    let next = only(true).into_iter().flatten().collect();
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

    pub fn contains(&self, value: Value) -> bool {
        self.0.contains(&value)
    }

    pub fn are_enough_for(&self, function: &Function, value: Value) -> bool {
        let mut left = vec![(value, MAX_STEPS)];
        while let Some((value, steps)) = left.pop() {
            if value.is_const() || self.contains(value) {
                continue;
            }
            match function.def_inst(value) {
                Some((inst, _)) if steps > 0 && copies::is_known_by_operands(function, inst) => {
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
    let evaluated = |folder: &mut Folder<'_>, values: &[Option<Value>], known: &Known| -> Known {
        let mut all = known.clone();
        for (&param, &value) in params.iter().zip(values) {
            match value.and_then(|value| evaluate(folder, function, value, known, MAX_STEPS)) {
                Some(constant) => drop(all.insert(param, constant)),
                None => drop(all.remove(&param)),
            }
        }
        all
    };
    let next: Vec<Option<Value>> = found.next.iter().copied().map(Some).collect();
    let mut now = evaluated(folder, &found.entry, known);
    for _ in 0..=MAX_TURNS {
        let test = evaluate(folder, function, found.condition, &now, MAX_STEPS)?;
        if (folder.scalar_bits(test)? != 0) != found.goes_on {
            return Some(now);
        }
        visit(&now);
        now = evaluated(folder, &next, &now);
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

/// The largest numbers, without signs, that the variables of a loop's header are, behind the last turn too, where all are
/// known.
pub(crate) fn largest(
    folder: &mut Folder<'_>,
    function: &Function,
    found: &Loop,
) -> FxHashMap<Value, u64> {
    let mut all = Vec::new();
    let end =
        visit_turns(folder, function, found, &Known::default(), |known| all.push(known.clone()));
    let mut largest = FxHashMap::default();
    let Some(end) = end else { return largest };
    for &param in &function.blocks[found.header].params {
        let mut numbers =
            all.iter().chain([&end]).map(|known| folder.scalar_bits(*known.get(&param)?));
        let most = numbers.try_fold(0, |most: u64, number| Some(most.max(number?)));
        largest.extend(most.map(|most| (param, most)));
    }
    largest
}

/// A value that decides how often a loop turns and that is one of two constants, with what is known if it is either.
pub(crate) fn choice(function: &Function, found: &Loop) -> Option<(Value, [Known; 2])> {
    let params = &function.blocks[found.header].params;
    let mut choice = None;
    let mut left = vec![(found.condition, MAX_STEPS)];
    while let Some((value, steps)) = left.pop() {
        if value.is_const() || params.contains(&value) || choice.is_some_and(|(of, _)| of == value)
        {
            continue;
        }
        let (inst, data) = function.def_inst(value).filter(|_| steps > 0)?;
        match data.kind {
            InstKind::Select { then, otherwise, .. } => {
                if choice.is_some() || !then.is_const() || !otherwise.is_const() {
                    return None;
                }
                choice = Some((value, [then, otherwise]));
            }
            InstKind::Binary { .. } | InstKind::Compare { .. } | InstKind::Convert { .. } => {
                function.each_operand(inst, |operand| left.push((operand, steps - 1)));
            }
            _ => return None,
        }
    }
    choice.map(|(of, constants)| (of, constants.map(|constant| Known::from_iter([(of, constant)]))))
}

/// The constant that a value is where others are as `known`.
pub(crate) fn evaluate(
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
