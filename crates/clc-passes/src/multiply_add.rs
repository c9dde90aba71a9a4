//! `a * b + c` as `mad(a, b, c)`: where `-cl-mad-enable` trades precision for speed (OpenCL API,
//! math intrinsics options), and for shaders, where contraction cannot be allowed without allowing
//! sums to be taken in another order too (SPIR-V, NoContraction), which OpenCL C does not.
//!
//! Both operations must allow contraction, and the product must have no other use, or it would be
//! computed twice.

use clc_builtins::Intrinsic;
use clc_ir::{BinaryOp, FloatFlags, Function, InstKind, UnaryOp, Value, ValueDef};

use crate::context::ModuleContext;

/// Contracts where `-cl-mad-enable` is given.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if context.float_options.mad_enable {
        contract(context, function);
    }
}

/// [`run`], whether or not there is the option.
pub fn contract(_: &mut ModuleContext<'_>, function: &mut Function) {
    let mut uses = vec![0u32; function.values.len()];
    let count = |value: Value, uses: &mut Vec<u32>| {
        if let Some(index) = value.as_local() {
            uses[index] += 1;
        }
    };
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            function.each_operand(inst, |value| count(value, &mut uses));
        }
        function.each_terminator_operand(block, |value| count(value, &mut uses));
    }
    let product = |function: &Function, value: Value| {
        let index = value.as_local()?;
        let ValueDef::Inst(inst) = function.values[index].def else { return None };
        let data = &function.insts[inst];
        match data.kind {
            InstKind::Binary { op: BinaryOp::FMul, left, right }
                if uses.get(index) == Some(&1) && data.float.has(FloatFlags::CONTRACT) =>
            {
                Some((left, right))
            }
            _ => None,
        }
    };
    for block in function.layout.clone() {
        let mut kept = Vec::new();
        for inst in std::mem::take(&mut function.blocks[block].insts) {
            let data = function.insts[inst];
            let sum = match data.kind {
                InstKind::Binary { op: op @ (BinaryOp::FAdd | BinaryOp::FSub), left, right }
                    if data.float.has(FloatFlags::CONTRACT) =>
                {
                    Some((op, left, right))
                }
                _ => None,
            };
            let found = sum.and_then(|(op, left, right)| {
                let is_difference = op == BinaryOp::FSub;
                product(function, left)
                    .map(|(a, b)| ([a, b, right], is_difference.then_some(2)))
                    .or_else(|| {
                        let (a, b) = product(function, right)?;
                        Some(([a, b, left], is_difference.then_some(0)))
                    })
            });
            if let (Some((mut operands, negated)), Some(result)) = (found, data.result) {
                if let Some(negated) = negated {
                    let kind = InstKind::Unary { op: UnaryOp::FNeg, operand: operands[negated] };
                    let ty = result.as_local().map(|index| function.values[index].ty);
                    let negation = function.create_inst(kind, ty, data.float, data.location);
                    kept.push(negation);
                    operands[negated] = function.insts[negation].result.unwrap_or(result);
                }
                let arguments = function.list(&operands);
                function.insts[inst].kind =
                    InstKind::Intrinsic { intrinsic: Intrinsic::Mad, arguments };
            }
            kept.push(inst);
        }
        function.blocks[block].insts = kept;
    }
}
