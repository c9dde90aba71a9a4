//! Indices that compilers of processors see through. They make vectors of work-items, and where neighbours use neighbours in
//! memory they load them at once.
//!
//! The lower half of a work-item's number is made of all of it, because behind a truncation they do not see it, nor
//! where something is added to the half:
//!
//! ```text
//! i = trunc get_global_id(0)    ->    wide = get_global_id(0) << 32 >> 32
//! p = ptr_add base, i                 p = ptr_add base, wide
//! ```
//!
//! `mul24` and `mad24` become products and sums, which they are for all operands that they have a meaning for
//! (OpenCL C 6.15.3); elsewhere they stay, as some devices multiply 24 bits sooner.

use clc_builtins::Intrinsic;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{BinaryOp, Builder, ConvertOp, Function, Inst, InstKind, TypePool, Value};
use rustc_hash::FxHashSet;

use crate::context::ModuleContext;

/// Bits of the half.
const HALF: u64 = 32;

/// Rewrites the indices of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let products = short_products(function);
    let is_candidate = |kind: &InstKind| matches!(kind, InstKind::PtrAdd { .. }) || is_short(kind);
    rewrite::expand(context.types, context.consts, function, is_candidate, |builder, inst| {
        let found =
            if products.contains(&inst) { product(builder, inst) } else { widened(builder, inst) };
        found.map_or(Expansion::Keep, Expansion::Value)
    });
}

/// Whether it is a product of 24 bits, with a sum or without.
fn is_short(kind: &InstKind) -> bool {
    use Intrinsic as I;
    let InstKind::Intrinsic { intrinsic, .. } = kind else { return false };
    matches!(intrinsic, I::SMul24 | I::UMul24 | I::SMad24 | I::UMad24)
}

/// The products of 24 bits that indices are computed from.
fn short_products(function: &Function) -> FxHashSet<Inst> {
    let mut found = FxHashSet::default();
    if !function.insts.values().any(|data| is_short(&data.kind)) {
        return found;
    }
    let mut seen = FxHashSet::default();
    let mut ahead = Vec::new();
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        match function.insts[inst].kind {
            InstKind::PtrAdd { index, .. } => ahead.push(index),
            InstKind::Access { indices, .. } => ahead.extend(function.values_of(indices)),
            _ => {}
        }
        while let Some(value) = ahead.pop() {
            let Some((inst, data)) = function.def_inst(value) else { continue };
            if !seen.insert(inst) {
                continue;
            }
            let is_product = is_short(&data.kind);
            if is_product {
                found.insert(inst);
            }
            if is_product || matches!(data.kind, InstKind::Binary { .. } | InstKind::Convert { .. })
            {
                function.each_operand(inst, |operand| ahead.push(operand));
            }
        }
    }
    found
}

/// The same in 32 bits.
fn product(builder: &mut Builder<'_>, inst: Inst) -> Option<Value> {
    let InstKind::Intrinsic { arguments, .. } = builder.function.insts[inst].kind else {
        return None;
    };
    let arguments: Vec<Value> = builder.function.values_of(arguments).collect();
    let product = builder.binary(BinaryOp::IMul, arguments[0], arguments[1]);
    Some(match arguments.get(2) {
        Some(&sum) => builder.binary(BinaryOp::IAdd, product, sum),
        None => product,
    })
}

/// The address with another index.
fn widened(builder: &mut Builder<'_>, inst: Inst) -> Option<Value> {
    let InstKind::PtrAdd { base, index } = builder.function.insts[inst].kind else { return None };
    let whole = whole(builder, index)?;
    let count = builder.int(TypePool::I64, HALF);
    let raised = builder.binary(BinaryOp::Shl, whole, count);
    let index = builder.binary(BinaryOp::AShr, raised, count);
    Some(builder.ptr_add(base, index))
}

/// The number of a work-item of which an index is the half.
fn whole(builder: &Builder<'_>, index: Value) -> Option<Value> {
    let (_, half) = builder.function.def_inst(index)?;
    let InstKind::Convert { op: ConvertOp::Truncate, operand, .. } = half.kind else { return None };
    let (_, number) = builder.function.def_inst(operand)?;
    let types = &builder.types;
    let bits = |value: Value| types.scalar_bits(builder.function.values[value.as_local()?].ty);
    (is_number(&number.kind) && bits(index) == Some(32) && bits(operand) == Some(64))
        .then_some(operand)
}

/// Whether it is a number of a work-item, or of its work-group.
pub(crate) fn is_number(kind: &InstKind) -> bool {
    use Intrinsic as I;
    let InstKind::Intrinsic { intrinsic, .. } = kind else { return false };
    matches!(intrinsic, I::GetGlobalId | I::GetLocalId | I::GetGroupId)
}
