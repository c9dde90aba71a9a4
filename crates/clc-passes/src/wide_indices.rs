//! Indices that are the lower half of a work-item's number are made of all of it, for compilers of processors:
//!
//! ```text
//! i = trunc get_global_id(0)    ->    wide = get_global_id(0) << 32 >> 32
//! p = ptr_add base, i                 p = ptr_add base, wide
//! ```
//!
//! They make vectors of work-items, see from the shifts that neighbours use neighbours in memory, and load them at
//! once. Behind a truncation they do not see it, nor where something is added to the half.

use clc_builtins::Intrinsic;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{BinaryOp, Builder, ConvertOp, Function, Inst, InstKind, TypePool, Value};

use crate::context::ModuleContext;

/// Bits of the half.
const HALF: u64 = 32;

/// Widens the indices of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let is_candidate = |kind: &InstKind| matches!(kind, InstKind::PtrAdd { .. });
    rewrite::expand(context.types, context.consts, function, is_candidate, |builder, inst| {
        widened(builder, inst).map_or(Expansion::Keep, Expansion::Value)
    });
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
    let is_number = matches!(
        number.kind,
        InstKind::Intrinsic {
            intrinsic: Intrinsic::GetGlobalId | Intrinsic::GetLocalId | Intrinsic::GetGroupId,
            ..
        }
    );
    let types = &builder.types;
    let bits = |value: Value| types.scalar_bits(builder.function.values[value.as_local()?].ty);
    (is_number && bits(index) == Some(32) && bits(operand) == Some(64)).then_some(operand)
}
