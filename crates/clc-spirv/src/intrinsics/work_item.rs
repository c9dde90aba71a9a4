//! Work-item functions: built-in variables in Input storage, and clocks.

use clc_ir::TypePool;
use spirv::{BuiltIn, Capability, Op, Scope};

use crate::emit::{Call, FunctionEmitter, Id};

/// A component of a three-component built-in variable; `outside` for other dimensions.
pub(super) fn dimension(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    builtin: BuiltIn,
    outside: u64,
) -> Id {
    let size_t = f.module.types.size_type();
    let dimension = call.arguments[0];
    if let Some(index) = f.constant_int(dimension) {
        if index > 2 {
            return f.module.int_constant(size_t, outside);
        }
        let vector = f.load_builtin(builtin);
        return f.op(Op::CompositeExtract, size_t, &[vector, index as u32]);
    }
    let vector = f.load_builtin(builtin);
    let index = f.operand(dimension);
    let index_type = f.ty(dimension);
    let limit = f.module.int_constant(index_type, 3);
    let inside = f.op(Op::ULessThan, TypePool::BOOL, &[index, limit]);
    let component = f.op(Op::VectorExtractDynamic, size_t, &[vector, index]);
    let outside = f.module.int_constant(size_t, outside);
    f.op(Op::Select, size_t, &[inside, component, outside])
}

/// The masks of cl_khr_subgroup_ballot.
pub(super) fn mask(f: &mut FunctionEmitter<'_, '_>, builtin: BuiltIn) -> Id {
    f.module.capability(Capability::GroupNonUniformBallot);
    f.load_builtin(builtin)
}

/// cl_khr_kernel_clock.
pub(super) fn clock(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, scope: Scope) -> Id {
    f.module.capability(Capability::ShaderClockKHR);
    f.module.extension("SPV_KHR_shader_clock");
    let scope = f.module.u32_constant(scope as u32);
    f.op(Op::ReadClockKHR, call.result, &[scope])
}
