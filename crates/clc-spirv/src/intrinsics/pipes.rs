//! Pipes. Every instruction takes the size and alignment of the packet, which end the operands.

use clc_ir::TypePool;
use smallvec::SmallVec;
use spirv::{Capability, Op, Scope};

use crate::emit::{Call, FunctionEmitter, Id};

/// An instruction whose operands are the call's.
pub(super) fn plain(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    f.module.capability(Capability::Pipes);
    let operands = f.operands(call.arguments);
    instruction(f, call, op, &operands)
}

/// The same of a work-group or sub-group, which comes first.
pub(super) fn of_group(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    op: Op,
    group: Scope,
) -> Id {
    f.module.capability(Capability::Pipes);
    let mut operands: SmallVec<[Id; 8]> = SmallVec::new();
    operands.push(f.module.u32_constant(group as u32));
    operands.extend(f.operands(call.arguments));
    instruction(f, call, op, &operands)
}

fn instruction(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op, operands: &[Id]) -> Id {
    if call.result == TypePool::VOID {
        f.op_void(op, operands);
        return 0;
    }
    f.op(op, call.result, operands)
}

pub(super) fn is_valid_reserve_id(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    f.module.capability(Capability::Pipes);
    let operands = f.operands(call.arguments);
    let truth = f.op(Op::IsValidReserveId, TypePool::BOOL, &operands);
    f.bool_value(truth, call.result)
}
