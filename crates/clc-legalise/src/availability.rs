//! Refuses what the target has no instruction for: by the version of SPIR-V, by extensions that
//! `--spirv-ext` forbids, and by operands that no instruction takes. What is left can be written.
//!
//! Decides the version of the module on the way: where it may be raised, the instructions that need
//! SPIR-V 1.3 raise it (see [`TargetOptions::may_raise_version`]).

use clc_base::memory_model::{AtomicOp, BarrierPart};
use clc_base::{Diagnostic, Span};
use clc_builtins::{Access, GroupOp, GroupOperation, Intrinsic as I};
use clc_ir::{
    Const, Function, InstData, InstKind, Module, StorageClass, TypeKind, TypePool, Value,
};
use rustc_hash::FxHashSet;

use crate::diagnostics::{E0703, E0708};
use crate::{Convention, Environment, TargetOptions};

/// Returns the version of the module, or every instruction that the target lacks.
pub(crate) fn run(module: &Module, options: &TargetOptions) -> Result<(u8, u8), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut version = options.spirv_version;
    let is_vulkan = matches!(options.environment, Environment::Vulkan { .. });
    // The execution mode for it came with SPIR-V 1.1.
    let wants_size = |function: &Function| {
        function.entry_point.as_ref().is_some_and(|entry| entry.sub_group_size.is_some())
    };
    if options.may_raise_version && module.functions.values().any(wants_size) {
        version = version.max((1, 1));
    }
    // So did the one for sizes of work-groups that are specialization constants, with 1.2.
    if !is_vulkan {
        for function in module.functions.values() {
            let Some(entry) = function.entry_point.as_deref() else { continue };
            if entry.work_group_constants.is_none() || version >= (1, 2) {
                continue;
            }
            if options.may_raise_version {
                version = (1, 2);
                continue;
            }
            let message = format!(
                "the size of work-groups of the kernel `{}` cannot be a specialization constant here",
                entry.name
            );
            errors.push(
                Diagnostic::new(&E0703, function.span, message)
                    .at("it needs SPIR-V 1.2 or later (LocalSizeId)")
                    .help("compile for an environment with SPIR-V 1.2, such as `--target-env=opencl2.2`"),
            );
        }
    }
    if is_vulkan && version < (1, 6) {
        forbidden_everywhere(module, options, &mut errors);
    }
    if options.environment == (Environment::OpenCl { major: 1, minor: 2 }) {
        later_features(module, options, &mut errors);
    }
    kernels(module, options, version, &mut errors);
    for function in module.functions.values() {
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                let needs = match needs(module, function, data, is_vulkan, options.spirv_version) {
                    Ok(needs) => needs,
                    Err(reason) => {
                        errors.push(refusal(data, options, reason));
                        continue;
                    }
                };
                if needs.version_1_3 && version < (1, 3) {
                    if options.may_raise_version {
                        version = (1, 3);
                    } else {
                        errors.push(refusal(data, options, "it needs SPIR-V 1.3 or later"));
                    }
                }
                if let Some(name) = needs.extension.filter(|name| !options.extensions.allows(name))
                {
                    let reason = format!("it needs {name}, which `--spirv-ext` forbids");
                    errors.push(refusal(data, options, &reason));
                }
            }
        }
    }
    if errors.is_empty() { Ok(version) } else { Err(errors) }
}

/// What OpenCL 1.2 has not, not even by an extension, by types and instructions.
fn later_features(module: &Module, options: &TargetOptions, errors: &mut Vec<Diagnostic>) {
    const ENQUEUE: &str = "device-side enqueue";
    let mut found: Vec<(&str, Span)> = Vec::new();
    let reached = options.written(module);
    for &ty in &reached.types {
        let feature = match module.types.kind(ty) {
            TypeKind::Pointer { class: StorageClass::Generic, .. } => "generic address space",
            TypeKind::DeviceEvent | TypeKind::Queue | TypeKind::NdRange => ENQUEUE,
            TypeKind::Pipe(_) | TypeKind::ReserveId => "pipes",
            TypeKind::Matrix(_) => "cooperative matrices",
            TypeKind::Image(image) if image.access == Access::ReadWrite => {
                "images that are read and written"
            }
            _ => continue,
        };
        found.push((feature, Span::NONE));
    }
    for &id in &reached.functions {
        let function = &module.functions[id];
        if function.entry_point.as_ref().is_some_and(|entry| entry.sub_group_size.is_some()) {
            found.push(("sub-groups", function.span));
        }
        for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
            let InstKind::Intrinsic { intrinsic, .. } = function.insts[inst].kind else { continue };
            let feature = match intrinsic {
                I::WorkGroupAll | I::WorkGroupAny | I::WorkGroupBroadcast | I::WorkGroup(..) => {
                    "work-group functions"
                }
                I::SubGroupAll | I::SubGroupAny | I::SubGroupBroadcast | I::SubGroup(..) => {
                    "sub-group functions"
                }
                I::GetKernelWorkGroupSize | I::GetKernelPreferredWorkGroupSizeMultiple => ENQUEUE,
                _ => continue,
            };
            found.push((feature, function.insts[inst].location.span));
        }
    }
    let mut known = FxHashSet::default();
    for (feature, span) in found {
        if known.insert(feature) {
            let message =
                format!("the target environment {} has no {feature}", options.environment);
            let help = "choose a later environment, or an OpenCL C version without the feature";
            errors.push(
                Diagnostic::new(&E0708, span, message).at("needs what is missing").help(help),
            );
        }
    }
}

/// What kernels ask of the host that the target cannot say.
fn kernels(
    module: &Module,
    options: &TargetOptions,
    version: (u8, u8),
    errors: &mut Vec<Diagnostic>,
) {
    let is_vulkan = matches!(options.environment, Environment::Vulkan { .. });
    for id in module.kernels() {
        let function = &module.functions[id];
        let Some(entry) = function.entry_point.as_deref() else { continue };
        // Dropped silently, the kernel would run with another size. Hosts of Vulkan choose it as the
        // reflection says.
        if entry.sub_group_size.is_some() && !is_vulkan && version < (1, 1) {
            let message = format!(
                "the sub-group size that `{}` requires cannot be said in SPIR-V 1.0",
                entry.name
            );
            let help = "choose `--spirv-version=1.1` or later";
            errors.push(
                Diagnostic::new(&E0708, function.span, message)
                    .at("has a required sub-group size")
                    .help(help),
            );
        }
    }
}

/// Before SPIR-V 1.5, shaders as they are written need extensions whatever they do.
fn forbidden_everywhere(module: &Module, options: &TargetOptions, errors: &mut Vec<Diagnostic>) {
    let is_old = options.spirv_version < (1, 5);
    let has_bytes = module.functions.values().any(|function| {
        function.values.iter().any(|value| module.types.scalar_bits(value.ty) == Some(8))
    });
    for (name, is_needed) in [
        ("SPV_KHR_vulkan_memory_model", is_old),
        ("SPV_KHR_physical_storage_buffer", is_old),
        ("SPV_KHR_8bit_storage", is_old && has_bytes),
        ("SPV_KHR_non_semantic_info", options.convention != Convention::Own),
    ] {
        if is_needed && !options.extensions.allows(name) {
            let message = format!(
                "modules for {} need {name}, which `--spirv-ext` forbids",
                options.environment
            );
            let help = "allow the extension, or choose `--target-env=vulkan1.3` or later";
            errors.push(Diagnostic::without_place(&E0708, message).help(help));
        }
    }
}

/// What an instruction needs of the target.
#[derive(Clone, Copy, Default)]
struct Needs {
    version_1_3: bool,
    extension: Option<&'static str>,
}

impl Needs {
    const VERSION_1_3: Needs = Needs { version_1_3: true, extension: None };

    fn extension(name: &'static str) -> Needs {
        Needs { version_1_3: false, extension: Some(name) }
    }
}

fn needs(
    module: &Module,
    function: &Function,
    data: &InstData,
    is_vulkan: bool,
    version: (u8, u8),
) -> Result<Needs, &'static str> {
    let result = data.result.map_or(TypePool::VOID, |result| module.value_type(function, result));
    match data.kind {
        InstKind::Intrinsic { intrinsic, arguments } => {
            let arguments: Vec<Value> = function.values_of(arguments).collect();
            intrinsic_needs(module, intrinsic, &arguments, is_vulkan, version)
        }
        InstKind::AtomicModify { op, .. } => Ok(match (op, module.types.scalar_bits(result)) {
            (AtomicOp::FAdd, Some(16)) => Needs::extension("SPV_EXT_shader_atomic_float16_add"),
            (AtomicOp::FAdd, _) => Needs::extension("SPV_EXT_shader_atomic_float_add"),
            (AtomicOp::FMin | AtomicOp::FMax, _) => {
                Needs::extension("SPV_EXT_shader_atomic_float_min_max")
            }
            _ => Needs::default(),
        }),
        InstKind::Barrier { part: BarrierPart::Arrive | BarrierPart::Wait, .. } => {
            Ok(Needs::extension("SPV_INTEL_split_barrier"))
        }
        _ => Ok(Needs::default()),
    }
}

fn intrinsic_needs(
    module: &Module,
    intrinsic: I,
    arguments: &[Value],
    is_vulkan: bool,
    version: (u8, u8),
) -> Result<Needs, &'static str> {
    Ok(match intrinsic {
        I::Trap if !is_vulkan => return Err("SPIR-V for OpenCL cannot stop a kernel"),
        // The uniform ones, which shaders do not tell from the others.
        I::WorkGroup(_, op) | I::SubGroup(_, op) if !is_vulkan => match op {
            GroupOp::IMul
            | GroupOp::FMul
            | GroupOp::And
            | GroupOp::Or
            | GroupOp::Xor
            | GroupOp::LogicalAnd
            | GroupOp::LogicalOr
            | GroupOp::LogicalXor => Needs::extension("SPV_KHR_uniform_group_instructions"),
            GroupOp::IAdd
            | GroupOp::FAdd
            | GroupOp::SMin
            | GroupOp::UMin
            | GroupOp::FMin
            | GroupOp::SMax
            | GroupOp::UMax
            | GroupOp::FMax => Needs::default(),
        },
        I::SubGroupNonUniform(operation, _) | I::SubGroup(operation, _) => {
            if operation == GroupOperation::ClusteredReduce {
                cluster_size(module, arguments.get(1))?;
            }
            Needs::VERSION_1_3
        }
        I::SubGroupClusteredRotate => {
            cluster_size(module, arguments.get(2))?;
            rotation(is_vulkan)
        }
        I::SubGroupRotate => rotation(is_vulkan),
        I::GetSubGroupEqMask
        | I::GetSubGroupGeMask
        | I::GetSubGroupGtMask
        | I::GetSubGroupLeMask
        | I::GetSubGroupLtMask
        | I::SubGroupElect
        | I::SubGroupNonUniformAll
        | I::SubGroupNonUniformAny
        | I::SubGroupNonUniformAllEqual
        | I::SubGroupNonUniformBroadcast
        | I::SubGroupBroadcastFirst
        | I::SubGroupBallot
        | I::SubGroupInverseBallot
        | I::SubGroupBallotBitExtract
        | I::SubGroupBallotBitCount
        | I::SubGroupBallotInclusiveScan
        | I::SubGroupBallotExclusiveScan
        | I::SubGroupBallotFindLsb
        | I::SubGroupBallotFindMsb
        | I::SubGroupShuffle
        | I::SubGroupShuffleXor
        | I::SubGroupShuffleUp
        | I::SubGroupShuffleDown => Needs::VERSION_1_3,
        I::IntelSubGroupShuffle
        | I::IntelSubGroupShuffleDown
        | I::IntelSubGroupShuffleUp
        | I::IntelSubGroupShuffleXor
        | I::IntelSubGroupBlockRead
        | I::IntelSubGroupBlockWrite => Needs::extension("SPV_INTEL_subgroups"),
        I::BitfieldInsert
        | I::BitfieldExtractSigned
        | I::BitfieldExtractUnsigned
        | I::BitReverse
            if !is_vulkan =>
        {
            Needs::extension("SPV_KHR_bit_instructions")
        }
        I::Dot4x8(_) | I::Dot4x8AccSat(_) | I::Dot4x8Packed(_) | I::Dot4x8PackedAccSat(_)
            if version < (1, 6) =>
        {
            Needs::extension("SPV_KHR_integer_dot_product")
        }
        I::FloatToBFloat16 | I::BFloat16ToFloat => {
            Needs::extension("SPV_INTEL_bfloat16_conversion")
        }
        I::ClockReadDevice
        | I::ClockReadHiloDevice
        | I::ClockReadWorkGroup
        | I::ClockReadHiloWorkGroup
        | I::ClockReadSubGroup
        | I::ClockReadHiloSubGroup => Needs::extension("SPV_KHR_shader_clock"),
        I::Matrix(_) => Needs { version_1_3: true, extension: Some("SPV_KHR_cooperative_matrix") },
        _ => Needs::default(),
    })
}

/// Shaders rotate by a shuffle.
fn rotation(is_vulkan: bool) -> Needs {
    let extension = (!is_vulkan).then_some("SPV_KHR_subgroup_rotate");
    Needs { version_1_3: true, extension }
}

/// Clusters have a constant power of two of work-items (OpenCL C 6.15.20.2); SPIR-V takes no other.
fn cluster_size(module: &Module, size: Option<&Value>) -> Result<(), &'static str> {
    let size = size.and_then(|size| match module.consts.get(size.as_const()?) {
        &Const::Int(_, bits) => Some(bits),
        _ => None,
    });
    match size {
        Some(size) if size.is_power_of_two() => Ok(()),
        Some(_) => Err("the cluster size is not a power of two"),
        None => Err("the cluster size is not a constant"),
    }
}

fn refusal(data: &InstData, options: &TargetOptions, reason: &str) -> Diagnostic {
    let what = match data.kind {
        InstKind::Intrinsic { intrinsic, .. } => format!("`{}`", intrinsic.source_name()),
        InstKind::Barrier { .. } => "a barrier in two halves".to_owned(),
        _ => "this atomic operation".to_owned(),
    };
    let message = format!("{what} cannot be compiled for {}: {reason}", options.environment);
    Diagnostic::new(&E0703, data.location.span, message).at("not available there")
}
