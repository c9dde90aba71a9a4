//! Values that do not reach all their uses any more go through variables: a jump out of a loop
//! may have come from the block of the value alone, and the loop's exit takes all such jumps; the
//! same holds of the dispatch in front of a cycle with several entries.

use clc_ir::{Block, Cfg, Dominators, Value};
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
        let mut visit = |value: Value| {
            if let Some(index) = value.as_local()
                && let Some(home) = homes[index]
                && home != block
                && !dominators.dominates(home, block)
            {
                lost[index] = true;
            }
        };
        for &inst in &function.blocks[block].insts {
            function.each_operand(inst, &mut visit);
        }
        function.each_terminator_operand(block, &mut visit);
    }
    if !lost.contains(&true) {
        return;
    }
    let is_lost = |value: Value| {
        value.as_local().is_some_and(|index| lost.get(index).is_some_and(|&lost| lost))
    };
    for block in router.function.layout.clone() {
        let insts = std::mem::take(&mut router.function.blocks[block].insts);
        // Loads are made once a block.
        let mut loaded: FxHashMap<Value, Value> = FxHashMap::default();
        let mut uses = Vec::new();
        for param in router.function.blocks[block].params.clone() {
            if is_lost(param) {
                router.keep(block, param);
                loaded.insert(param, param);
            }
        }
        for inst in insts {
            uses.clear();
            router.function.each_operand(inst, |value| uses.push(value));
            for &value in uses.iter().filter(|&&value| is_lost(value)) {
                loaded.entry(value).or_insert_with(|| router.recall(block, value));
            }
            router.function.map_operands(inst, |value| *loaded.get(&value).unwrap_or(&value));
            router.function.blocks[block].insts.push(inst);
            if let Some(result) = router.function.insts[inst].result
                && is_lost(result)
            {
                router.keep(block, result);
                loaded.insert(result, result);
            }
        }
        uses.clear();
        router.function.each_terminator_operand(block, |value| uses.push(value));
        for &value in uses.iter().filter(|&&value| is_lost(value)) {
            loaded.entry(value).or_insert_with(|| router.recall(block, value));
        }
        router
            .function
            .map_terminator_operands(block, |value| *loaded.get(&value).unwrap_or(&value));
    }
}
