//! The numbers of specialization constants: the program's are as it says, and the compiler's own follow.

use clc_builtins::Intrinsic;
use clc_ir::{Const, InstKind, Module, Value};

use super::Shader;
use crate::reflection::{ArgumentKind, SpecConstant, WorkGroupSize};

/// Lists the program's constants in the reflection, and moves the others behind them.
pub(crate) fn run(module: &Module, shader: &mut Shader) {
    let mut constants: Vec<SpecConstant> = named(module).collect();
    constants.sort_by_key(|constant| constant.id);
    constants.dedup_by_key(|constant| constant.id);
    let first = constants.last().map_or(0, |last| last.id + 1);
    shader.own_constants = first;
    for kernel in &mut shader.reflection.kernels {
        if let WorkGroupSize::Constants { ids, required: _ } = &mut kernel.work_group_size {
            *ids = ids.map(|id| id + first);
        }
        for argument in &mut kernel.arguments {
            if let ArgumentKind::Local { constant, .. } = &mut argument.kind {
                *constant += first;
            }
        }
    }
    if let Some(clspv) = &mut shader.clspv {
        clspv.first_constant = first;
        if let Some(work_dim) = &mut clspv.work_dim {
            *work_dim += first;
        }
    }
    shader.reflection.constants = constants;
}

/// Every mention of a constant.
fn named(module: &Module) -> impl Iterator<Item = SpecConstant> {
    let constant = |value: Value| value.as_const().map(|id| module.consts.get(id));
    module.functions.values().flat_map(move |function| {
        let insts = function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
        insts.filter_map(move |&inst| {
            let InstKind::Intrinsic { intrinsic: Intrinsic::SpecConstant, arguments } =
                function.insts[inst].kind
            else {
                return None;
            };
            let operands: Vec<Value> = function.values_of(arguments).collect();
            let (&Const::Int(_, id), default) = (constant(operands[0])?, constant(operands[1])?)
            else {
                return None;
            };
            Some(SpecConstant { id: id as u32, ..SpecConstant::of(&module.types, default)? })
        })
    })
}
