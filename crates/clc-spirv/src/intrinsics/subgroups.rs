//! The sub-group extensions: functions that the active work-items of a sub-group call, and those
//! of cl_intel_subgroups.

use clc_builtins::{GroupOp, GroupOperation};
use clc_ir::{Type, TypeKind, TypePool};
use smallvec::SmallVec;
use spirv::{Capability, Op, Scope};

use super::groups::{on_values_or_truth, operation_word, predicate};
use crate::emit::{Call, FunctionEmitter, Id};

/// The sub-group as a scope of a non-uniform instruction, which needs `capability`.
fn subgroup(f: &mut FunctionEmitter<'_, '_>, capability: Capability) -> Id {
    f.module.capability(capability);
    f.module.u32_constant(Scope::Subgroup as u32)
}

pub(super) fn arithmetic(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    operation: GroupOperation,
    op: GroupOp,
) -> Id {
    let capability = match operation {
        GroupOperation::ClusteredReduce => Capability::GroupNonUniformClustered,
        GroupOperation::Reduce | GroupOperation::InclusiveScan | GroupOperation::ExclusiveScan => {
            Capability::GroupNonUniformArithmetic
        }
    };
    let scope = subgroup(f, capability);
    let (instruction, logical) = match op {
        GroupOp::IAdd => (Op::GroupNonUniformIAdd, false),
        GroupOp::FAdd => (Op::GroupNonUniformFAdd, false),
        GroupOp::IMul => (Op::GroupNonUniformIMul, false),
        GroupOp::FMul => (Op::GroupNonUniformFMul, false),
        GroupOp::SMin => (Op::GroupNonUniformSMin, false),
        GroupOp::UMin => (Op::GroupNonUniformUMin, false),
        GroupOp::FMin => (Op::GroupNonUniformFMin, false),
        GroupOp::SMax => (Op::GroupNonUniformSMax, false),
        GroupOp::UMax => (Op::GroupNonUniformUMax, false),
        GroupOp::FMax => (Op::GroupNonUniformFMax, false),
        GroupOp::And => (Op::GroupNonUniformBitwiseAnd, false),
        GroupOp::Or => (Op::GroupNonUniformBitwiseOr, false),
        GroupOp::Xor => (Op::GroupNonUniformBitwiseXor, false),
        GroupOp::LogicalAnd => (Op::GroupNonUniformLogicalAnd, true),
        GroupOp::LogicalOr => (Op::GroupNonUniformLogicalOr, true),
        // Of the numbers 0 and 1: a driver gets the scans of booleans wrong.
        GroupOp::LogicalXor => (Op::GroupNonUniformBitwiseXor, true),
    };
    let mut tail: SmallVec<[Id; 1]> = SmallVec::new();
    if operation == GroupOperation::ClusteredReduce {
        tail.push(f.operand(call.arguments[1]));
    }
    let operation = operation_word(operation);
    let emit = |f: &mut FunctionEmitter<'_, '_>, value: Id, ty: Type| {
        let mut operands: SmallVec<[u32; 4]> = SmallVec::new();
        operands.extend_from_slice(&[scope, operation, value]);
        operands.extend_from_slice(&tail);
        f.op(instruction, ty, &operands)
    };
    if op == GroupOp::LogicalXor {
        let truth = predicate(f, call);
        let value = f.bool_to_int(truth, call.result);
        return emit(f, value, call.result);
    }
    on_values_or_truth(f, call, logical, emit)
}

pub(super) fn elect(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let scope = subgroup(f, Capability::GroupNonUniform);
    let truth = f.op(Op::GroupNonUniformElect, TypePool::BOOL, &[scope]);
    f.bool_to_int(truth, call.result)
}

pub(super) fn vote(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    let scope = subgroup(f, Capability::GroupNonUniformVote);
    let predicate = predicate(f, call);
    let truth = f.op(op, TypePool::BOOL, &[scope, predicate]);
    f.bool_to_int(truth, call.result)
}

pub(super) fn all_equal(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let scope = subgroup(f, Capability::GroupNonUniformVote);
    let value = f.operand(call.arguments[0]);
    let truth = f.op(Op::GroupNonUniformAllEqual, TypePool::BOOL, &[scope, value]);
    f.bool_to_int(truth, call.result)
}

/// Before SPIR-V 1.5 the index is a constant; legalisation has made shuffles of the others.
pub(super) fn broadcast(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let scope = subgroup(f, Capability::GroupNonUniformBallot);
    let operands = f.operands(call.arguments);
    f.op(Op::GroupNonUniformBroadcast, call.result, &[scope, operands[0], operands[1]])
}

pub(super) fn broadcast_first(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let scope = subgroup(f, Capability::GroupNonUniformBallot);
    let value = f.operand(call.arguments[0]);
    f.op(Op::GroupNonUniformBroadcastFirst, call.result, &[scope, value])
}

pub(super) fn ballot(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let scope = subgroup(f, Capability::GroupNonUniformBallot);
    let predicate = predicate(f, call);
    f.op(Op::GroupNonUniformBallot, call.result, &[scope, predicate])
}

/// A bit of a ballot as a boolean.
pub(super) fn ballot_test(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    let scope = subgroup(f, Capability::GroupNonUniformBallot);
    let mut operands = f.operands(call.arguments);
    operands.insert(0, scope);
    let truth = f.op(op, TypePool::BOOL, &operands);
    f.bool_to_int(truth, call.result)
}

pub(super) fn ballot_count(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    operation: spirv::GroupOperation,
) -> Id {
    let scope = subgroup(f, Capability::GroupNonUniformBallot);
    let value = f.operand(call.arguments[0]);
    f.op(Op::GroupNonUniformBallotBitCount, call.result, &[scope, operation as u32, value])
}

pub(super) fn ballot_find(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    let scope = subgroup(f, Capability::GroupNonUniformBallot);
    let value = f.operand(call.arguments[0]);
    f.op(op, call.result, &[scope, value])
}

pub(super) fn shuffle(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    let capability = match op {
        Op::GroupNonUniformShuffleUp | Op::GroupNonUniformShuffleDown => {
            Capability::GroupNonUniformShuffleRelative
        }
        _ => Capability::GroupNonUniformShuffle,
    };
    let scope = subgroup(f, capability);
    let operands = f.operands(call.arguments);
    f.op(op, call.result, &[scope, operands[0], operands[1]])
}

/// The value of the work-item `from`.
pub(super) fn shuffle_from(f: &mut FunctionEmitter<'_, '_>, ty: Type, value: Id, from: Id) -> Id {
    f.module.capability(Capability::GroupNonUniformShuffle);
    let scope = f.module.u32_constant(Scope::Subgroup as u32);
    f.op(Op::GroupNonUniformShuffle, ty, &[scope, value, from])
}

/// `sub_group_rotate`, and `sub_group_clustered_rotate` with a third operand.
pub(super) fn rotate(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let scope = subgroup(f, Capability::GroupNonUniformRotateKHR);
    f.module.extension("SPV_KHR_subgroup_rotate");
    let mut operands = f.operands(call.arguments);
    operands.insert(0, scope);
    f.op(Op::GroupNonUniformRotateKHR, call.result, &operands)
}

pub(super) fn intel_shuffle(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    f.module.capability(Capability::SubgroupShuffleINTEL);
    f.module.extension("SPV_INTEL_subgroups");
    let operands = f.operands(call.arguments);
    f.op(op, call.result, &operands)
}

/// Whether a block goes to or comes from an image; asks for what it needs.
fn block_of_image(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> bool {
    f.module.extension("SPV_INTEL_subgroups");
    let image = matches!(f.module.types.kind(f.ty(call.arguments[0])), TypeKind::Image(_));
    f.module.capability(if image {
        Capability::SubgroupImageBlockIOINTEL
    } else {
        Capability::SubgroupBufferBlockIOINTEL
    });
    image
}

pub(super) fn intel_block_read(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let image = block_of_image(f, call);
    let operands = f.operands(call.arguments);
    let op = if image { Op::SubgroupImageBlockReadINTEL } else { Op::SubgroupBlockReadINTEL };
    f.op(op, call.result, &operands)
}

pub(super) fn intel_block_write(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let image = block_of_image(f, call);
    let operands = f.operands(call.arguments);
    let op = if image { Op::SubgroupImageBlockWriteINTEL } else { Op::SubgroupBlockWriteINTEL };
    f.op_void(op, &operands);
    0
}
