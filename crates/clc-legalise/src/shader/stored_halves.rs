//! Says how floats are rounded that are stored as halves in buffers: to the nearest, and even of two.
//!
//! A shader's `OpFConvert` rounds as the device likes. FPRoundingMode says otherwise, and Vulkan has it for this case
//! alone (VUID-StandaloneSpirv-FPRoundingMode-04675): what is converted is all that stores write to buffers.

use clc_builtins::resolve::Rounding;
use clc_ir::{ConvertOp, Function, InstData, InstKind, Module, StorageClass, TypePool, Value};
use rustc_hash::FxHashSet;

/// Runs behind all passes that join stores.
pub(crate) fn run(module: &mut Module) {
    let Module { types, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        let halves = stored_halves(types, function);
        for data in function.insts.values_mut() {
            if let InstKind::Convert { rounding, .. } = &mut data.kind
                && data.result.is_some_and(|result| halves.contains(&result))
            {
                *rounding = Some(Rounding::NearestEven);
            }
        }
    }
}

/// Floats that become halves, in no other way than by default, and are stored in buffers and nothing else.
fn stored_halves(types: &TypePool, function: &Function) -> FxHashSet<Value> {
    let insts = || function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
    let mut halves: FxHashSet<Value> =
        insts().filter_map(|&inst| rounded_half(types, function, &function.insts[inst])).collect();
    if halves.is_empty() {
        return halves;
    }
    for &inst in insts() {
        match function.insts[inst].kind {
            InstKind::Store { pointer, .. } if is_in_buffer(types, function, pointer) => {}
            _ => function.each_operand(inst, |operand| _ = halves.remove(&operand)),
        }
    }
    for &block in &function.layout {
        function.each_terminator_operand(block, |operand| _ = halves.remove(&operand));
    }
    halves
}

fn rounded_half(types: &TypePool, function: &Function, inst: &InstData) -> Option<Value> {
    let InstKind::Convert { op: ConvertOp::FToF, operand, rounding: None, .. } = inst.kind else {
        return None;
    };
    let scalar = |value: Value| Some(types.scalar(function.values[value.as_local()?].ty));
    let half = inst.result?;
    (scalar(half)? == TypePool::F16 && scalar(operand)? == TypePool::F32).then_some(half)
}

fn is_in_buffer(types: &TypePool, function: &Function, pointer: Value) -> bool {
    let ty = pointer.as_local().map(|index| function.values[index].ty);
    let class = ty.and_then(|ty| types.pointer_parts(ty)).map(|(_, class)| class);
    matches!(class, Some(StorageClass::PhysicalStorageBuffer | StorageClass::StorageBuffer))
}
