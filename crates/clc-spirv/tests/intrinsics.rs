//! Every overload of the library, as a kernel of its own, lowers to a valid module.

#![cfg(feature = "validate")]

mod common;

use clc_base::lang::AddressBits;
use clc_base::{AddressSpace, SourceMap, Version};
use clc_builtins::features::{Target, apply_option, default_set};
use clc_builtins::types::Environment as LibraryEnvironment;
use clc_builtins::{BuiltinType, GroupOperation, Intrinsic, Overload, Scalar, overloads};
use clc_ir::*;
use clc_legalise::{Environment, TargetOptions};
use clc_spirv::{disassemble, validate};
use common::compile;

fn scalar(scalar: Scalar) -> Type {
    match scalar {
        Scalar::Bool => TypePool::BOOL,
        Scalar::Char | Scalar::UChar => TypePool::I8,
        Scalar::Short | Scalar::UShort => TypePool::I16,
        Scalar::Int | Scalar::UInt => TypePool::I32,
        Scalar::Long | Scalar::ULong => TypePool::I64,
        Scalar::Half => TypePool::F16,
        Scalar::Float => TypePool::F32,
        Scalar::Double => TypePool::F64,
    }
}

fn lower(types: &mut TypePool, ty: &BuiltinType) -> Type {
    match ty {
        BuiltinType::Void => TypePool::VOID,
        &BuiltinType::Scalar(element) | &BuiltinType::Atomic(element) => scalar(element),
        &BuiltinType::Vector(element, width) => types.vector(scalar(element), width),
        BuiltinType::AtomicFlag => TypePool::I32,
        &BuiltinType::Image(kind, access) => {
            types.intern(TypeKind::Image(ImageType { kind, access, texel: None }))
        }
        BuiltinType::Sampler => types.intern(TypeKind::Sampler),
        BuiltinType::Event => types.intern(TypeKind::Event),
        BuiltinType::ClkEvent => types.intern(TypeKind::DeviceEvent),
        BuiltinType::Queue => types.intern(TypeKind::Queue),
        BuiltinType::ReserveId => types.intern(TypeKind::ReserveId),
        BuiltinType::NdRange => types.intern(TypeKind::NdRange),
        &BuiltinType::Pipe(access) => types.intern(TypeKind::Pipe(access)),
        BuiltinType::Pointer { pointee, space, .. } => {
            let pointee = lower(types, pointee);
            let class = match space {
                AddressSpace::Private => StorageClass::Function,
                AddressSpace::Global => StorageClass::CrossWorkgroup,
                AddressSpace::Local => StorageClass::Workgroup,
                AddressSpace::Constant => StorageClass::UniformConstant,
                AddressSpace::Generic => StorageClass::Generic,
            };
            types.pointer(pointee, class)
        }
        other => panic!("{other}"),
    }
}

/// The value of an integer argument that has to be a constant: a cluster size.
fn constant(overload: &Overload, index: usize) -> Option<u64> {
    match overload.intrinsic {
        Intrinsic::SubGroupNonUniform(GroupOperation::ClusteredReduce, _) => {
            (index == 1).then_some(4)
        }
        Intrinsic::SubGroupClusteredRotate => (index == 2).then_some(4),
        _ => None,
    }
}

/// Adds a kernel that makes the call.
fn kernel(module: &mut Module, index: usize, overload: &Overload) {
    let Module { types, consts, functions, .. } = module;
    let mut function = Function::new(format!("k{index}"), TypePool::VOID);
    function.entry_point = Some(Box::new(EntryPoint {
        name: function.name.clone(),
        arguments: Vec::new(),
        ..EntryPoint::default()
    }));
    let entry = function.add_block();
    let params: Vec<Type> =
        overload.parameters.iter().map(|parameter| lower(types, parameter)).collect();
    let mut values = vec![None; params.len()];
    for (position, &ty) in params.iter().enumerate() {
        // A kernel's arguments cannot be private or generic pointers, booleans or events.
        let ty = match types.pointer_parts(ty) {
            Some((_, StorageClass::Function)) => continue,
            Some((pointee, StorageClass::Generic)) => {
                types.pointer(pointee, StorageClass::CrossWorkgroup)
            }
            _ if ty == TypePool::BOOL
                || matches!(
                    types.kind(ty),
                    TypeKind::Event
                        | TypeKind::DeviceEvent
                        | TypeKind::ReserveId
                        | TypeKind::NdRange
                ) =>
            {
                continue;
            }
            _ if constant(overload, position).is_some() => continue,
            _ => ty,
        };
        function.params.push(ty);
        function.param_names.push(format!("p{position}"));
        function.param_attributes.push(ParamAttributes::default());
        values[position] = Some(function.add_block_param(entry, ty));
    }
    let result = lower(types, &overload.result);
    let mut builder = Builder::new(types, consts, &mut function, entry);
    let mut arguments = Vec::new();
    for (position, &ty) in params.iter().enumerate() {
        let argument = match (values[position], constant(overload, position)) {
            (None, Some(bits)) => builder.int(ty, bits),
            (Some(value), _)
                if builder
                    .types
                    .pointer_parts(ty)
                    .is_some_and(|(_, class)| class == StorageClass::Generic) =>
            {
                builder.convert(ConvertOp::ToGeneric, value, ty)
            }
            (Some(value), _) => value,
            (None, None) => match builder.types.pointer_parts(ty) {
                Some((pointee, _)) => {
                    let align = builder.types.align(pointee) as u32;
                    builder.variable(pointee, align)
                }
                None if ty == TypePool::BOOL => builder.bool(true),
                None => builder.zero(ty),
            },
        };
        arguments.push(argument);
    }
    complete(&mut builder, overload, &mut arguments);
    // Scalar forms were widened when the call was resolved.
    widen(&mut builder, overload, &mut arguments, result);
    builder.intrinsic(overload.intrinsic, &arguments, result);
    builder.ret(None);
    builder.finish();
    functions.push(function);
}

/// What calls have beyond the arguments of the source: the size and alignment of packets, arrays
/// instead of pointers to sizes.
fn complete(builder: &mut Builder<'_>, overload: &Overload, arguments: &mut Vec<Value>) {
    if let Some(BuiltinType::Pipe(_)) = overload.parameters.first() {
        arguments.extend([4, 4].map(|bytes| builder.int(TypePool::I32, bytes)));
    }
    let dimensions = match overload.intrinsic {
        Intrinsic::BuildNdRange2D => 2,
        Intrinsic::BuildNdRange3D => 3,
        _ => return,
    };
    let sizes = builder.types.array(TypePool::I64, dimensions);
    *arguments = vec![builder.zero(sizes); 3];
}

fn widen(builder: &mut Builder<'_>, overload: &Overload, arguments: &mut [Value], result: Type) {
    let lanes = builder.types.lanes(result);
    let scalar_form = matches!(
        overload.intrinsic,
        Intrinsic::Fmax
            | Intrinsic::Fmin
            | Intrinsic::Ldexp
            | Intrinsic::SClamp
            | Intrinsic::UClamp
            | Intrinsic::FClamp
            | Intrinsic::SMax
            | Intrinsic::UMax
            | Intrinsic::SMin
            | Intrinsic::UMin
            | Intrinsic::FMaxCommon
            | Intrinsic::FMinCommon
            | Intrinsic::Mix
            | Intrinsic::Step
            | Intrinsic::Smoothstep
    );
    if !scalar_form || lanes == 1 {
        return;
    }
    for argument in arguments {
        let ty = builder.ty(*argument);
        if builder.types.lanes(ty) == 1 {
            let vector = builder.types.vector(ty, lanes);
            *argument = builder.splat(vector, *argument);
        }
    }
}

/// Lowers all overloads that `keep` wants, by name.
fn check(spirv_version: (u8, u8), version: Version, keep: impl Fn(&Overload) -> bool) -> usize {
    let options = TargetOptions {
        environment: Environment::OpenCl { major: 3, minor: 0 },
        spirv_version,
        ..TargetOptions::default()
    };
    let mut set = default_set(version, Target::OpenCl);
    apply_option(&mut set, "+all", version).expect("`all` is known");
    let environment =
        LibraryEnvironment { version, extensions: &set, address_bits: AddressBits::Bits64 };
    let all = overloads(&environment);
    let mut count = 0;
    let mut wrong = Vec::new();
    for family in all.chunk_by(|left, right| left.name == right.name) {
        let mut module = Module::new(8, version);
        for (index, overload) in family.iter().enumerate().filter(|(_, overload)| keep(overload)) {
            kernel(&mut module, index, overload);
            count += 1;
        }
        let name = family[0].name;
        match compile(&mut module, &SourceMap::new(), &options) {
            Ok(words) => {
                if let Err(error) = validate(&words, &options) {
                    wrong.push(format!("{name}: {error}\n{}", disassemble(&words)));
                }
            }
            Err(errors) => wrong.push(format!("{name}: {}", errors[0].message)),
        }
    }
    wrong.truncate(20);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    count
}

/// There is no instruction to stop a kernel, a format is a constant, and a block a function; matrices are
/// tested by the suite; some are others by now.
fn has_a_form(overload: &Overload) -> bool {
    !matches!(overload.intrinsic, Intrinsic::Trap | Intrinsic::Printf)
        && !overload.intrinsic.is_written_out()
        && !overload.parameters.contains(&BuiltinType::Block)
        && !matches!(overload.intrinsic, Intrinsic::Matrix(_))
}

#[test]
fn all_of_3_1_lower_to_valid_modules() {
    assert!(check((1, 6), Version::V3_1, has_a_form) > 6_000);
}

#[test]
fn all_of_1_2_lower_in_the_first_version() {
    assert!(check((1, 0), Version::V1_2, has_a_form) > 4_500);
}

#[test]
fn non_uniform_instructions_come_with_1_3() {
    assert!(check((1, 3), Version::V3_0, has_a_form) > 5_500);
}
