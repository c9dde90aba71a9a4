//! Bit fields and dot products of integers.

use clc_builtins::DotSigns;
use spirv::{Capability, Op, PackedVectorFormat};

use crate::emit::{Call, FunctionEmitter, Id};

/// An instruction of SPV_KHR_bit_instructions.
pub(super) fn bits(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    f.module.capability(Capability::BitInstructions);
    f.module.extension("SPV_KHR_bit_instructions");
    let operands = f.operands(call.arguments);
    f.op(op, call.result, &operands)
}

/// How a dot product gets its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Vectors,
    /// Four bytes in an int.
    Packed,
}

/// A dot product, with a saturating accumulator if `accumulates`.
pub(super) fn dot(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    signs: DotSigns,
    input: Input,
    accumulates: bool,
) -> Id {
    f.module.capability(Capability::DotProduct);
    f.module.capability(match input {
        Input::Vectors => Capability::DotProductInput4x8Bit,
        Input::Packed => Capability::DotProductInput4x8BitPacked,
    });
    if !f.module.version_at_least(1, 6) {
        f.module.extension("SPV_KHR_integer_dot_product");
    }
    let mut operands = f.operands(call.arguments);
    let (product, accumulated) = match signs {
        DotSigns::UnsignedUnsigned => (Op::UDot, Op::UDotAccSat),
        DotSigns::SignedSigned => (Op::SDot, Op::SDotAccSat),
        DotSigns::SignedUnsigned => (Op::SUDot, Op::SUDotAccSat),
        DotSigns::UnsignedSigned => {
            // The signed operand comes first.
            operands.swap(0, 1);
            (Op::SUDot, Op::SUDotAccSat)
        }
    };
    if input == Input::Packed {
        operands.push(PackedVectorFormat::PackedVectorFormat4x8Bit as u32);
    }
    f.op(if accumulates { accumulated } else { product }, call.result, &operands)
}
