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
    // What lost pointers are computed from, as it is before their own blocks read it from variables.
    let mut operands: FxHashMap<Inst, Vec<Value>> = FxHashMap::default();
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
                    let of_pointer = operands.entry(inst).or_insert_with(|| {
                        let mut operands = Vec::new();
                        function.each_operand(inst, |value| operands.push(value));
                        operands
                    });
                    used.extend_from_slice(of_pointer);
                }
            }
        }
    }
    if !lost.contains(&true) {
        return;
    }
    let lost = Lost { values: lost, operands };
    for block in router.function.layout.clone() {
        let insts = std::mem::take(&mut router.function.blocks[block].insts);
        // Values are made available once a block.
        let mut found: FxHashMap<Value, Value> = FxHashMap::default();
        let mut uses = Vec::new();
        for param in router.function.blocks[block].params.clone() {
            if lost.has(param) {
                router.keep(block, param);
                found.insert(param, param);
            }
        }
        for inst in insts {
            uses.clear();
            router.function.each_operand(inst, |value| uses.push(value));
            for &value in uses.iter().filter(|&&value| lost.has(value)) {
                lost.find(router, block, value, &mut found);
            }
            router.function.map_operands(inst, |value| *found.get(&value).unwrap_or(&value));
            router.function.blocks[block].insts.push(inst);
            if let Some(result) = router.function.insts[inst].result
                && lost.has(result)
            {
                if pointer_of(router.function, result).is_none() {
                    router.keep(block, result);
                }
                found.insert(result, result);
            }
        }
        uses.clear();
        router.function.each_terminator_operand(block, |value| uses.push(value));
        for &value in uses.iter().filter(|&&value| lost.has(value)) {
            lost.find(router, block, value, &mut found);
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

/// Values that do not reach all their uses.
struct Lost {
    /// By value.
    values: Vec<bool>,
    /// What pointers among them are computed from.
    operands: FxHashMap<Inst, Vec<Value>>,
}

impl Lost {
    fn has(&self, value: Value) -> bool {
        value.as_local().is_some_and(|index| self.values.get(index).is_some_and(|&lost| lost))
    }

    /// Makes a lost value available at the end of `block`.
    fn find(
        &self,
        router: &mut Router<'_>,
        block: Block,
        value: Value,
        found: &mut FxHashMap<Value, Value>,
    ) {
        if found.contains_key(&value) {
            return;
        }
        let here = match pointer_of(router.function, value) {
            None => router.recall(block, value),
            Some(inst) => {
                let operands = self.operands.get(&inst).map_or(&[][..], Vec::as_slice);
                for &operand in operands.iter().filter(|&&operand| self.has(operand)) {
                    self.find(router, block, operand, found);
                }
                let mut operands = operands.iter();
                router.again(block, inst, |now| {
                    let operand = operands.next().copied().unwrap_or(now);
                    *found.get(&operand).unwrap_or(&operand)
                })
            }
        };
        found.insert(value, here);
    }
}
