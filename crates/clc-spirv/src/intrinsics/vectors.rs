//! Dot products and shuffles of vectors.

use clc_ir::Const;
use rspirv::spirv::{Op, OpenclStd100Op as Cl};
use smallvec::SmallVec;

use crate::emit::{Call, FunctionEmitter, Id};

/// `dot`; of scalars it is the product.
pub(super) fn dot(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let operands = f.operands(call.arguments);
    let op = if f.module.types.lanes(f.ty(call.arguments[0])) == 1 { Op::FMul } else { Op::Dot };
    let id = f.op(op, call.result, &operands);
    if op == Op::FMul {
        f.fast_math(id, call.float);
    }
    id
}

/// `shuffle` and `shuffle2`: a constant mask needs no instruction of its own.
pub(super) fn shuffle(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let two = call.arguments.len() == 3;
    let Some((&mask, _)) = call.arguments.split_last() else { return 0 };
    let lanes = u64::from(f.module.types.lanes(f.ty(call.arguments[0])));
    // Only the low bits count (OpenCL C 6.15.13).
    let limit = if two { lanes * 2 } else { lanes };
    let literal = mask.as_const().and_then(|id| match f.module.consts.get(id) {
        Const::Null(_) => {
            Some(SmallVec::from_elem(0, usize::from(f.module.types.lanes(f.ty(mask)))))
        }
        Const::Composite(_, parts) => parts
            .iter()
            .map(|&part| f.constant_int(part).map(|index| (index & (limit - 1)) as u32))
            .collect::<Option<SmallVec<[u32; 18]>>>(),
        _ => None,
    });
    let Some(lanes) = literal else {
        return super::ext(f, call, if two { Cl::shuffle2 } else { Cl::shuffle });
    };
    let left = f.operand(call.arguments[0]);
    let right = if two { f.operand(call.arguments[1]) } else { left };
    let mut operands: SmallVec<[u32; 18]> = SmallVec::new();
    operands.extend_from_slice(&[left, right]);
    operands.extend_from_slice(&lanes);
    f.op(Op::VectorShuffle, call.result, &operands)
}
