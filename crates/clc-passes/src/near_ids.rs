//! The numbers of a work-item are asked for where they are used, in kernels with barriers.
//!
//! Compilers of processors run what is between two barriers for one work-item after the other, or for several side by side,
//! and keep in memory what is computed before a barrier and used behind it. A number that comes from memory is one
//! that could be anything: they do not see that neighbours use neighbours any more.

use clc_builtins::Intrinsic;
use clc_ir::{Block, ConvertOp, Function, Inst, InstKind, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::copies;

/// Asks for numbers of work-items in each block that uses them.
pub fn run(_: &mut ModuleContext<'_>, function: &mut Function) {
    let has_barrier = function.layout.iter().any(|&block| {
        let insts = &function.blocks[block].insts;
        insts.iter().any(|&inst| matches!(function.insts[inst].kind, InstKind::Barrier { .. }))
    });
    if !has_barrier {
        return;
    }
    let home = function.entry();
    let numbers: Vec<Inst> = function.blocks[home]
        .insts
        .iter()
        .copied()
        .filter(|&inst| is_number(function, inst) || is_half(function, inst))
        .collect();
    if numbers.is_empty() {
        return;
    }
    for block in function.layout.clone() {
        if block != home {
            bring(function, &numbers, block);
        }
    }
}

fn is_number(function: &Function, inst: Inst) -> bool {
    matches!(
        function.insts[inst].kind,
        InstKind::Intrinsic {
            intrinsic: Intrinsic::GetGlobalId | Intrinsic::GetLocalId | Intrinsic::GetGroupId,
            arguments,
        } if arguments.len() == 1 && function.value_at(arguments, 0).as_const().is_some()
    )
}

fn is_half(function: &Function, inst: Inst) -> bool {
    let InstKind::Convert { op: ConvertOp::Truncate, operand, .. } = function.insts[inst].kind
    else {
        return false;
    };
    function.def_inst(operand).is_some_and(|(from, _)| is_number(function, from))
}

/// Puts copies of the numbers that a block uses at its beginning.
fn bring(function: &mut Function, numbers: &[Inst], block: Block) {
    let mut used: FxHashSet<Value> = FxHashSet::default();
    for &inst in &function.blocks[block].insts {
        function.each_operand(inst, |operand| {
            used.insert(operand);
        });
    }
    let terminator = &function.blocks[block].terminator;
    used.extend(terminator.operand());
    for target in terminator.targets() {
        used.extend(function.values_of(target.arguments));
    }
    let mut wanted = Vec::new();
    // Halves come behind what they are halves of.
    for &inst in numbers.iter().rev() {
        if function.insts[inst].result.is_some_and(|result| used.contains(&result)) {
            wanted.push(inst);
            function.each_operand(inst, |operand| {
                used.insert(operand);
            });
        }
    }
    if wanted.is_empty() {
        return;
    }
    let insts = std::mem::take(&mut function.blocks[block].insts);
    let mut here: FxHashMap<Value, Value> = FxHashMap::default();
    for inst in wanted.into_iter().rev() {
        let kind = function.insts[inst].kind;
        copies::append(function, inst, block, &mut here, kind);
    }
    let new = |value: Value| here.get(&value).copied().unwrap_or(value);
    for &inst in &insts {
        function.map_operands(inst, new);
    }
    function.blocks[block].insts.extend(insts);
    let mut terminator = std::mem::take(&mut function.blocks[block].terminator);
    if let Some(operand) = terminator.operand_mut() {
        *operand = new(*operand);
    }
    for target in terminator.targets_mut() {
        let arguments: Vec<Value> = function.values_of(target.arguments).map(new).collect();
        target.arguments = function.list(&arguments);
    }
    function.blocks[block].terminator = terminator;
}
