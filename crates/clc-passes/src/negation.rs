//! Negative numbers without a negation.
//!
//! Compilers of shaders that must keep the signs of zeros compute a negation as a difference, an instruction of
//! its own, before an `fma`. A product or a quotient with a constant is negated by negating the constant, to the last
//! bit.

use clc_ir::{BinaryOp, Function, Inst, InstKind, UnaryOp, Value};

use crate::fold::Folder;

/// How many products of products are looked through.
const MAX_DEPTH: usize = 4;

/// The operation that computes `-value` as well as a negation would, if there is one. `value` must have no other
/// use, as `is_used_once` says of values, or it would be computed twice. What the operation needs that is not there yet
/// is added to `new`.
pub fn without_negation(
    function: &mut Function,
    folder: &mut Folder<'_>,
    is_used_once: &dyn Fn(Value) -> bool,
    value: Value,
    new: &mut Vec<Inst>,
) -> Option<InstKind> {
    look(function, folder, is_used_once, value, new, MAX_DEPTH)
}

fn look(
    function: &mut Function,
    folder: &mut Folder<'_>,
    is_used_once: &dyn Fn(Value) -> bool,
    value: Value,
    new: &mut Vec<Inst>,
    depth: usize,
) -> Option<InstKind> {
    if depth == 0 || !is_used_once(value) {
        return None;
    }
    let (_, data) = function.def_inst(value)?;
    let InstKind::Binary { op: op @ (BinaryOp::FMul | BinaryOp::FDiv), left, right } = data.kind
    else {
        return None;
    };
    if let Some(right) = folder.unary(UnaryOp::FNeg, right) {
        return Some(InstKind::Binary { op, left, right });
    }
    if let Some(left) = folder.unary(UnaryOp::FNeg, left) {
        return Some(InstKind::Binary { op, left, right });
    }
    let mut operand = |operand: Value| {
        let kind = look(function, folder, is_used_once, operand, new, depth - 1)?;
        let (_, inner) = function.def_inst(operand)?;
        let (float, location) = (inner.math, inner.location);
        let ty = function.values[operand.as_local()?].ty;
        let inst = function.create_inst(kind, Some(ty), float, location);
        new.push(inst);
        function.insts[inst].result
    };
    if let Some(right) = operand(right) {
        return Some(InstKind::Binary { op, left, right });
    }
    let left = operand(left)?;
    Some(InstKind::Binary { op, left, right })
}
