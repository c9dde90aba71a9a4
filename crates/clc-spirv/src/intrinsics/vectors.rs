//! Dot products and shuffles of vectors.

use clc_ir::{Const, TypePool};
use smallvec::SmallVec;
use spirv::{Op, OpenclStd100Op as Cl};

use crate::emit::{Call, FunctionEmitter, Id};

/// `dot`; of scalars it is the product.
pub(super) fn dot(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let operands = f.operands(call.arguments);
    let op = if f.module.types.lanes(f.ty(call.arguments[0])) == 1 { Op::FMul } else { Op::Dot };
    let id = f.op(op, call.result, &operands);
    if op == Op::FMul {
        f.fast_math(id, call.math);
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
        return dynamic_shuffle(f, call, if two { Cl::shuffle2 } else { Cl::shuffle });
    };
    let left = f.operand(call.arguments[0]);
    let right = if two { f.operand(call.arguments[1]) } else { left };
    let mut operands: SmallVec<[u32; 18]> = SmallVec::new();
    operands.extend_from_slice(&[left, right]);
    operands.extend_from_slice(&lanes);
    f.op(Op::VectorShuffle, call.result, &operands)
}

/// A shuffle by a mask that is computed. The Intel runtime has none of halves: they go as shorts.
fn dynamic_shuffle(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Cl) -> Id {
    if f.module.types.scalar(call.result) != TypePool::F16 {
        return super::ext(f, call, op);
    }
    let mut operands = f.operands(call.arguments);
    let (mask, vectors) = match operands.split_last_mut() {
        Some((mask, vectors)) => (*mask, vectors),
        None => return 0,
    };
    for (vector, &value) in vectors.iter_mut().zip(call.arguments) {
        let ty = f.ty(value);
        let shorts = f.module.types.with_scalar(ty, TypePool::I16);
        *vector = f.op(Op::Bitcast, shorts, &[*vector]);
    }
    let mut shuffled: SmallVec<[Id; 3]> = SmallVec::from_slice(vectors);
    shuffled.push(mask);
    let shorts = f.module.types.with_scalar(call.result, TypePool::I16);
    let id = f.ext(op, shorts, &shuffled);
    f.op(Op::Bitcast, call.result, &[id])
}
