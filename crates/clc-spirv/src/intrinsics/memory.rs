//! Loads and stores of vectors, asynchronous copies, questions about address spaces.

use clc_builtins::resolve::Rounding;
use clc_ir::{StorageClass, TypePool};
use spirv::{FPRoundingMode, Op, OpenclStd100Op as Cl, Scope};

use crate::emit::{Call, FunctionEmitter, Id};

/// `vloadn`; the number of components is a literal.
pub(super) fn vload(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let mut operands = f.operands(call.arguments);
    operands.push(u32::from(f.module.types.lanes(call.result)));
    f.ext(Cl::vloadn, call.result, &operands)
}

/// `vload_half`, and with `vectors` its forms for vectors.
pub(super) fn vload_half(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, vectors: Cl) -> Id {
    let mut operands = f.operands(call.arguments);
    match f.module.types.lanes(call.result) {
        1 => f.ext(Cl::vload_half, call.result, &operands),
        lanes => {
            operands.push(u32::from(lanes));
            f.ext(vectors, call.result, &operands)
        }
    }
}

/// `vstore_half` and its forms; without a rounding mode to nearest even.
pub(super) fn vstore_half(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    rounding: Option<Rounding>,
    aligned: bool,
) -> Id {
    let mut operands = f.operands(call.arguments);
    let scalar = f.module.types.lanes(f.ty(call.arguments[0])) == 1;
    let op = match (scalar, aligned, rounding.is_some()) {
        (true, _, false) => Cl::vstore_half,
        (true, _, true) => Cl::vstore_half_r,
        (false, false, false) => Cl::vstore_halfn,
        (false, false, true) => Cl::vstore_halfn_r,
        (false, true, false) => Cl::vstorea_halfn,
        (false, true, true) => Cl::vstorea_halfn_r,
    };
    if let Some(rounding) = rounding {
        operands.push(match rounding {
            Rounding::NearestEven => FPRoundingMode::RTE,
            Rounding::TowardZero => FPRoundingMode::RTZ,
            Rounding::TowardPositive => FPRoundingMode::RTP,
            Rounding::TowardNegative => FPRoundingMode::RTN,
        } as u32);
    }
    f.ext(op, TypePool::VOID, &operands);
    0
}

/// `async_work_group_copy` and `async_work_group_strided_copy`. Operands: destination, source,
/// number of elements, the stride of the strided form, event.
pub(super) fn async_copy(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let operands = f.operands(call.arguments);
    let scope = f.module.u32_constant(Scope::Workgroup as u32);
    let size_t = f.module.types.size_type();
    let (stride, event) = match operands[3..] {
        [stride, event] => (stride, event),
        [event] => (f.module.int_constant(size_t, 1), event),
        _ => f.not_legal(call),
    };
    f.op(
        Op::GroupAsyncCopy,
        call.result,
        &[scope, operands[0], operands[1], operands[2], stride, event],
    )
}

pub(super) fn wait_group_events(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let operands = f.operands(call.arguments);
    let scope = f.module.u32_constant(Scope::Workgroup as u32);
    f.op_void(Op::GroupWaitEvents, &[scope, operands[0], operands[1]]);
    0
}

/// Whether a generic pointer points to memory of a class.
fn pointed_to(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, class: StorageClass) -> Id {
    let pointee = f.pointer_parts(call.arguments[0]).map_or(TypePool::I8, |(pointee, _)| pointee);
    let ty = f.module.types.pointer(pointee, class);
    let operand = match class {
        StorageClass::Workgroup => spirv::StorageClass::Workgroup,
        _ => spirv::StorageClass::CrossWorkgroup,
    };
    let pointer = f.operand(call.arguments[0]);
    let named = f.op(Op::GenericCastToPtrExplicit, ty, &[pointer, operand as u32]);
    let size_t = f.module.types.size_type();
    let address = f.op(Op::ConvertPtrToU, size_t, &[named]);
    f.is_nonzero(address, size_t)
}

const CLK_LOCAL_MEM_FENCE: u64 = 1;
const CLK_GLOBAL_MEM_FENCE: u64 = 2;

/// `get_fence`: the fence flag for what a pointer points to.
pub(super) fn get_fence(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let class = f.pointer_parts(call.arguments[0]).map(|(_, class)| class);
    match class {
        Some(StorageClass::Workgroup) => f.module.int_constant(call.result, CLK_LOCAL_MEM_FENCE),
        Some(StorageClass::CrossWorkgroup) => {
            f.module.int_constant(call.result, CLK_GLOBAL_MEM_FENCE)
        }
        Some(StorageClass::Generic) => {
            // Drivers know this cast better than OpGenericPtrMemSemantics.
            let zero = f.module.int_constant(call.result, 0);
            let local = pointed_to(f, call, StorageClass::Workgroup);
            let local_flag = f.module.int_constant(call.result, CLK_LOCAL_MEM_FENCE);
            let flag = f.op(Op::Select, call.result, &[local, local_flag, zero]);
            let global = pointed_to(f, call, StorageClass::CrossWorkgroup);
            let global_flag = f.module.int_constant(call.result, CLK_GLOBAL_MEM_FENCE);
            f.op(Op::Select, call.result, &[global, global_flag, flag])
        }
        _ => f.module.int_constant(call.result, 0),
    }
}
