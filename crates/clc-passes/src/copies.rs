//! Instructions that passes repeat elsewhere.

use clc_ir::{Block, Function, Inst, InstKind, Value};
use rustc_hash::FxHashMap;

/// Whether an instruction does nothing but compute its result of its operands.
pub fn is_computation(kind: &InstKind) -> bool {
    match kind {
        InstKind::Binary { .. }
        | InstKind::Unary { .. }
        | InstKind::Compare { .. }
        | InstKind::Select { .. }
        | InstKind::Convert { .. }
        | InstKind::PtrAdd { .. }
        | InstKind::Access { .. }
        | InstKind::Extract { .. }
        | InstKind::Insert { .. }
        | InstKind::ExtractDynamic { .. }
        | InstKind::InsertDynamic { .. }
        | InstKind::Shuffle { .. }
        | InstKind::Construct { .. } => true,
        InstKind::Intrinsic { intrinsic, .. } => intrinsic.effects().is_pure(),
        _ => false,
    }
}

/// Copies an instruction, as `kind`, to the end of a block, with operands by `map`, which learns the result.
pub fn append(
    function: &mut Function,
    inst: Inst,
    to: Block,
    map: &mut FxHashMap<Value, Value>,
    kind: InstKind,
) {
    let data = function.insts[inst];
    let kind = function.with_own_lists(kind);
    let ty = data.result.map(|value| function.values[value.as_local().unwrap_or_default()].ty);
    let new = function.append(to, kind, ty, data.math, data.location);
    function.map_operands(new, |value| *map.get(&value).unwrap_or(&value));
    if let (Some(old), Some(value)) = (data.result, function.insts[new].result) {
        map.insert(old, value);
    }
}
