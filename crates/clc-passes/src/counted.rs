//! Loops whose head ends them after a known number of turns, if nothing in them does before: how many, and all turns
//! written one after the other.

use clc_base::Id as _;
use clc_ir::debug::Location;
use clc_ir::{
    Align, Block, BlockCall, Cfg, Dominators, Function, Inst, InstKind, LoopControl, MathFlags,
    MemoryAccess, StorageClass, Terminator, Type, TypePool, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::copies;
use crate::fold::Folder;

/// More turns are not counted.
const MAX_TURNS: u64 = 160;

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

/// What values are known to be in some turn.
pub(crate) type Known = FxHashMap<Value, Value>;

/// How often a loop turns at most, and if it does not leave early, where values are as `known`, and what the variables of its header are in the first turn
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

/// Writes all turns of a loop one after the other, where [`can_unroll`] allows it.
pub(crate) fn unroll(types: &mut TypePool, function: &mut Function, found: &Loop, turns: u64) {
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
