//! Sub-group shuffles of vectors that the target has for scalars only.
//!
//! * OpGroupNonUniformBroadcast takes a constant index before SPIR-V 1.5; a shuffle takes any, but in
//!   an OpenCL environment it takes scalars only (OpenCL SPIR-V Environment Specification, shuffles).
//! * The shuffles of cl_intel_subgroups take vectors of 32-bit types, and of `char` and `short` with
//!   cl_intel_subgroups_char and _short; `half`, `double`, `long` and `ulong` are scalars there.
//!
//! What is left becomes one shuffle for each component.

use clc_builtins::Intrinsic;
use clc_ir::{
    Builder, Const, ConstPool, Function, Inst, InstKind, Module, Type, TypeKind, TypePool, Value,
};

use crate::{Environment, TargetOptions};

/// Replaces what the target of `options` lacks by shuffles of scalars.
pub(crate) fn run(module: &mut Module, options: &TargetOptions) {
    let target = Target {
        broadcasts: options.spirv_version >= (1, 5),
        is_vulkan: matches!(options.environment, Environment::Vulkan { .. }),
    };
    let Module { types, consts, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        run_function(types, consts, function, target);
    }
}

#[derive(Clone, Copy)]
struct Target {
    /// Broadcasts take any index.
    broadcasts: bool,
    is_vulkan: bool,
}

impl Target {
    /// The shuffle of scalars to write for a call, if the target lacks the instruction for it.
    fn shuffle(
        self,
        function: &Function,
        types: &TypePool,
        consts: &ConstPool,
        inst: Inst,
    ) -> Option<Intrinsic> {
        let data = &function.insts[inst];
        let InstKind::Intrinsic { intrinsic, arguments } = data.kind else { return None };
        let ty = function.values[data.result?.as_local()?].ty;
        let takes_index = || {
            let index = function.value_at(arguments, 1).as_const();
            self.broadcasts || index.is_some_and(|id| matches!(consts.get(id), Const::Int(..)))
        };
        match intrinsic {
            Intrinsic::SubGroupNonUniformBroadcast => {
                (!takes_index()).then_some(Intrinsic::SubGroupShuffle)
            }
            // For OpenCL it has an instruction of its own.
            Intrinsic::SubGroupBroadcast if self.is_vulkan => {
                (!takes_index()).then_some(Intrinsic::SubGroupShuffle)
            }
            Intrinsic::IntelSubGroupShuffle
            | Intrinsic::IntelSubGroupShuffleDown
            | Intrinsic::IntelSubGroupShuffleUp
            | Intrinsic::IntelSubGroupShuffleXor => {
                let TypeKind::Vector(element, _) = types.kind(ty) else { return None };
                let is_listed = match types.kind(element) {
                    TypeKind::Int(bits) => bits <= 32,
                    TypeKind::Float(bits) => bits == 32,
                    _ => true,
                };
                (!is_listed).then_some(intrinsic)
            }
            _ => None,
        }
    }
}

fn run_function(
    types: &mut TypePool,
    consts: &mut ConstPool,
    function: &mut Function,
    target: Target,
) {
    // By local value: what replaces it.
    let mut replacements: Vec<Option<Value>> = Vec::new();
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        let insts = &function.blocks[block].insts;
        if !insts.iter().any(|&inst| target.shuffle(function, types, consts, inst).is_some()) {
            continue;
        }
        replacements.resize(function.values.len(), None);
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let terminator = std::mem::take(&mut function.blocks[block].terminator);
        let mut builder = Builder::new(types, consts, function, block);
        for inst in insts {
            let data = builder.function.insts[inst];
            let shuffle = target.shuffle(builder.function, builder.types, builder.consts, inst);
            match (shuffle, data.kind, data.result) {
                (Some(shuffle), InstKind::Intrinsic { arguments, .. }, Some(result)) => {
                    let arguments: Vec<Value> = builder.function.values_of(arguments).collect();
                    builder.location = data.location;
                    let value = by_component(&mut builder, shuffle, &arguments);
                    replacements[result.as_local().unwrap_or_default()] = Some(value);
                }
                _ => builder.function.blocks[block].insts.push(inst),
            }
        }
        function.blocks[block].terminator = terminator;
    }
    if !replacements.is_empty() {
        function.map_all_operands(|value| {
            let replacement = value.as_local().and_then(|local| replacements.get(local));
            replacement.copied().flatten().unwrap_or(value)
        });
    }
}

/// A shuffle of each component of the first operands; the last says where from, or how far.
fn by_component(builder: &mut Builder<'_>, shuffle: Intrinsic, arguments: &[Value]) -> Value {
    let (&from, values) = arguments.split_last().expect("a shuffle has two operands at least");
    let ty = builder.ty(values[0]);
    let TypeKind::Vector(element, lanes) = builder.types.kind(ty) else {
        return scalar(builder, shuffle, arguments, ty);
    };
    let parts: Vec<Value> = (0..u32::from(lanes))
        .map(|lane| {
            let mut operands: Vec<Value> =
                values.iter().map(|&value| builder.extract(value, &[lane])).collect();
            operands.push(from);
            scalar(builder, shuffle, &operands, element)
        })
        .collect();
    builder.construct(ty, &parts)
}

fn scalar(builder: &mut Builder<'_>, shuffle: Intrinsic, arguments: &[Value], ty: Type) -> Value {
    builder.intrinsic(shuffle, arguments, ty).expect("a shuffle has a result")
}
