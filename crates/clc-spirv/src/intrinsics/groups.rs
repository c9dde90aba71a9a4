//! Collective functions that all work-items of a work-group or sub-group call.

use clc_builtins::{GroupOp, GroupOperation};
use clc_ir::{Type, TypePool};
use spirv::{Capability, Op, Scope};

use crate::emit::{Call, FunctionEmitter, Id};

pub(super) const WORK_GROUP: Scope = Scope::Workgroup;
pub(super) const SUB_GROUP: Scope = Scope::Subgroup;

/// Asks for the collective functions of the scope.
fn scope(f: &mut FunctionEmitter<'_, '_>, scope: Scope) -> Id {
    f.module.capability(Capability::Groups);
    f.module.u32_constant(scope as u32)
}

/// Truth of an `int` predicate.
pub(super) fn predicate(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let ty = f.ty(call.arguments[0]);
    let value = f.operand(call.arguments[0]);
    if f.module.types.is_bool(ty) { value } else { f.is_nonzero(value, ty) }
}

/// `work_group_all` and `work_group_any`.
pub(super) fn vote(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op, group: Scope) -> Id {
    let scope = scope(f, group);
    let predicate = predicate(f, call);
    let truth = f.op(op, TypePool::BOOL, &[scope, predicate]);
    f.bool_to_int(truth, call.result)
}

/// `work_group_broadcast` with one to three local ids, `sub_group_broadcast` with one.
pub(super) fn broadcast(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, group: Scope) -> Id {
    let scope = scope(f, group);
    let operands = f.operands(call.arguments);
    let id = match operands[1..] {
        [id] => id,
        ref ids => {
            let element = f.ty(call.arguments[1]);
            let vector = f.module.types.vector(element, ids.len() as u8);
            f.op(Op::CompositeConstruct, vector, ids)
        }
    };
    f.op(Op::GroupBroadcast, call.result, &[scope, operands[0], id])
}

pub(super) fn operation_word(operation: GroupOperation) -> u32 {
    (match operation {
        GroupOperation::Reduce => spirv::GroupOperation::Reduce,
        GroupOperation::InclusiveScan => spirv::GroupOperation::InclusiveScan,
        GroupOperation::ExclusiveScan => spirv::GroupOperation::ExclusiveScan,
        GroupOperation::ClusteredReduce => spirv::GroupOperation::ClusteredReduce,
    }) as u32
}

/// Reductions and scans.
pub(super) fn arithmetic(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    operation: GroupOperation,
    op: GroupOp,
    group: Scope,
) -> Id {
    let scope = scope(f, group);
    let (instruction, logical, extension) = match op {
        GroupOp::IAdd => (Op::GroupIAdd, false, false),
        GroupOp::FAdd => (Op::GroupFAdd, false, false),
        GroupOp::SMin => (Op::GroupSMin, false, false),
        GroupOp::UMin => (Op::GroupUMin, false, false),
        GroupOp::FMin => (Op::GroupFMin, false, false),
        GroupOp::SMax => (Op::GroupSMax, false, false),
        GroupOp::UMax => (Op::GroupUMax, false, false),
        GroupOp::FMax => (Op::GroupFMax, false, false),
        GroupOp::IMul => (Op::GroupIMulKHR, false, true),
        GroupOp::FMul => (Op::GroupFMulKHR, false, true),
        GroupOp::And => (Op::GroupBitwiseAndKHR, false, true),
        GroupOp::Or => (Op::GroupBitwiseOrKHR, false, true),
        GroupOp::Xor => (Op::GroupBitwiseXorKHR, false, true),
        GroupOp::LogicalAnd => (Op::GroupLogicalAndKHR, true, true),
        GroupOp::LogicalOr => (Op::GroupLogicalOrKHR, true, true),
        GroupOp::LogicalXor => (Op::GroupLogicalXorKHR, true, true),
    };
    if extension {
        f.module.capability(Capability::GroupUniformArithmeticKHR);
        f.module.extension("SPV_KHR_uniform_group_instructions");
    }
    let operation = operation_word(operation);
    on_values_or_truth(f, call, logical, |f, value, ty| {
        f.op(instruction, ty, &[scope, operation, value])
    })
}

/// Applies `emit` to the first operand; for logical operators as booleans.
pub(super) fn on_values_or_truth(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    logical: bool,
    emit: impl FnOnce(&mut FunctionEmitter<'_, '_>, Id, Type) -> Id,
) -> Id {
    if logical {
        let value = predicate(f, call);
        let truth = emit(f, value, TypePool::BOOL);
        f.bool_to_int(truth, call.result)
    } else {
        let value = f.operand(call.arguments[0]);
        emit(f, value, call.result)
    }
}
