//! Instructions that passes repeat elsewhere, and whole bodies.

use clc_ir::debug::{FunctionDebug, Holds, InMemory, Position};
use clc_ir::{BinaryOp, Block, BlockCall, Cfg, Function, Inst, InstKind, LoopHint, Value};
use rustc_hash::FxHashMap;

/// Whether an instruction does nothing but compute its result of its operands.
pub fn is_computation(kind: &InstKind) -> bool {
    match kind {
        InstKind::Binary { .. }
        | InstKind::Unary { .. }
        | InstKind::Compare { .. }
        | InstKind::Select { .. }
        | InstKind::Convert { .. }
        | InstKind::PtrAdd { .. }
        | InstKind::Access { .. }
        | InstKind::Extract { .. }
        | InstKind::Insert { .. }
        | InstKind::ExtractDynamic { .. }
        | InstKind::InsertDynamic { .. }
        | InstKind::Shuffle { .. }
        | InstKind::Construct { .. } => true,
        InstKind::Intrinsic { intrinsic, .. } => intrinsic.effects().is_pure(),
        _ => false,
    }
}

/// Whether an instruction only computes, and may do so in vain: a processor may stop where a number is divided by zero.
pub(crate) fn can_be_in_vain(kind: &InstKind) -> bool {
    match kind {
        InstKind::Binary { op, .. } => {
            !matches!(op, BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem)
        }
        kind => is_computation(kind),
    }
}

/// Whether what an instruction computes is a constant once its operands are. One of constants alone would have been folded: it
/// asks for the number of a work-item.
pub fn is_known_by_operands(function: &Function, inst: Inst) -> bool {
    let mut are_constants = true;
    function.each_operand(inst, |operand| are_constants = are_constants && operand.is_const());
    is_computation(&function.insts[inst].kind) && !are_constants
}

/// Copies an instruction, as `kind`, to the end of a block, with operands by `map`, which learns the result.
pub fn append(
    function: &mut Function,
    inst: Inst,
    to: Block,
    map: &mut FxHashMap<Value, Value>,
    kind: InstKind,
) {
    let data = function.insts[inst];
    let kind = function.with_own_lists(kind);
    let ty = data.result.map(|value| function.values[value.as_local().unwrap_or_default()].ty);
    let new = function.append(to, kind, ty, data.math, data.location);
    function.map_operands(new, |value| *map.get(&value).unwrap_or(&value));
    if let (Some(old), Some(value)) = (data.result, function.insts[new].result) {
        map.insert(old, value);
    }
}

/// Copies all blocks: the copy of the entry, and the variables, which both bodies are to have and which are taken out of
/// the entry.
fn whole_body(function: &mut Function, cfg: &Cfg) -> (Block, Vec<Inst>) {
    let entry = function.entry();
    let insts = std::mem::take(&mut function.blocks[entry].insts);
    let is_variable = |inst: &Inst| matches!(function.insts[*inst].kind, InstKind::Variable { .. });
    let (variables, rest): (Vec<Inst>, Vec<Inst>) = insts.into_iter().partition(is_variable);
    function.blocks[entry].insts = rest;

    let mut values = FxHashMap::default();
    let mut blocks = FxHashMap::default();
    let mut insts = FxHashMap::default();
    // In an order in which definitions come before their uses.
    let order = cfg.reverse_post_order();
    for &block in order {
        let new = function.add_block();
        function.blocks[new].location = function.blocks[block].location;
        for param in function.blocks[block].params.clone() {
            let ty = function.values[param.as_local().unwrap_or_default()].ty;
            let copy = function.add_block_param(new, ty);
            values.insert(param, copy);
        }
        blocks.insert(block, new);
    }
    for &block in order {
        let new = blocks[&block];
        for inst in function.blocks[block].insts.clone() {
            append(function, inst, new, &mut values, function.insts[inst].kind);
            let copy = function.blocks[new].insts.last().copied();
            insts.extend(copy.map(|copy| (inst, copy)));
        }
    }
    for &block in order {
        let mut terminator = function.blocks[block].terminator.clone();
        for target in terminator.targets_mut() {
            let arguments: Vec<Value> = function.values_of(target.arguments).collect();
            target.arguments = function.list(&arguments);
            target.block = blocks[&target.block];
        }
        let new = blocks[&block];
        function.blocks[new].terminator = terminator;
        function.map_terminator_operands(new, |value| *values.get(&value).unwrap_or(&value));
    }
    let hints: Vec<(Block, LoopHint)> = (function.loop_hints.iter())
        .filter_map(|(head, hint)| {
            let [&head, &merge, &continue_target] =
                [blocks.get(head)?, blocks.get(&hint.merge)?, blocks.get(&hint.continue_target)?];
            Some((head, LoopHint { merge, continue_target, ..*hint }))
        })
        .collect();
    function.loop_hints.extend(hints);
    if let Some(debug) = &mut function.debug {
        copy_debug(debug, &values, &blocks, &insts);
    }
    (blocks[&entry], variables)
}

/// Writes a body twice: the blocks as they are, and a copy. Returns a new entry, which has the variables of both and is to
/// decide between them, and how it jumps to the old entry and to its copy.
pub fn twice(function: &mut Function, cfg: &Cfg) -> (Block, BlockCall, BlockCall) {
    let old = function.entry();
    let (copy, variables) = whole_body(function, cfg);
    let entry = function.add_block();
    // The function's parameters are the entry's.
    let mut params = function.blocks[old].params.clone();
    for param in &mut params {
        let ty = function.values[param.as_local().unwrap_or_default()].ty;
        *param = function.add_block_param(entry, ty);
    }
    function.layout.rotate_right(1);
    if let Some(debug) = &mut function.debug {
        for held in &mut debug.values {
            if held.at.before.is_some_and(|inst| variables.contains(&inst)) {
                held.at.block = entry;
            }
        }
    }
    function.blocks[entry].insts = variables;
    let [old, copy] =
        [old, copy].map(|block| BlockCall { block, arguments: function.list(&params) });
    (entry, old, copy)
}

/// Variables of the source hold in the copies what they hold in what is copied.
fn copy_debug(
    debug: &mut FunctionDebug,
    values: &FxHashMap<Value, Value>,
    blocks: &FxHashMap<Block, Block>,
    insts: &FxHashMap<Inst, Inst>,
) {
    let held = debug.values.iter().filter_map(|held| {
        let before = match held.at.before {
            Some(inst) => Some(*insts.get(&inst)?),
            None => None,
        };
        let at = Position { block: *blocks.get(&held.at.block)?, before };
        let value = held.value.map(|value| *values.get(&value).unwrap_or(&value));
        Some(Holds { value, at, ..*held })
    });
    let held: Vec<Holds> = held.collect();
    debug.values.extend(held);
    let memory = debug
        .memory
        .iter()
        .filter_map(|entry| Some(InMemory { address: *values.get(&entry.address)?, ..*entry }));
    let memory: Vec<InMemory> = memory.collect();
    debug.memory.extend(memory);
}
