//! Arrays of few elements that loops count through, which drivers that make vectors of work-items need no help with.
//!
//! ```text
//! for (z = 0; z < 3; z++)
//!     for (y = 0; y < 3; y++)
//!         sum += w[z] * w[y] * in[z * plane + y * row];
//! ```
//!
//! They write out the innermost of these loops themselves, because it turns seldom, and find the elements then. All loops
//! written out are many loads of a turn that the driver keeps in registers at once instead, and a long time of building.

use clc_ir::{Cfg, Dominators, Function, InstKind, TypeKind, TypePool, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::elements;
use crate::context::ModuleContext;
use crate::counted::{self, Known};
use crate::fold::Folder;

/// Elements of an array; a vector is one.
const MAX_ELEMENTS: u64 = 4;

/// Whether some arrays are all like that. Drivers do not see through other indices than what loops with a known number of
/// turns count, structures, elements of less than 32 bits, and barriers, over which what a work-item has is in memory while others run.
pub(super) fn are_counted_through(
    context: &mut ModuleContext<'_>,
    function: &Function,
    arrays: &FxHashSet<Value>,
) -> bool {
    if !arrays.iter().all(|&array| has_few(context.types, function, array)) {
        return false;
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let mut counters: FxHashSet<Value> = FxHashSet::default();
    for found in counted::loops(function, &cfg, &dominators) {
        let mut turns = || counted::turns(&mut folder, function, &found, &Known::default());
        if !found.leaves_early && turns().is_some() {
            counters.extend(found.counters(function));
        }
    }
    let mut barriers = 0;
    let mut barriers_before: FxHashMap<Value, u32> = FxHashMap::default();
    clc_ir::reverse_post_order(function)
        .iter()
        .flat_map(|&block| &function.blocks[block].insts)
        .all(|&inst| match function.insts[inst].kind {
            InstKind::Access { base, indices } if arrays.contains(&base) => {
                *barriers_before.entry(base).or_insert(barriers) == barriers
                    && function
                        .values_of(indices)
                        .all(|index| is_counted(function, index, &counters, counted::MAX_STEPS))
            }
            InstKind::Barrier { .. } => {
                barriers += 1;
                true
            }
            _ => true,
        })
}

fn has_few(types: &TypePool, function: &Function, array: Value) -> bool {
    let Some((_, data)) = function.def_inst(array) else { return false };
    let InstKind::Variable { ty, .. } = data.kind else { return false };
    elements(types, ty).is_some_and(|(element, count)| {
        // Bytes that loops find places by are gathered, too.
        let is_narrow = types.size(element) < 4;
        let is_struct = matches!(types.kind(element), TypeKind::Struct(_));
        count <= MAX_ELEMENTS && !is_struct && !is_narrow
    })
}

/// Whether a value is computed from constants and what loops count.
fn is_counted(
    function: &Function,
    value: Value,
    counters: &FxHashSet<Value>,
    steps: usize,
) -> bool {
    if value.is_const() || counters.contains(&value) {
        return true;
    }
    let Some((inst, data)) = function.def_inst(value).filter(|_| steps > 0) else { return false };
    if !matches!(data.kind, InstKind::Binary { .. } | InstKind::Convert { .. }) {
        return false;
    }
    let mut all = true;
    function.each_operand(inst, |operand| {
        all &= is_counted(function, operand, counters, steps - 1);
    });
    all
}
