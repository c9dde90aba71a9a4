//! Makes small private arrays larger that drivers would look through element by element.
//!
//! NVIDIA's compiler (580.159) keeps private arrays of at most 128 bytes in registers, even where it is only known when the
//! kernel runs which element is accessed: it compares the index with that of each then. Beyond, arrays are in memory. For few
//! elements, comparisons are faster than memory.

use clc_ir::{Function, Inst, InstKind, Module, StorageClass, Type, TypeKind, TypePool, Value};
use rustc_hash::FxHashMap;

/// The fewest elements of an array that is better in memory.
const MIN_ELEMENTS: u64 = 24;

/// Bytes that are kept in registers, of each component where elements are vectors.
const MAX_BYTES: u64 = 128;

/// The bytes that they become. With a few more than are kept in registers, arrays of vectors were slower than before.
const PADDED: u64 = 192;

/// Runs after all passes that make values of arrays.
pub(crate) fn run(module: &mut Module) {
    let Module { types, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        for (inst, ty) in variables(types, function) {
            let InstKind::Variable { align, .. } = function.insts[inst].kind else { continue };
            function.insts[inst].kind = InstKind::Variable { ty, align };
            let pointer = types.pointer(ty, StorageClass::Function);
            if let Some(local) = function.insts[inst].result.and_then(Value::as_local) {
                function.values[local].ty = pointer;
            }
        }
    }
}

/// The arrays of which some element is chosen when the kernel runs, with their new types.
fn variables(types: &mut TypePool, function: &Function) -> Vec<(Inst, Type)> {
    let insts = || function.layout.iter().flat_map(|&block| &function.blocks[block].insts).copied();
    // By variable: whether an index is unknown, or nothing if it is needed as it is.
    let mut chosen: FxHashMap<Value, Option<bool>> = insts()
        .filter(|&inst| matches!(function.insts[inst].kind, InstKind::Variable { .. }))
        .filter_map(|inst| Some((function.insts[inst].result?, Some(false))))
        .collect();
    if chosen.is_empty() {
        return Vec::new();
    }
    for inst in insts() {
        match function.insts[inst].kind {
            InstKind::Access { base, indices } if function.values_of(indices).next().is_some() => {
                if let Some(Some(is_unknown)) = chosen.get_mut(&base) {
                    *is_unknown |= !function.values_of(indices).all(Value::is_const);
                }
            }
            _ => function.each_operand(inst, |value| {
                chosen.entry(value).and_modify(|known| *known = None);
            }),
        }
    }
    for &block in &function.layout {
        function.each_terminator_operand(block, |value| {
            chosen.entry(value).and_modify(|known| *known = None);
        });
    }
    insts()
        .filter_map(|inst| {
            let InstKind::Variable { ty, .. } = function.insts[inst].kind else { return None };
            let is_chosen = chosen.get(&function.insts[inst].result?) == Some(&Some(true));
            Some((inst, is_chosen.then(|| padded(types, ty))??))
        })
        .collect()
}

/// A larger type for an array that is kept in registers and better in memory.
fn padded(types: &mut TypePool, ty: Type) -> Option<Type> {
    let TypeKind::Array(element, outer) = types.kind(ty) else { return None };
    let (mut scalar, mut inner) = (element, 1u64);
    while let TypeKind::Array(of, len) = types.kind(scalar) {
        (scalar, inner) = (of, inner.checked_mul(len)?);
    }
    let bytes = u64::from(types.scalar_bits(scalar)?) / 8;
    let count = inner.checked_mul(outer)?;
    if count < MIN_ELEMENTS || count.checked_mul(bytes)? > MAX_BYTES {
        return None;
    }
    Some(types.array(element, PADDED.div_ceil(bytes * inner)))
}
