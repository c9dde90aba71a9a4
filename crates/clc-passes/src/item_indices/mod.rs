//! Indices as a multiple of the work-item's number and what its work-group has in common.
//!
//! Compilers of processors make vectors of work-items. What neighbours find side by side, or a few elements from each other, they
//! load at once where they see it, and one by one where they do not. They see it of sums and products of
//! `get_global_id(0)` in 64 bits; not behind a truncation that is extended by zeros (`uint i = get_global_id(0)`), and behind
//! any truncation not where elements are not next to each other (`int i`, `a[4 * i]`, `points[i].x`), nor from
//! `get_local_id(0)` there. In memory of the group it is the number in the group that they see.
//!
//! ```text
//! i = trunc get_global_id(0)
//! p = ptr_add base, zext(4 * i)        ->   p = ptr_add base, 4 * get_global_id(0)
//! p = ptr_add base, zext(i + y * n)    ->   p = ptr_add base, get_global_id(0) + zext(y * n)
//! ```
//!
//! That is the same as long as numbers of 32 bits do not wrap, which is taken for granted of indices where they differ from
//! work-item to work-item: a launch then has less than 2^31 work-items where an index is an `int`, and 2^32 where it is a
//! `uint`, and no element of more than as many is used. What is added to the number may be "negative", as in `a[i - 1]`:
//! it is where the last work-item's index would wrap. With `-fwrapv` the pass does not run. Arrays and memory of
//! a group are so small that nothing there is taken for granted.

mod finder;
mod places;
mod sum;

use clc_builtins::Intrinsic;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{Builder, Cfg, Function, Inst, InstKind, TypeKind, TypePool, Value};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;
use crate::wide_indices;
use finder::Finder;
use places::Place;
pub(crate) use places::each_index;
use sum::Sum;

/// Rewrites the indices of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if has_no_vectors(function) {
        return;
    }
    let Some(from_numbers) = from_numbers(context.types, function) else { return };
    let mut indices = Vec::new();
    each_index(context, function, |inst, position, index, place| {
        // A whole number alone is what drivers see through.
        let is_global = function.def_inst(index).is_some_and(|(_, data)| {
            let InstKind::Intrinsic { intrinsic, .. } = data.kind else { return false };
            intrinsic == Intrinsic::GetGlobalId
        });
        if !is_global && index.as_local().is_some_and(|value| from_numbers[value]) {
            indices.push((inst, position, index, place));
        }
    });
    if indices.is_empty() {
        return;
    }
    let cfg = Cfg::new(function);
    let rare = places::used_in_fewer_loops(function, &cfg);
    let mut finder = Finder::new(context, function, &cfg);
    let mut found: FxHashMap<(Inst, usize), (Sum, Place)> = FxHashMap::default();
    for (inst, position, index, mut place) in indices {
        place.is_rare = function.insts[inst].result.is_some_and(|result| rare.contains(&result));
        if let Some(sum) = finder.index(index, place).filter(|sum| sum.is_better(place)) {
            found.insert((inst, position), (sum, place));
        }
    }
    let is_candidate =
        |kind: &InstKind| matches!(kind, InstKind::PtrAdd { .. } | InstKind::Access { .. });
    if found.is_empty() {
        return;
    }
    rewrite::expand(context.types, context.consts, function, is_candidate, |builder, inst| {
        let rewritten = |builder: &mut Builder<'_>, position, index| {
            let sum = found.get(&(inst, position));
            sum.map_or(index, |(sum, place)| sum.whole(builder, *place))
        };
        match builder.function.insts[inst].kind {
            InstKind::PtrAdd { base, index } => {
                let index = rewritten(builder, 0, index);
                builder.function.insts[inst].kind = InstKind::PtrAdd { base, index };
            }
            InstKind::Access { base, indices } => {
                let old: Vec<Value> = builder.function.values_of(indices).collect();
                let new: Vec<Value> = old
                    .iter()
                    .enumerate()
                    .map(|(position, &index)| rewritten(builder, position, index))
                    .collect();
                if new != old {
                    let indices = builder.function.list(&new);
                    builder.function.insts[inst].kind = InstKind::Access { base, indices };
                }
            }
            _ => {}
        }
        Expansion::Keep
    });
}

/// By value: whether the number of a work-item is in it as a [`Sum`] has them. Nothing, if it is so for none.
fn from_numbers(types: &TypePool, function: &Function) -> Option<Vec<bool>> {
    let mut found = vec![false; function.values.len()];
    let mut any = false;
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        let data = &function.insts[inst];
        let Some(result) = data.result.and_then(Value::as_local) else { continue };
        let is_one = match data.kind {
            InstKind::Binary { .. } | InstKind::Convert { .. } => {
                let mut is_one = false;
                function.each_operand(inst, |operand| {
                    is_one |= operand.as_local().is_some_and(|operand| found[operand]);
                });
                is_one
            }
            ref kind => {
                wide_indices::is_number(kind)
                    && types.kind(function.values[result].ty) == TypeKind::Int(64)
            }
        };
        found[result] = is_one;
        any |= is_one;
    }
    any.then_some(found)
}

/// Whether it is a kernel with a `vec_type_hint`, of which drivers make no vectors.
pub(crate) fn has_no_vectors(function: &Function) -> bool {
    function.entry_point.as_ref().is_some_and(|entry| entry.vec_type_hint.is_some())
}
