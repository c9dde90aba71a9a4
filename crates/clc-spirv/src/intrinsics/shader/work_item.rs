//! Work-item functions in shaders: built-in variables of 32 bits, where OpenCL C has `size_t`.

use clc_ir::TypePool;
use spirv::{BuiltIn, Capability, Op};

use crate::emit::{Call, FunctionEmitter, Id};

pub(super) fn local_linear_id(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let index = f.load_builtin(BuiltIn::LocalInvocationIndex);
    widened(f, call, index)
}

pub(super) fn sub_group(f: &mut FunctionEmitter<'_, '_>, builtin: BuiltIn) -> Id {
    f.module.capability(Capability::GroupNonUniform);
    f.load_builtin(builtin)
}

pub(super) fn mask(f: &mut FunctionEmitter<'_, '_>, builtin: BuiltIn) -> Id {
    f.module.capability(Capability::GroupNonUniformBallot);
    f.load_builtin(builtin)
}

/// 32 bits as the type that the call gives.
fn widened(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, id: Id) -> Id {
    if call.result == TypePool::I32 { id } else { f.op(Op::UConvert, call.result, &[id]) }
}

/// A component of a three-component built-in variable; `outside` for other dimensions.
pub(super) fn dimension(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    builtin: BuiltIn,
    outside: u64,
) -> Id {
    let dimension = call.arguments[0];
    if let Some(index) = f.constant_int(dimension) {
        if index > 2 {
            return f.module.int_constant(call.result, outside);
        }
        let vector = f.load_builtin(builtin);
        let component = f.op(Op::CompositeExtract, TypePool::I32, &[vector, index as u32]);
        return widened(f, call, component);
    }
    let vector = f.load_builtin(builtin);
    let index = f.operand(dimension);
    let index_type = f.ty(dimension);
    // A dynamic index beyond the last component would be undefined.
    let limit = f.module.int_constant(index_type, 3);
    let inside = f.op(Op::ULessThan, TypePool::BOOL, &[index, limit]);
    let first = f.module.int_constant(index_type, 0);
    let index = f.op(Op::Select, index_type, &[inside, index, first]);
    let component = f.op(Op::VectorExtractDynamic, TypePool::I32, &[vector, index]);
    let component = widened(f, call, component);
    let outside = f.module.int_constant(call.result, outside);
    f.op(Op::Select, call.result, &[inside, component, outside])
}
