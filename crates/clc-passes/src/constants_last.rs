//! Adds constants last to addresses that neighbours do not have side by side, for compilers that make vectors of work-items.
//!
//! ```text
//! p + sext(i + 3)          ->   (p + sext(i)) + 3
//! p + zext(16 * i + 3)     ->   (p + zext(16 * i)) + 3
//! ```
//!
//! where something else is at `p + i`, too. Such compilers load what is looked up side by side, as the two ends of a range, for
//! each work-item at once if they see that it is, and what is the same for all once: they do not know that sums of `int` do not
//! wrap, since modules do not say so. Noise from a table takes 0.92 of the time, and differences from the coordinates of
//! eight points 0.9 of the time to be built. Where neighbours load neighbours it is whole indices that they see through.

use clc_ir::{
    BinaryOp, Cfg, Const, ConvertOp, Function, Inst, InstKind, MathFlags, TypePool, Value,
};
use rustc_hash::FxHashMap;

use crate::bounds::Bounds;
use crate::context::ModuleContext;
use crate::neighbours::{Step, Steps};
use crate::split_indices::{is_in_buffer, trailing_zeros};

/// An index: the rest, which is made longer so, and a constant.
#[derive(Clone, Copy)]
struct Sum {
    rest: Value,
    extension: Option<ConvertOp>,
    constant: i64,
}

/// Rewrites the additions to addresses in buffers.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let mut found: Vec<(Inst, Value, Value, Sum)> = Vec::new();
    let mut bounds = None;
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        let data = &function.insts[inst];
        if let (InstKind::PtrAdd { base, index }, Some(result)) = (data.kind, data.result)
            && is_in_buffer(context.types, function, base)
        {
            found.push((inst, result, base, sum(context, function, &mut bounds, index)));
        }
    }
    let mut shared: FxHashMap<(Value, Value), u32> = FxHashMap::default();
    for (_, _, base, sum) in &found {
        *shared.entry((*base, sum.rest)).or_default() += 1;
    }
    found.retain(|(_, _, base, sum)| sum.constant != 0 && shared[&(*base, sum.rest)] > 1);
    if found.is_empty() {
        return;
    }
    let cfg = Cfg::new(function);
    let mut steps = Steps::new(context.types, context.consts, function, &cfg);
    found.retain(|&(_, result, ..)| matches!(steps.of(result), Step::None | Step::Anywhere));
    let found: FxHashMap<Inst, (Value, Sum)> =
        found.into_iter().map(|(inst, _, base, sum)| (inst, (base, sum))).collect();
    for block in function.layout.clone() {
        if !function.blocks[block].insts.iter().any(|inst| found.contains_key(inst)) {
            continue;
        }
        let mut insts = Vec::new();
        for inst in std::mem::take(&mut function.blocks[block].insts) {
            if let Some(&(base, sum)) = found.get(&inst) {
                split(context, function, &mut insts, inst, base, sum);
            }
            insts.push(inst);
        }
        function.blocks[block].insts = insts;
    }
}

/// An index as a sum, with the constant zero where it is none or may wrap. `bounds` are found when they are needed.
fn sum(
    context: &mut ModuleContext<'_>,
    function: &Function,
    bounds: &mut Option<Bounds>,
    index: Value,
) -> Sum {
    let is_of = |context: &ModuleContext<'_>, value, ty| context.type_of(function, value) == ty;
    let whole = |rest| Sum { rest, extension: None, constant: 0 };
    let (inner, extension) = match function.def_inst(index).map(|(_, data)| data.kind) {
        Some(InstKind::Convert { op, operand, .. })
            if matches!(op, ConvertOp::SignExtend | ConvertOp::ZeroExtend)
                && is_of(context, operand, TypePool::I32)
                && is_of(context, index, TypePool::I64) =>
        {
            (operand, Some(op))
        }
        _ => (index, None),
    };
    let Some((_, data)) = function.def_inst(inner) else { return whole(inner) };
    let InstKind::Binary { op: BinaryOp::IAdd, left, right } = data.kind else {
        return whole(inner);
    };
    let Some(constant) = context.signed(right) else { return whole(inner) };
    let fills_zeros = |context: &ModuleContext<'_>| {
        let free = trailing_zeros(context, function, left).min(31);
        (1..1 << free).contains(&constant)
    };
    let mut has_no_sign = |context: &mut ModuleContext<'_>| {
        let bounds = bounds.get_or_insert_with(|| Bounds::new(context, function));
        let most = bounds.most(context, function, inner);
        most.is_some_and(|most| most <= i32::MAX as u64)
    };
    // Addresses wrap as indices of 64 bits do, and an index of 32 bits has a sign.
    let is_sum = match extension {
        None if is_of(context, inner, TypePool::I64) => true,
        Some(ConvertOp::ZeroExtend) => fills_zeros(context) || has_no_sign(context),
        _ => data.math.has(MathFlags::NO_SIGNED_WRAP) || has_no_sign(context),
    };
    if is_sum { Sum { rest: left, extension, constant } } else { whole(inner) }
}

fn split(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    insts: &mut Vec<Inst>,
    inst: Inst,
    base: Value,
    sum: Sum,
) {
    let location = function.insts[inst].location;
    let ty = context.type_of(function, base);
    let mut add = |kind, ty| {
        let new = function.create_inst(kind, Some(ty), MathFlags::NONE, location);
        insts.push(new);
        function.insts[new].result
    };
    let index = match sum.extension {
        Some(op) => {
            let operand = sum.rest;
            add(InstKind::Convert { op, operand, rounding: None, saturate: false }, TypePool::I64)
        }
        None => Some(sum.rest),
    };
    let first = index.and_then(|index| add(InstKind::PtrAdd { base, index }, ty));
    let Some(base) = first else { return };
    let index = context.consts.intern(Const::Int(TypePool::I64, sum.constant.cast_unsigned()));
    function.insts[inst].kind = InstKind::PtrAdd { base, index };
}
