//! `a * b + c` as `mad(a, b, c)`, where `-cl-mad-enable` trades precision for speed (OpenCL API,
//! math intrinsics options).
//!
//! Both operations must allow contraction, and the product must have no other use, or it would be
//! computed twice.

use clc_builtins::Intrinsic;
use clc_ir::{BinaryOp, FloatFlags, Function, InstKind, Value, ValueDef};

use crate::pipeline::Shared;

pub fn run(shared: &mut Shared<'_>, function: &mut Function) {
    if shared.float_options.mad_enable {
        contract(function);
    }
}

fn contract(function: &mut Function) {
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
                if uses[index] == 1 && data.float.has(FloatFlags::CONTRACT) =>
            {
                Some((left, right))
            }
            _ => None,
        }
    };
    for block in function.layout.clone() {
        for inst in function.blocks[block].insts.clone() {
            let data = function.insts[inst];
            let InstKind::Binary { op: BinaryOp::FAdd, left, right } = data.kind else { continue };
            if !data.float.has(FloatFlags::CONTRACT) {
                continue;
            }
            let found = product(function, left)
                .map(|(a, b)| [a, b, right])
                .or_else(|| product(function, right).map(|(a, b)| [a, b, left]));
            if let Some(operands) = found {
                let arguments = function.list(&operands);
                function.insts[inst].kind =
                    InstKind::Intrinsic { intrinsic: Intrinsic::Mad, arguments };
            }
        }
    }
}
