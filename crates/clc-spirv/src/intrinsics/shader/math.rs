//! Functions that take more than one instruction of GLSL.std.450.

use clc_ir::{Const, Type, TypeKind};
use spirv::{GlslStd450Op as Gl, Op};

use crate::emit::{Call, FunctionEmitter, Id};

/// A constant in every component of `ty`, by its bits as a half, a float and a double.
fn constant(f: &mut FunctionEmitter<'_, '_>, ty: Type, bits: [u64; 3]) -> Id {
    let scalar = f.module.types.scalar(ty);
    let [half, float, double] = bits;
    let bits = match f.module.types.kind(scalar) {
        TypeKind::Float(16) => half,
        TypeKind::Float(64) => double,
        _ => float,
    };
    let value = f.module.consts.intern(Const::Float(scalar, bits));
    let lanes = usize::from(f.module.types.lanes(ty));
    let value = match lanes {
        1 => value,
        _ => f.module.consts.intern(Const::Composite(ty, vec![value; lanes].into())),
    };
    f.operand(value)
}

pub(super) fn divide(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let operands = f.operands(call.arguments);
    let id = f.op(Op::FDiv, call.result, &operands);
    f.fast_math(id, call.math);
    id
}

pub(super) fn reciprocal(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let one = constant(f, call.result, [0x3c00, 0x3f80_0000, 1f64.to_bits()]);
    let value = f.operand(call.arguments[0]);
    let id = f.op(Op::FDiv, call.result, &[one, value]);
    f.fast_math(id, call.math);
    id
}

/// `exp2(x * log2(10))`
pub(super) fn exp10(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let factor = std::f64::consts::LOG2_10;
    let bits = [0x42a5, u64::from((factor as f32).to_bits()), factor.to_bits()];
    let factor = constant(f, call.result, bits);
    let value = f.operand(call.arguments[0]);
    let exponent = f.op(Op::FMul, call.result, &[value, factor]);
    f.glsl(Gl::Exp2, call.result, &[exponent])
}

/// `log2(x) * log10(2)`
pub(super) fn log10(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let factor = std::f64::consts::LOG10_2;
    let bits = [0x34d1, u64::from((factor as f32).to_bits()), factor.to_bits()];
    let factor = constant(f, call.result, bits);
    let value = f.operand(call.arguments[0]);
    let logarithm = f.glsl(Gl::Log2, call.result, &[value]);
    f.op(Op::FMul, call.result, &[logarithm, factor])
}
