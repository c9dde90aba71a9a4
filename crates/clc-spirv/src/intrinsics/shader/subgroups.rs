//! Sub-group functions that shaders compute from others.

use clc_ir::TypePool;
use spirv::{BuiltIn, Op};

use super::super::subgroups;
use super::work_item;
use crate::emit::{Call, FunctionEmitter, Id};

/// `sub_group_rotate(value, delta)`, and `sub_group_clustered_rotate` with the size of a cluster: a
/// shuffle from as many work-items further. Sizes are powers of two.
pub(super) fn rotate(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let ty = TypePool::I32;
    let operands = f.operands(call.arguments);
    let own = work_item::sub_group(f, BuiltIn::SubgroupLocalInvocationId);
    let size = match operands.get(2) {
        Some(&size) => size,
        None => work_item::sub_group(f, BuiltIn::SubgroupSize),
    };
    let one = f.splat_int(ty, 1);
    let mask = f.op(Op::ISub, ty, &[size, one]);
    let further = f.op(Op::IAdd, ty, &[own, operands[1]]);
    let inside = f.op(Op::BitwiseAnd, ty, &[further, mask]);
    let others = f.op(Op::Not, ty, &[mask]);
    let cluster = f.op(Op::BitwiseAnd, ty, &[own, others]);
    let from = f.op(Op::BitwiseOr, ty, &[cluster, inside]);
    subgroups::shuffle_from(f, call.result, operands[0], from)
}
