//! Values that do not reach all their uses any more go through variables: a jump out of a loop
//! may have come from the block of the value alone, and the loop's exit takes all such jumps; the
//! same holds of the dispatch in front of a cycle with several entries.
//!
//! Pointers are computed again instead, for shaders have no variables that hold pointers (SPIR-V
//! 2.16.1).

use clc_ir::{Block, Cfg, ConvertOp, Dominators, Function, Inst, InstKind, Value, ValueDef};
use rustc_hash::FxHashMap;

use super::router::Router;

pub(super) fn run(router: &mut Router<'_>) {
    let cfg = Cfg::new(router.function);
    let dominators = Dominators::new(&cfg);
    let function = &mut *router.function;
    let mut homes: Vec<Option<Block>> = vec![None; function.values.len()];
    for &block in &function.layout {
        for &param in &function.blocks[block].params {
            homes[param.as_local().unwrap_or_default()] = Some(block);
        }
        for &inst in &function.blocks[block].insts {
            if let Some(result) = function.insts[inst].result {
                homes[result.as_local().unwrap_or_default()] = Some(block);
            }
        }
    }
    let mut lost = vec![false; function.values.len()];
    for &block in function.layout.iter().filter(|&&block| cfg.is_reachable(block)) {
        let mut used = Vec::new();
        for &inst in &function.blocks[block].insts {
            function.each_operand(inst, |value| used.push(value));
        }
        function.each_terminator_operand(block, |value| used.push(value));
        while let Some(value) = used.pop() {
            if let Some(index) = value.as_local()
                && let Some(home) = homes[index]
                && home != block
                && !dominators.dominates(home, block)
            {
                lost[index] = true;
                // What it is computed from is used here.
                if let Some(inst) = pointer_of(function, value) {
                    function.each_operand(inst, |value| used.push(value));
                }
            }
        }
    }
    if !lost.contains(&true) {
        return;
    }
    let is_lost = |value: Value| {
        value.as_local().is_some_and(|index| lost.get(index).is_some_and(|&lost| lost))
    };
    for block in router.function.layout.clone() {
        let insts = std::mem::take(&mut router.function.blocks[block].insts);
        // Values are made available once a block.
        let mut found: FxHashMap<Value, Value> = FxHashMap::default();
        let mut uses = Vec::new();
        for param in router.function.blocks[block].params.clone() {
            if is_lost(param) {
                router.keep(block, param);
                found.insert(param, param);
            }
        }
        for inst in insts {
            uses.clear();
            router.function.each_operand(inst, |value| uses.push(value));
            for &value in uses.iter().filter(|&&value| is_lost(value)) {
                find(router, block, value, &is_lost, &mut found);
            }
            router.function.map_operands(inst, |value| *found.get(&value).unwrap_or(&value));
            router.function.blocks[block].insts.push(inst);
            if let Some(result) = router.function.insts[inst].result
                && is_lost(result)
            {
                if pointer_of(router.function, result).is_none() {
                    router.keep(block, result);
                }
                found.insert(result, result);
            }
        }
        uses.clear();
        router.function.each_terminator_operand(block, |value| uses.push(value));
        for &value in uses.iter().filter(|&&value| is_lost(value)) {
            find(router, block, value, &is_lost, &mut found);
        }
        router
            .function
            .map_terminator_operands(block, |value| *found.get(&value).unwrap_or(&value));
    }
}

/// The instruction of a pointer, if it does nothing but compute it.
fn pointer_of(function: &Function, value: Value) -> Option<Inst> {
    let Some(ValueDef::Inst(inst)) = function.def(value) else { return None };
    match function.insts[inst].kind {
        InstKind::Access { .. } | InstKind::PtrAdd { .. } => Some(inst),
        InstKind::Convert { op: ConvertOp::IntToPtr, .. } => Some(inst),
        _ => None,
    }
}

/// Makes a lost value available at the end of `block`.
fn find(
    router: &mut Router<'_>,
    block: Block,
    value: Value,
    is_lost: &impl Fn(Value) -> bool,
    found: &mut FxHashMap<Value, Value>,
) {
    if found.contains_key(&value) {
        return;
    }
    let here = match pointer_of(router.function, value) {
        None => router.recall(block, value),
        Some(inst) => {
            let mut operands = Vec::new();
            router.function.each_operand(inst, |operand| operands.push(operand));
            for operand in operands.into_iter().filter(|&operand| is_lost(operand)) {
                find(router, block, operand, is_lost, found);
            }
            router.again(block, inst, |operand| *found.get(&operand).unwrap_or(&operand))
        }
    };
    found.insert(value, here);
}
