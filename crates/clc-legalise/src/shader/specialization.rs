//! The numbers of specialization constants: the program's are as it says, and the compiler's own follow.

use clc_base::lang::GroupExtent;
use clc_builtins::Intrinsic;
use clc_ir::{Const, InstKind, Module};

use super::Shader;
use crate::reflection::{ArgumentKind, WorkGroupSize};

/// Moves the compiler's constants behind those of the program, for hosts as for the emitter.
pub(crate) fn run(module: &Module, shader: &mut Shader) {
    let first = numbers(module).max().map_or(0, |last| last + 1);
    shader.own_constants = first;
    for kernel in &mut shader.reflection.kernels {
        if let WorkGroupSize::Constants { ids, default, of_program, required: _ } =
            &mut kernel.work_group_size
        {
            match shader.group {
                Some(extents) => {
                    *of_program = true;
                    *ids = extents.map(number);
                    *default = extents.map(GroupExtent::default_size);
                }
                None => *ids = ids.map(|id| id.map(|id| id + first)),
            }
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
}

/// The number of a constant that is the size of work-groups.
fn number(extent: GroupExtent) -> Option<u32> {
    match extent {
        GroupExtent::Fixed(_) => None,
        GroupExtent::Constant { number, .. } => Some(number),
    }
}

/// The number of every mention of a constant.
fn numbers(module: &Module) -> impl Iterator<Item = u32> {
    let entries = module.functions.values().filter_map(|it| it.entry_point.as_deref());
    let extents = entries.filter_map(|entry| entry.work_group_constants).flatten();
    let in_code = module.functions.values().flat_map(move |function| {
        let insts = function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
        insts.filter_map(move |&inst| {
            let InstKind::Intrinsic { intrinsic: Intrinsic::SpecConstant, arguments } =
                function.insts[inst].kind
            else {
                return None;
            };
            let number = function.values_of(arguments).next()?.as_const()?;
            match module.consts.get(number) {
                Const::Int(_, number) => Some(*number as u32),
                _ => None,
            }
        })
    });
    in_code.chain(extents.filter_map(number))
}
