//! Integer functions on words, for which there are instructions.

use spirv::{GlslStd450Op as Gl, Op};

use crate::emit::{Call, FunctionEmitter, Id};

/// The upper word of the product.
pub(super) fn mul_hi(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    let part = f.module.type_id(call.result);
    let parts = f.module.raw_type(Op::TypeStruct, &[part, part]);
    let operands = f.operands(call.arguments);
    let product = f.op_raw(op, parts, &operands);
    f.extract(product, call.result, &[1])
}

/// The most significant bit is counted from the other end; zero has bit -1.
pub(super) fn clz(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let value = f.operand(call.arguments[0]);
    let bit = f.glsl(Gl::FindUMsb, call.result, &[value]);
    let last = f.splat_int(call.result, 31);
    f.op(Op::ISub, call.result, &[last, bit])
}

/// Zero has bit -1, which is the largest number.
pub(super) fn ctz(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let value = f.operand(call.arguments[0]);
    let bit = f.glsl(Gl::FindILsb, call.result, &[value]);
    let all = f.splat_int(call.result, 32);
    f.glsl(Gl::UMin, call.result, &[bit, all])
}
