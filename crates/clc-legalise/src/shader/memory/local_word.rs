//! What the pool of local memory is an array of.
//!
//! Variables in Vulkan have one type. Where an atomic may access the pool, its words are as wide as the widest of them.
//! Otherwise they are of 4 bytes or bytes, by what makes all accesses cost least: one of more than a word is several, and a
//! store of less takes two atomics, because other work-items may store beside it. Without a byte among the accesses the
//! device may have no integers of 8 bits. No word is two bytes: there are no atomics on these for accesses that are less
//! aligned.

use clc_base::arena::Id as _;
use clc_ir::{Cfg, Const, FuncId, InstKind, Module, StorageClass, Value};

use super::WORD;
use super::roots::{RootId, Roots, Shape};
use crate::atomic::Atomic;

/// How often what is in a loop is taken to run.
const TURNS: u64 = 8;

/// Instructions for a load of a part of a word, and for a store of one.
const LOAD_PART: u64 = 4;
const STORE_PART: u64 = 12;

/// Bytes of a word of the pool.
pub(super) fn bytes(module: &Module, roots: &Roots) -> u64 {
    let widths = [WORD, 1];
    let mut costs = [0u64; 2];
    let mut widest = None;
    let mut has_bytes = false;
    for (id, function) in module.functions.iter().filter(|(_, data)| !data.is_declaration()) {
        let mut in_loops = None;
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                let kind = &function.insts[inst].kind;
                let atomic = Atomic::of(kind).map(|(pointer, _)| pointer);
                let (pointer, is_store) = match *kind {
                    InstKind::Load { pointer, .. } => (pointer, false),
                    InstKind::Store { pointer, .. } => (pointer, true),
                    _ => match atomic {
                        Some(pointer) => (pointer, false),
                        None => continue,
                    },
                };
                let ty = module.value_type(function, pointer);
                let Some((object, class)) = module.types.pointer_parts(ty) else { continue };
                if !is_in_pool(module, roots, id, pointer, class) {
                    continue;
                }
                if atomic.is_some() {
                    widest = widest.max(Some(module.types.size(object)));
                    continue;
                }
                let in_loops = in_loops.get_or_insert_with(|| Cfg::new(function).blocks_in_loops());
                let often = if in_loops[block.index()] { TURNS } else { 1 };
                let scalar =
                    module.types.scalar_bits(object).map_or(WORD, |bits| u64::from(bits) / 8);
                has_bytes |= scalar == 1;
                let count = module.types.size(object).div_ceil(scalar.max(1));
                for (cost, width) in costs.iter_mut().zip(widths) {
                    let each = match scalar.div_ceil(width) {
                        1 if scalar == width => 1,
                        1 if is_store => STORE_PART,
                        1 => LOAD_PART,
                        // And they are put together.
                        words => 2 * words - 1,
                    };
                    *cost = cost.saturating_add(each.saturating_mul(count).saturating_mul(often));
                }
            }
        }
    }
    let [of_words, of_bytes] = costs;
    match widest {
        Some(widest) if widest > WORD => 2 * WORD,
        None if has_bytes && of_bytes < of_words => 1,
        _ => WORD,
    }
}

/// Whether a pointer may point into the pool.
fn is_in_pool(
    module: &Module,
    roots: &Roots,
    id: FuncId,
    pointer: Value,
    class: StorageClass,
) -> bool {
    let root = match pointer.as_const() {
        Some(_) => root_of_constant(module, roots, pointer),
        None => roots.functions[id.index()].origin(pointer),
    };
    match root.map(|root| &roots.roots[root as usize]) {
        Some(root) => root.class == StorageClass::Workgroup && root.shape == Shape::Bytes,
        None => matches!(class, StorageClass::Workgroup | StorageClass::Generic),
    }
}

/// The variable that a constant pointer points into.
fn root_of_constant(module: &Module, roots: &Roots, mut pointer: Value) -> Option<RootId> {
    loop {
        match module.consts.get(pointer.as_const()?) {
            Const::GlobalAddress(_, global) => return roots.of_global[global.index()],
            Const::Access { base, .. } => pointer = *base,
            Const::Cast { operand, .. } => pointer = *operand,
            _ => return None,
        }
    }
}
