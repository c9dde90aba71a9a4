//! Integer arithmetic on addresses that computes at once what is constant.

use clc_ir::{BinaryOp, Builder, Const, ConvertOp, Type, TypePool, Value};

/// The value of an integer constant, sign-extended.
pub(super) fn constant(b: &Builder<'_>, value: Value) -> Option<i64> {
    match b.consts.get(value.as_const()?) {
        Const::Int(ty, bits) => {
            let unused = 64 - u32::from(b.types.scalar_bits(*ty)?);
            Some(((*bits << unused) as i64) >> unused)
        }
        _ => None,
    }
}

/// `left op right` for integers of one type.
pub(super) fn binary(b: &mut Builder<'_>, op: BinaryOp, left: Value, right: Value) -> Value {
    let ty = b.ty(left);
    let bits = b.types.scalar_bits(ty).unwrap_or(64);
    let (x, y) = (constant(b, left), constant(b, right));
    if let (Some(x), Some(y)) = (x, y) {
        let unsigned = if bits == 64 { x as u64 } else { x as u64 & ((1 << bits) - 1) };
        let result = match op {
            BinaryOp::IAdd => Some(x.wrapping_add(y) as u64),
            BinaryOp::IMul => Some(x.wrapping_mul(y) as u64),
            BinaryOp::Shl => Some((x as u64) << y),
            BinaryOp::LShr => Some(unsigned >> y),
            BinaryOp::And => Some((x & y) as u64),
            BinaryOp::Or => Some((x | y) as u64),
            _ => None,
        };
        if let Some(result) = result {
            return b.int(ty, result);
        }
    }
    match (op, x, y) {
        (BinaryOp::IAdd | BinaryOp::Or, Some(0), _) => right,
        (BinaryOp::IAdd | BinaryOp::Or | BinaryOp::Shl | BinaryOp::LShr, _, Some(0))
        | (BinaryOp::IMul, _, Some(1)) => left,
        _ => b.binary(op, left, right),
    }
}

pub(super) fn add(b: &mut Builder<'_>, left: Value, right: Value) -> Value {
    binary(b, BinaryOp::IAdd, left, right)
}

/// `value op` a constant.
pub(super) fn with(b: &mut Builder<'_>, op: BinaryOp, value: Value, constant: u64) -> Value {
    let ty = b.ty(value);
    let constant = b.int(ty, constant);
    binary(b, op, value, constant)
}

/// `value * factor`.
pub(super) fn scaled(b: &mut Builder<'_>, value: Value, factor: u64) -> Value {
    if factor.is_power_of_two() {
        return with(b, BinaryOp::Shl, value, u64::from(factor.trailing_zeros()));
    }
    with(b, BinaryOp::IMul, value, factor)
}

/// An integer of any width as one of type `ty`; signed if it becomes wider.
pub(super) fn resized(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    resize(b, value, ty, ConvertOp::SignExtend)
}

/// As [`resized`], with zeros above.
pub(super) fn zero_extended(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    resize(b, value, ty, ConvertOp::ZeroExtend)
}

fn resize(b: &mut Builder<'_>, value: Value, ty: Type, extend: ConvertOp) -> Value {
    let from = b.ty(value);
    let (Some(old), Some(new)) = (b.types.scalar_bits(from), b.types.scalar_bits(ty)) else {
        return value;
    };
    if old == new {
        return value;
    }
    if let Some(number) = constant(b, value) {
        let mask = if old == 64 { u64::MAX } else { (1 << old) - 1 };
        let number = number as u64;
        return b.int(ty, if extend == ConvertOp::ZeroExtend { number & mask } else { number });
    }
    b.convert(if new < old { ConvertOp::Truncate } else { extend }, value, ty)
}

/// The integer type as wide as a scalar type.
pub(super) fn integer(types: &mut TypePool, scalar: Type) -> Type {
    let bits = types.scalar_bits(scalar).unwrap_or(64);
    types.int(bits)
}
