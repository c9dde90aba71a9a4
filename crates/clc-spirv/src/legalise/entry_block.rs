//! The first block of a function is never the destination of a branch (SPIR-V 2.16.1): where one
//! goes there, its code moves to a block of its own, and only the variables stay.

use clc_ir::{BlockCall, Function, InstKind, Terminator};

pub(super) fn protect(function: &mut Function) {
    let entry = function.entry();
    let is_target = function
        .layout
        .iter()
        .any(|&block| function.blocks[block].terminator.targets().any(|to| to.block == entry));
    if !is_target {
        return;
    }
    let body = function.add_block();
    let params = function.blocks[entry].params.clone();
    for &param in &params {
        let ty = function.values[param.as_local().unwrap_or_default()].ty;
        function.add_block_param(body, ty);
    }
    let moved = function.blocks[body].params.clone();
    function.map_all_operands(|value| match params.iter().position(|&param| param == value) {
        Some(index) => moved[index],
        None => value,
    });
    let insts = std::mem::take(&mut function.blocks[entry].insts);
    let (variables, rest) = insts
        .into_iter()
        .partition(|&inst| matches!(function.insts[inst].kind, InstKind::Variable { .. }));
    function.blocks[entry].insts = variables;
    function.blocks[body].insts = rest;
    function.blocks[body].terminator = std::mem::take(&mut function.blocks[entry].terminator);
    function.blocks[body].span = function.blocks[entry].span;
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        for target in function.blocks[block].terminator.targets_mut() {
            if target.block == entry {
                target.block = body;
            }
        }
    }
    let arguments = function.list(&params);
    function.blocks[entry].terminator = Terminator::Jump(BlockCall { block: body, arguments });
    if let Some(hint) = function.loop_hints.remove(&entry) {
        function.loop_hints.insert(body, hint);
    }
}
