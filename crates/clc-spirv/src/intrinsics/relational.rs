//! Relational functions: booleans as the integers of the language.

use clc_ir::{Type, TypePool};
use spirv::Op;

use crate::emit::{Call, FunctionEmitter, Id};

/// A test of floats.
pub(super) fn test(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    let operands = f.operands(call.arguments);
    let bools = f.bool_like(call.result);
    let truth = f.op(op, bools, &operands);
    f.bool_to_int(truth, call.result)
}

/// Whether the most significant bit is set, in each component.
fn most_significant_bit(f: &mut FunctionEmitter<'_, '_>, value: Id, ty: Type) -> Id {
    let zero = f.splat_int(ty, 0);
    let bools = f.bool_like(ty);
    f.op(Op::SLessThan, bools, &[value, zero])
}

/// `any` and `all`.
pub(super) fn quantifier(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    let ty = f.ty(call.arguments[0]);
    let value = f.operand(call.arguments[0]);
    let mut truth = most_significant_bit(f, value, ty);
    if f.module.types.lanes(ty) > 1 {
        truth = f.op(op, TypePool::BOOL, &[truth]);
    }
    f.bool_to_int(truth, call.result)
}

/// `select(a, b, c)`: `b` where `c` is set.
pub(super) fn select(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let ty = f.ty(call.arguments[2]);
    let operands = f.operands(call.arguments);
    let truth = if f.module.types.lanes(ty) > 1 {
        most_significant_bit(f, operands[2], ty)
    } else {
        f.is_nonzero(operands[2], ty)
    };
    f.op(Op::Select, call.result, &[truth, operands[1], operands[0]])
}
