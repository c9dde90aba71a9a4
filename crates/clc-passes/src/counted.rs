//! Loops with one way out, at their head, that turn a known number of times: how often, and all turns written one
//! after the other.

use clc_base::Id as _;
use clc_ir::{
    Block, BlockCall, Cfg, Dominators, Function, InstKind, LoopControl, Terminator, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::copies;
use crate::fold::Folder;

/// More turns are not counted.
const MAX_TURNS: u64 = 64;

/// Operations between a value and the counted variables that it is computed from.
const MAX_STEPS: usize = 6;

/// A loop whose head is the only block that it is left from.
pub(crate) struct Loop {
    pub header: Block,
    /// In reverse post-order, the header first.
    pub blocks: Vec<Block>,
    members: FxHashSet<Block>,
    /// Where the head goes for another turn.
    inside: BlockCall,
    /// Where it goes after the last one.
    outside: BlockCall,
    condition: Value,
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
    if !blocks[1..].iter().all(|&block| stays(block)) {
        return None;
    }
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
    Some(Loop { header, blocks, members, inside, outside, condition, goes_on, entry, next })
}

/// What values are known to be in some turn.
pub(crate) type Known = FxHashMap<Value, Value>;

/// How often a loop turns, where values are as `known`, and what the variables of its header are in the first turn
/// and in the last.
pub(crate) fn turns(
    folder: &mut Folder<'_>,
    function: &Function,
    found: &Loop,
    known: &Known,
) -> Option<(u64, [Known; 2])> {
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
    let first = evaluated(folder, &found.entry, known);
    let (mut now, mut last) = (first.clone(), first.clone());
    for turn in 0..=MAX_TURNS {
        let test = evaluate(folder, function, found.condition, &now, MAX_STEPS)?;
        if (folder.scalar_bits(test)? != 0) != found.goes_on {
            return Some((turn, [first, last]));
        }
        let next = evaluated(folder, &found.next, &now);
        last = std::mem::replace(&mut now, next);
    }
    None
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

/// Writes all turns of a loop one after the other.
pub(crate) fn unroll(function: &mut Function, found: &Loop, turns: u64) {
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
    for turn in 0..turns {
        // Where the edges back go: the head of the next turn.
        let next = function.add_block();
        let next_params: Vec<Value> = params
            .iter()
            .map(|param| {
                let ty = function.values[param.as_local().unwrap_or_default()].ty;
                function.add_block_param(next, ty)
            })
            .collect();
        for (&block, original) in found.blocks.iter().zip(&originals) {
            let here = blocks[&block];
            let mut terminator = match block == header {
                true => Terminator::Jump(found.inside),
                false => original.clone(),
            };
            for target in terminator.targets_mut() {
                let arguments: Vec<Value> = function.values_of(target.arguments).collect();
                target.arguments = function.list(&arguments);
                target.block = match target.block == header {
                    true => next,
                    false => blocks[&target.block],
                };
            }
            function.blocks[here].terminator = terminator;
            function.map_terminator_operands(here, |value| *map.get(&value).unwrap_or(&value));
        }
        // Values of one turn are none of the next.
        map.clear();
        map.extend(params.iter().copied().zip(next_params));
        blocks.insert(header, next);
        new.push(next);
        if turn + 1 == turns {
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
