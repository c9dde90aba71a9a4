//! Writes out loops that index private arrays, where that makes values of the arrays' elements and drivers would not
//! find out: loops in loops whose bounds count in the outer one, as those over a half of a matrix.
//!
//! ```text
//! for (r = 0; r < 3; r++)                 x[1] -= a[1][0] * x[0];
//!     for (k = 0; k < r; k++)       ->    x[2] -= a[2][0] * x[0];
//!         x[r] -= a[r][k] * x[k];         x[2] -= a[2][1] * x[1];
//! ```
//!
//! Other loops with a known number of turns are left to drivers, by [`unroll_hints`](crate::unroll_hints). An array
//! that something else indexes, too, stays in memory whatever is written out, so that nothing is then.

use clc_ir::{Cfg, Dominators, Function, InstKind, TypeKind, TypePool, Value};
use rustc_hash::FxHashSet;

use crate::context::ModuleContext;
use crate::counted::{self, Known, Loop};
use crate::fold::Folder;
use crate::simplify;
use crate::simplify_cfg::{self, remove_unreachable};

/// Instructions that all loops of a function may become.
const MAX_SIZE: u64 = 4096;

/// Elements of an array that may become values.
const MAX_ELEMENTS: u64 = 128;

/// Loops in loops in loops.
const MAX_DEPTH: usize = 6;

/// Writes out the loops of a function that has such arrays.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if !function.blocks[function.entry()].insts.iter().any(|&inst| {
        matches!(function.insts[inst].kind, InstKind::Variable { ty, .. }
            if elements(context.types, ty).is_some())
    }) {
        return;
    }
    remove_unreachable(function);
    let arrays = arrays_of_nests(context, function);
    if arrays.is_empty() {
        return;
    }
    let original = function.clone();
    let mut left = MAX_SIZE;
    for _ in 0..MAX_DEPTH {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
        let mut chosen: Vec<(Loop, u64)> = Vec::new();
        let mut taken = FxHashSet::default();
        for found in counted::loops(function, &cfg, &dominators) {
            if taken.contains(&found.header)
                || !indexes(function, &found, &arrays)
                || has_variables(function, &found)
            {
                continue;
            }
            let turns = counted::turns(&mut folder, function, &found, &Known::default());
            let Some((turns, _)) = turns else { continue };
            let grown = found.size(function).saturating_mul(turns);
            if let Some(rest) = left.checked_sub(grown) {
                left = rest;
                taken.extend(found.blocks.iter().copied());
                chosen.push((found, turns));
            }
        }
        if chosen.is_empty() {
            break;
        }
        for (found, turns) in &chosen {
            counted::unroll(function, found, *turns);
        }
        // The counted variables become the constants that they are.
        simplify_cfg::run(context, function);
        simplify::run(context, function);
    }
    let blocks = &function.layout;
    let mut rest = blocks.iter().flat_map(|&block| &function.blocks[block].insts);
    if rest.any(|&inst| indexed(function, inst).is_some_and(|array| arrays.contains(&array))) {
        *function = original;
    }
}

/// The number of elements of an array of arrays, if it may become values.
fn elements(types: &TypePool, ty: clc_ir::Type) -> Option<u64> {
    let TypeKind::Array(mut element, mut count) = types.kind(ty) else { return None };
    while let TypeKind::Array(inner, inner_count) = types.kind(element) {
        count = count.saturating_mul(inner_count);
        element = inner;
    }
    (count <= MAX_ELEMENTS).then_some(count)
}

/// The private variable that an instruction indexes by what is no constant.
fn indexed(function: &Function, inst: clc_ir::Inst) -> Option<Value> {
    let InstKind::Access { base, indices } = function.insts[inst].kind else { return None };
    let (_, variable) = function.def_inst(base)?;
    let is_dynamic = function.values_of(indices).any(|index| !index.is_const());
    (is_dynamic && matches!(variable.kind, InstKind::Variable { .. })).then_some(base)
}

fn indexes(function: &Function, found: &Loop, arrays: &FxHashSet<Value>) -> bool {
    let mut insts = found.blocks.iter().flat_map(|&block| &function.blocks[block].insts);
    insts.any(|&inst| indexed(function, inst).is_some_and(|array| arrays.contains(&array)))
}

fn has_variables(function: &Function, found: &Loop) -> bool {
    let mut insts = found.blocks.iter().flat_map(|&block| &function.blocks[block].insts);
    insts.any(|&inst| matches!(function.insts[inst].kind, InstKind::Variable { .. }))
}

/// The arrays that loops index which turn a known number of times only where it is known which turn of a loop around
/// them it is.
fn arrays_of_nests(context: &mut ModuleContext<'_>, function: &Function) -> FxHashSet<Value> {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let loops = counted::loops(function, &cfg, &dominators);
    let mut arrays = FxHashSet::default();
    for (index, around) in loops.iter().enumerate() {
        let known = Known::default();
        let Some((_, turns)) = counted::turns(&mut folder, function, around, &known) else {
            continue;
        };
        let last = around.blocks.last().and_then(|&block| cfg.position(block));
        let behind = loops[index + 1..].iter();
        for inner in behind.take_while(|inner| cfg.position(inner.header) <= last) {
            if !around.contains(inner.header)
                || counted::turns(&mut folder, function, inner, &known).is_some()
                || turns
                    .iter()
                    .any(|known| counted::turns(&mut folder, function, inner, known).is_none())
            {
                continue;
            }
            for &inst in inner.blocks.iter().flat_map(|&block| &function.blocks[block].insts) {
                let InstKind::Access { base, .. } = function.insts[inst].kind else { continue };
                let Some((_, variable)) = function.def_inst(base) else { continue };
                if let InstKind::Variable { ty, .. } = variable.kind
                    && elements(folder.types, ty).is_some()
                {
                    arrays.extend(indexed(function, inst));
                }
            }
        }
    }
    arrays
}
