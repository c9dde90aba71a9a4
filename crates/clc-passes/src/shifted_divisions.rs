//! Shifts, and masks, in place of signed divisions by powers of two whose dividend is not negative.
//!
//! Compilers of drivers would do so by themselves if they saw that it is not: but they are told neither that a sum of
//! `int` does not wrap ([`MathFlags::NO_SIGNED_WRAP`]) nor how large work-groups are. A signed division rounds towards
//! zero, which takes four instructions and not one.

use clc_ir::{BinaryOp, Const, Function, Inst, InstKind, MathFlags, Value};

use crate::context::ModuleContext;
use crate::signs::Signs;

/// Rewrites the divisions of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let mut divisions = Vec::new();
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            if let InstKind::Binary { op: BinaryOp::SDiv | BinaryOp::SRem, left, right } =
                function.insts[inst].kind
                && let Some(divisor) = context.signed(right).filter(|divisor| *divisor > 1)
                && divisor.cast_unsigned().is_power_of_two()
            {
                divisions.push((block, inst, left, divisor));
            }
        }
    }
    if divisions.is_empty() {
        return;
    }
    let signs = Signs::new(function);
    divisions.retain(|&(block, _, left, _)| signs.is_not_negative(context, function, left, block));
    for (_, inst, left, divisor) in divisions {
        replace(context, function, inst, left, divisor);
    }
}

fn replace(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    inst: Inst,
    left: Value,
    divisor: i64,
) {
    let ty = context.type_of(function, left);
    let data = &mut function.insts[inst];
    let divides = matches!(data.kind, InstKind::Binary { op: BinaryOp::SDiv, .. });
    let (op, number) = match divides {
        true => (BinaryOp::LShr, u64::from(divisor.trailing_zeros())),
        false => (BinaryOp::And, divisor as u64 - 1),
    };
    let right = context.consts.intern(Const::Int(ty, number));
    data.kind = InstKind::Binary { op, left, right };
    data.math = MathFlags::NONE;
}
