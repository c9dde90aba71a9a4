//! The functions of cl_intel_subgroups, for which Vulkan has no instructions of their own: shuffles become those
//! of Khronos' extensions, and blocks are read and written element by element.
//!
//! Blocks of images stay: they are read by bytes, whatever the format, which no device of Vulkan does.

use clc_builtins::Intrinsic;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    BinaryOp, Builder, CompareOp, ConvertOp, Inst, InstKind, MemoryAccess, Module, TypeKind,
    TypePool, Value,
};

/// Replaces shuffles, and blocks in buffers.
pub(crate) fn run(module: &mut Module) {
    let Module { types, consts, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        let is_candidate = |kind: &InstKind| matches!(kind, InstKind::Intrinsic { intrinsic, .. } if is_intel(*intrinsic));
        rewrite::expand(types, consts, function, is_candidate, |builder, inst| {
            expand(builder, inst).unwrap_or(Expansion::Keep)
        });
    }
}

fn is_intel(intrinsic: Intrinsic) -> bool {
    matches!(
        intrinsic,
        Intrinsic::IntelSubGroupShuffle
            | Intrinsic::IntelSubGroupShuffleXor
            | Intrinsic::IntelSubGroupShuffleDown
            | Intrinsic::IntelSubGroupShuffleUp
            | Intrinsic::IntelSubGroupBlockRead
            | Intrinsic::IntelSubGroupBlockWrite
    )
}

fn expand(b: &mut Builder<'_>, inst: Inst) -> Option<Expansion> {
    let data = b.function.insts[inst];
    let InstKind::Intrinsic { intrinsic, arguments } = data.kind else { return None };
    let arguments: Vec<Value> = b.function.values_of(arguments).collect();
    let value = match (intrinsic, &arguments[..]) {
        (Intrinsic::IntelSubGroupShuffle, &[value, lane]) => {
            by_component(b, Intrinsic::SubGroupShuffle, value, lane)?
        }
        (Intrinsic::IntelSubGroupShuffleXor, &[value, mask]) => {
            by_component(b, Intrinsic::SubGroupShuffleXor, value, mask)?
        }
        (Intrinsic::IntelSubGroupShuffleDown, &[current, next, delta]) => {
            let own = item(b)?;
            let size = size(b)?;
            let lane = b.binary(BinaryOp::IAdd, own, delta);
            let is_current = b.compare(CompareOp::ULess, lane, size);
            let above = b.binary(BinaryOp::ISub, lane, size);
            two(b, [current, next], is_current, [lane, above])?
        }
        (Intrinsic::IntelSubGroupShuffleUp, &[previous, current, delta]) => {
            let own = item(b)?;
            let size = size(b)?;
            let is_current = b.compare(CompareOp::ULessEqual, delta, own);
            let lane = b.binary(BinaryOp::ISub, own, delta);
            let below = b.binary(BinaryOp::IAdd, lane, size);
            two(b, [current, previous], is_current, [lane, below])?
        }
        (Intrinsic::IntelSubGroupBlockRead, &[pointer]) => {
            let result = b.ty(data.result?);
            let mut parts = Vec::new();
            for row in 0..b.types.lanes(result) {
                let (address, access) = element(b, pointer, row)?;
                parts.push(b.load(address, access));
            }
            match parts[..] {
                [scalar] => scalar,
                _ => b.construct(result, &parts),
            }
        }
        (Intrinsic::IntelSubGroupBlockWrite, &[pointer, value]) => {
            let lanes = b.types.lanes(b.ty(value));
            for row in 0..lanes {
                let (address, access) = element(b, pointer, row)?;
                let part = match lanes {
                    1 => value,
                    _ => b.extract(value, &[u32::from(row)]),
                };
                b.store(address, part, access);
            }
            return Some(Expansion::Done);
        }
        _ => return None,
    };
    Some(Expansion::Value(value))
}

fn item(b: &mut Builder<'_>) -> Option<Value> {
    b.intrinsic(Intrinsic::GetSubGroupLocalId, &[], TypePool::I32)
}

/// The extension shifts through all work-items that a sub-group can have, and lays blocks out for them.
fn size(b: &mut Builder<'_>) -> Option<Value> {
    b.intrinsic(Intrinsic::GetMaxSubGroupSize, &[], TypePool::I32)
}

/// The first value of the first lane where `is_first`, else the second one of the second lane, which is the
/// same work-item's question: one of the lanes exists.
fn two(
    b: &mut Builder<'_>,
    values: [Value; 2],
    is_first: Value,
    lanes: [Value; 2],
) -> Option<Value> {
    let lane = b.select(is_first, lanes[0], lanes[1]);
    let [first, second] =
        values.map(|value| by_component(b, Intrinsic::SubGroupShuffle, value, lane));
    Some(b.select(is_first, first?, second?))
}

/// A shuffle of each component, for vectors of all lengths.
fn by_component(
    b: &mut Builder<'_>,
    shuffle: Intrinsic,
    value: Value,
    from: Value,
) -> Option<Value> {
    let ty = b.ty(value);
    let TypeKind::Vector(element, lanes) = b.types.kind(ty) else {
        return b.intrinsic(shuffle, &[value, from], ty);
    };
    let mut parts = Vec::new();
    for lane in 0..u32::from(lanes) {
        let part = b.extract(value, &[lane]);
        parts.push(b.intrinsic(shuffle, &[part, from], element)?);
    }
    Some(b.construct(ty, &parts))
}

/// Where the work-item's element of a row of a block is; rows have one for each work-item. `None` for
/// blocks of images.
fn element(b: &mut Builder<'_>, pointer: Value, row: u8) -> Option<(Value, MemoryAccess)> {
    let ty = b.ty(pointer);
    let (pointee, _) = b.types.pointer_parts(ty)?;
    let align = b.types.align(pointee) as u32;
    let mut index = item(b)?;
    if row > 0 {
        let size = size(b)?;
        let row = b.int(TypePool::I32, u64::from(row));
        let before = b.binary(BinaryOp::IMul, row, size);
        index = b.binary(BinaryOp::IAdd, before, index);
    }
    let size_type = b.types.size_type();
    let index = b.convert(ConvertOp::ZeroExtend, index, size_type);
    Some((b.ptr_add(pointer, index), MemoryAccess::aligned(align)))
}
