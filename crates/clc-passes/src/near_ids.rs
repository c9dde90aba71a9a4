//! The numbers of a work-item are asked for where they are used, in kernels with barriers.
//!
//! Compilers of processors run what is between two barriers for one work-item after the other, or for several side by side,
//! and keep in memory what is computed before a barrier and used behind it. A number that comes from memory is one
//! that could be anything: they do not see that neighbours use neighbours any more.

use clc_ir::{Block, ConvertOp, Function, Inst, InstKind, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::{copies, wide_indices};

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

/// One of a dimension that is known.
fn is_number(function: &Function, inst: Inst) -> bool {
    let mut is_known = true;
    function.each_operand(inst, |dimension| is_known &= dimension.is_const());
    is_known && wide_indices::is_number(&function.insts[inst].kind)
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
    let mut note = |operand: Value| {
        if function.def_inst(operand).is_some_and(|(inst, _)| numbers.contains(&inst)) {
            used.insert(operand);
        }
    };
    for &inst in &function.blocks[block].insts {
        function.each_operand(inst, &mut note);
    }
    function.each_terminator_operand(block, &mut note);
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
    function.map_terminator_operands(block, new);
}
