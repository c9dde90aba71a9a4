//! Kernels that enqueue kernels: blocks, events, ND-ranges.

use clc_ir::{Const, TypeKind, TypePool, Value};
use smallvec::SmallVec;
use spirv::{Capability, Op};

use crate::emit::{Call, FunctionEmitter, Id};

/// Appends an instruction; with a result if the call has one.
fn instruction(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op, operands: &[Id]) -> Id {
    f.module.capability(Capability::DeviceEnqueue);
    if call.result == TypePool::VOID {
        f.op_void(op, operands);
        return 0;
    }
    f.op(op, call.result, operands)
}

/// An instruction whose operands are the call's; among them may be the invoke function of a block.
pub(super) fn plain(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    let operands: SmallVec<[Id; 16]> =
        call.arguments.iter().map(|&value| operand(f, value)).collect();
    instruction(f, call, op, &operands)
}

fn operand(f: &mut FunctionEmitter<'_, '_>, value: Value) -> Id {
    if let Some(id) = value.as_const()
        && let Const::FunctionAddress(_, invoke) = *f.module.consts.get(id)
    {
        return f.function_operand(invoke);
    }
    f.operand(value)
}

pub(super) fn is_valid_event(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    f.module.capability(Capability::DeviceEnqueue);
    let operands = f.operands(call.arguments);
    let truth = f.op(Op::IsValidEvent, TypePool::BOOL, &operands);
    f.bool_value(truth, call.result)
}

/// OpCaptureEventProfilingInfo takes a pointer to bytes.
pub(super) fn capture_profiling_info(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let mut operands = f.operands(call.arguments);
    if let Some((pointee, class)) = f.pointer_parts(call.arguments[2])
        && pointee != TypePool::I8
    {
        let bytes = f.module.types.pointer(TypePool::I8, class);
        operands[2] = f.op(Op::Bitcast, bytes, &[operands[2]]);
    }
    instruction(f, call, Op::CaptureEventProfilingInfo, &operands)
}

/// `ndrange_1D` with one to three sizes: SPIR-V has global size, local size and offset. A local
/// size of zero leaves the choice to the device.
pub(super) fn nd_range(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let operands = f.operands(call.arguments);
    let size_t = f.module.types.size_type();
    let zero = f.module.int_constant(size_t, 0);
    let sizes = match operands[..] {
        [global] => [global, zero, zero],
        [global, local] => [global, local, zero],
        [offset, global, local, ..] => [global, local, offset],
        [] => [zero, zero, zero],
    };
    instruction(f, call, Op::BuildNDRange, &sizes)
}

/// `ndrange_2D` and `ndrange_3D`: the operands are arrays already.
pub(super) fn nd_range_of_arrays(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let is_array = |&value: &Value| matches!(f.module.types.kind(f.ty(value)), TypeKind::Array(..));
    debug_assert!(call.arguments.iter().all(is_array));
    plain(f, call, Op::BuildNDRange)
}
