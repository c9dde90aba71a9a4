//! Choices among the elements of arrays, where loops are written out and an index is left.

use clc_ir::{Block, Cfg, Dominators, Function, InstKind, TypeKind, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::choices::{self, Chosen};
use crate::context::ModuleContext;
use crate::counted;

/// Elements of an array among which is chosen.
const MAX_CHOICES: u64 = 16;

/// Choices for all that still indexes an array.
const MAX_CHOSEN: u64 = 64;

/// The same in a loop, for each access there of an element that is known, and in none, for each anywhere.
const MAX_CHOICES_FOR_KNOWN: u64 = 2;
const MAX_CHOICES_ONCE: u64 = 8;

/// Chooses among the elements of arrays that a few places still index. Returns the arrays that are indexed in more, or
/// otherwise used: they stay in memory.
pub(super) fn choose(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    arrays: &FxHashSet<Value>,
) -> FxHashSet<Value> {
    // By address: what is chosen, and the array that it is in.
    let mut addresses: FxHashMap<Value, Chosen> = FxHashMap::default();
    let mut within: FxHashMap<Value, Value> = arrays.iter().map(|&array| (array, array)).collect();
    let mut stay = FxHashSet::default();
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        let data = &function.insts[inst];
        let InstKind::Access { base, indices } = data.kind else { continue };
        let (Some(&array), Some(address)) = (within.get(&base), data.result) else { continue };
        within.insert(address, array);
        if function.values_of(indices).all(Value::is_const) {
            continue;
        }
        match choices(context, function, array).filter(|_| base == array && indices.len() == 1) {
            Some(count) => {
                addresses.insert(address, Chosen { array, indices, position: 0, count });
            }
            None => drop(stay.insert(array)),
        }
    }
    let around = innermost_loops(function);
    let mut chosen: FxHashMap<Value, u64> = FxHashMap::default();
    // In a loop: choices, and accesses of elements that are known. In none: choices there, and all these accesses.
    let mut in_loop: FxHashMap<(Value, Option<Block>), [u64; 2]> = FxHashMap::default();
    let mut count = |address: Value, is_accessed: bool, header: Option<Block>| {
        if let Some(&Chosen { array, count: here, .. }) = addresses.get(&address) {
            let count = chosen.entry(array).or_default();
            *count += here;
            if !is_accessed || *count > MAX_CHOSEN {
                stay.insert(array);
            }
            in_loop.entry((array, header)).or_default()[0] += here;
        } else if let Some(&array) = within.get(&address) {
            if is_accessed {
                for place in header.map(Some).into_iter().chain([None]) {
                    in_loop.entry((array, place)).or_default()[1] += 1;
                }
            } else {
                stay.insert(array);
            }
        }
    };
    for &block in &function.layout {
        let header = around.get(&block).copied();
        let mut count = |address, is_accessed| count(address, is_accessed, header);
        for &inst in &function.blocks[block].insts {
            match function.insts[inst].kind {
                InstKind::Load { pointer, access } => count(pointer, !access.flags.volatile),
                InstKind::Store { pointer, value, access } => {
                    count(pointer, !access.flags.volatile);
                    count(value, false);
                }
                InstKind::CopyMemory { destination, source, .. } => {
                    for whole in [destination, source] {
                        count(whole, !addresses.contains_key(&whole));
                    }
                }
                // What comes of it is looked at itself.
                InstKind::Access { .. } => {}
                _ => function.each_operand(inst, |value| count(value, false)),
            }
        }
        function.each_terminator_operand(block, |value| count(value, false));
    }
    // Memory is better where little else is done with an array than to index it, as in loops that count in bins.
    let is_worse = |&(&(_, header), &[choices, known]): &(&(Value, Option<Block>), &[u64; 2])| {
        let most = if header.is_some() { MAX_CHOICES_FOR_KNOWN } else { MAX_CHOICES_ONCE };
        choices > most * known
    };
    stay.extend(in_loop.iter().filter(is_worse).map(|(&(array, _), _)| array));
    if stay.is_empty() {
        choices::write(context, function, &addresses);
    }
    stay
}

/// By block: the head of the innermost loop that it is in.
fn innermost_loops(function: &Function) -> FxHashMap<Block, Block> {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut innermost = FxHashMap::default();
    // Those around come first.
    for &header in cfg.reverse_post_order() {
        let blocks = counted::blocks(&cfg, &dominators, header).unwrap_or_default();
        innermost.extend(blocks.into_iter().map(|block| (block, header)));
    }
    innermost
}

/// The number of elements of an array, if it is worth choosing among them.
fn choices(context: &ModuleContext<'_>, function: &Function, array: Value) -> Option<u64> {
    let (_, data) = function.def_inst(array)?;
    let InstKind::Variable { ty, .. } = data.kind else { return None };
    let TypeKind::Array(element, count) = context.types.kind(ty) else { return None };
    let is_scalar = matches!(context.types.kind(element), TypeKind::Int(_) | TypeKind::Float(_));
    (is_scalar && count <= MAX_CHOICES).then_some(count)
}
