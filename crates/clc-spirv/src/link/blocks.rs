//! Blocks that are enqueued are entry points, and only the modules they come from know their names:
//! where two modules have the same one, the later gets another.

use rustc_hash::{FxHashMap, FxHashSet};
use spirv::Op;

use super::unit::Unit;
use crate::read::string;
use clc_legalise::is_block_name;

/// The new names of entry points, by the original ids of their functions.
pub(super) fn renamed(units: &[Unit]) -> FxHashMap<u32, String> {
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let mut renamed = FxHashMap::default();
    let points = units.iter().flat_map(|unit| {
        unit.entry_points.iter().map(|place| unit.inst(place)).filter_map(|inst| {
            debug_assert_eq!(inst[0] & 0xffff, Op::EntryPoint as u32);
            Some((inst[2], string(&inst[3..])?.0))
        })
    });
    // What people named keeps its name.
    let (blocks, kernels): (Vec<_>, Vec<_>) = points.partition(|(_, name)| is_block_name(name));
    taken.extend(kernels.into_iter().map(|(_, name)| name));
    let mut counts: FxHashMap<String, u32> = FxHashMap::default();
    for (function, name) in blocks {
        if taken.insert(name.clone()) {
            continue;
        }
        let stem = name.strip_suffix("_kernel").unwrap_or(&name).to_owned();
        let count = counts.entry(stem.clone()).or_insert(1);
        let unique = loop {
            *count += 1;
            let unique = format!("{stem}_{count}_kernel");
            if taken.insert(unique.clone()) {
                break unique;
            }
        };
        renamed.insert(function, unique);
    }
    renamed
}
