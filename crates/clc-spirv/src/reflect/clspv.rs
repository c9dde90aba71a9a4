//! Arguments of kernels as NonSemantic.ClspvReflection tells them: in shaders they are descriptors
//! and bytes of push constants.

use clc_base::AddressSpace;
use clc_builtins::{Access, Scalar};
use rustc_hash::FxHashMap;

use super::description::{
    Argument, ArgumentKind, Kernel, Place, PrintfString, Type, TypeKind, WorkGroupSize,
};
use super::kernels::by_name;
use super::scan::{Scan, clipped};
use crate::clspv_numbers as number;

/// Adds what the reflection of a module says, if it has one, to its kernels and formats.
pub(super) fn apply(scan: &Scan<'_>, kernels: &mut [Kernel], formats: &mut Vec<PrintfString>) {
    let is_reflection =
        |(_, name): &&(u32, String)| name.starts_with("NonSemantic.ClspvReflection");
    let Some(&(set, _)) = scan.sets.iter().find(is_reflection) else { return };
    let names = by_name(kernels);
    // By id: the kernel that an instruction declares, and the place of one that describes an argument.
    let (mut declared, mut information) = (FxHashMap::default(), FxHashMap::default());
    let mut bytes_left = 4 * scan.words.len();
    for &place in &scan.ext_insts {
        let [_, _, id, found, number, operands @ ..] = scan.at(place) else { continue };
        if *found != set {
            continue;
        }
        let value = |index: usize| {
            let constant = operands.get(index).and_then(|&id| scan.constant(id));
            constant.and_then(|value| u32::try_from(value).ok())
        };
        let text = |index: usize| operands.get(index).and_then(|&id| scan.string(id));
        match *number {
            number::KERNEL => {
                if let Some(&kernel) = text(1).and_then(|name| names.get(&name)) {
                    declared.insert(*id, kernel);
                    kernels[kernel].arguments_known = true;
                    let attributes = text(4).map(clipped).unwrap_or_default();
                    apply_attributes(&attributes, &mut kernels[kernel]);
                }
            }
            number::ARGUMENT_INFO => {
                information.insert(*id, operands);
            }
            number::PRINTF_INFO => {
                let string = text(1).unwrap_or_default().into_bytes();
                // Instructions may share a string.
                let Some(left) = bytes_left.checked_sub(string.len()) else { continue };
                bytes_left = left;
                formats.push(PrintfString { id: value(0), string });
            }
            number => {
                let kernel = operands.first().and_then(|kernel| declared.get(kernel));
                let Some(kernel) = kernel.and_then(|&kernel| kernels.get_mut(kernel)) else {
                    continue;
                };
                if let Some(size) = required_size(number, &value) {
                    kernel.work_group_size = Some(WorkGroupSize::Fixed(size));
                }
                let Some((kind, place, length)) = passing(number, &value) else { continue };
                let described = operands.get(length).and_then(|id| information.get(id));
                let described = described.copied().unwrap_or_default();
                kernel.arguments.push(argument(scan, number, kind, place, described));
            }
        }
    }
}

/// What the attributes of a kernel ask for, as `clGetKernelInfo` returns them:
/// `vec_type_hint(float4) work_group_size_hint(8,1,1)`.
fn apply_attributes(attributes: &str, kernel: &mut Kernel) {
    let operand = |name: &str| {
        attributes.match_indices(name).find_map(|(start, _)| {
            // `work_group_size_hint` is not the end of another name.
            let is_whole =
                !attributes[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let (operand, _) =
                attributes[start + name.len()..].strip_prefix('(')?.split_once(')')?;
            is_whole.then_some(operand)
        })
    };
    let three = |text: &str| {
        let sizes: Option<Vec<u32>> =
            text.split(',').map(|size| size.trim().parse().ok()).collect();
        <[u32; 3]>::try_from(sizes?).ok()
    };
    if let Some(hint) = operand("vec_type_hint") {
        kernel.vec_type_hint = Some(hint.trim().to_owned());
    }
    if let Some(hint) = operand("work_group_size_hint").and_then(three) {
        kernel.work_group_size_hint = Some(hint);
    }
    if let Some(size) = operand("intel_reqd_sub_group_size") {
        kernel.sub_group_size = size.trim().parse().ok();
    }
}

fn required_size(number: u32, value: &dyn Fn(usize) -> Option<u32>) -> Option<[u32; 3]> {
    if number != number::REQUIRED_WORKGROUP_SIZE {
        return None;
    }
    Some([value(1)?, value(2)?, value(3)?])
}

/// How an argument is passed, and how many operands say it: behind the kernel and the ordinal.
fn passing(
    number: u32,
    value: &dyn Fn(usize) -> Option<u32>,
) -> Option<(ArgumentKind, Place, usize)> {
    let kind = match number {
        number::STORAGE_BUFFER
        | number::UNIFORM
        | number::POINTER_PUSH_CONSTANT
        | number::POINTER_UNIFORM => ArgumentKind::Buffer,
        number::POD_STORAGE_BUFFER | number::POD_UNIFORM | number::POD_PUSH_CONSTANT => {
            ArgumentKind::Value
        }
        number::SAMPLED_IMAGE
        | number::STORAGE_IMAGE
        | number::STORAGE_TEXEL_BUFFER
        | number::UNIFORM_TEXEL_BUFFER => ArgumentKind::Image,
        number::SAMPLER => ArgumentKind::Sampler,
        number::WORKGROUP => ArgumentKind::Local,
        _ => return None,
    };
    let place = match number {
        number::POD_STORAGE_BUFFER | number::POD_UNIFORM | number::POINTER_UNIFORM => {
            Place::InBuffer {
                set: value(2)?,
                binding: value(3)?,
                offset: value(4)?,
                size: value(5)?,
            }
        }
        number::POD_PUSH_CONSTANT | number::POINTER_PUSH_CONSTANT => {
            Place::PushConstants { offset: value(2)?, size: value(3)? }
        }
        number::WORKGROUP => Place::Elements { constant: value(2)?, element_size: value(3)? },
        _ => Place::Descriptor { set: value(2)?, binding: value(3)? },
    };
    let length = if matches!(place, Place::InBuffer { .. }) { 6 } else { 4 };
    Some((kind, place, length))
}

/// An argument; `described` are the operands of ArgumentInfo.
fn argument(
    scan: &Scan<'_>,
    passed_as: u32,
    kind: ArgumentKind,
    place: Place,
    described: &[u32],
) -> Argument {
    let text = |index: usize| described.get(index).and_then(|&id| scan.string(id)).map(clipped);
    let value = |index: usize| described.get(index).and_then(|&id| scan.constant(id));
    let type_name = text(1).unwrap_or_default();
    // With the values of OpenCL's headers (cl.h), as clGetKernelArgInfo returns them.
    let address_space = match (value(2), kind) {
        (Some(0x119b), _) | (None, ArgumentKind::Image) => Some(AddressSpace::Global),
        (Some(0x119c), _) | (None, ArgumentKind::Local) => Some(AddressSpace::Local),
        (Some(0x119d), _) => Some(AddressSpace::Constant),
        // A uniform buffer is only read; another buffer, or its address, may be `constant` or `global`.
        (None, ArgumentKind::Buffer) => {
            (passed_as == number::UNIFORM).then_some(AddressSpace::Constant)
        }
        _ => Some(AddressSpace::Private),
    };
    let is_sampled = matches!(passed_as, number::SAMPLED_IMAGE | number::UNIFORM_TEXEL_BUFFER);
    let access = match value(3) {
        Some(0x11a0) => Some(Access::ReadOnly),
        Some(0x11a1) => Some(Access::WriteOnly),
        Some(0x11a2) => Some(Access::ReadWrite),
        // What is written is no sampled image.
        _ => is_sampled.then_some(Access::ReadOnly),
    };
    let qualifiers = value(4).unwrap_or_default();
    let qualifiers = ["const", "restrict", "volatile", "pipe"]
        .iter()
        .enumerate()
        .filter(|(bit, _)| qualifiers >> bit & 1 == 1)
        .map(|(_, name)| *name);
    let size = match (kind, place) {
        (ArgumentKind::Value, Place::PushConstants { size, .. } | Place::InBuffer { size, .. }) => {
            Some(u64::from(size))
        }
        _ => None,
    };
    Argument {
        name: text(0).unwrap_or_default(),
        type_qualifiers: qualifiers.collect::<Vec<&str>>().join(" "),
        kind,
        address_space,
        access,
        ty: named(&type_name, address_space.unwrap_or(AddressSpace::Global), size),
        type_name,
        place: Some(place),
    }
}

/// What the name of a type tells of it: numbers, vectors and pointers to them.
fn named(name: &str, space: AddressSpace, size: Option<u64>) -> Type {
    if let Some(pointee) = name.strip_suffix('*') {
        // What pointers to pointers point to is in no buffer of the host.
        let pointee = match pointee.ends_with('*') {
            true => None,
            false => Some(named(pointee.trim_end(), AddressSpace::Private, None)),
        };
        let pointee = pointee.filter(|ty| !matches!(ty.kind, TypeKind::Opaque(_)));
        let kind = TypeKind::Pointer { space, pointee: pointee.map(Box::new) };
        return Type { kind, dims: Vec::new(), size: Some(8), align: Some(8) };
    }
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (word, count) = name.split_at(name.len() - digits);
    let scalar = Scalar::ALL.into_iter().find(|scalar| scalar.name() == word);
    let (kind, size, align) = match (scalar, count.parse::<u32>()) {
        (Some(scalar), Err(_)) if count.is_empty() => {
            (TypeKind::Scalar(scalar), Some(scalar.size()), Some(scalar.size()))
        }
        (Some(scalar), Ok(count @ (2 | 3 | 4 | 8 | 16))) => {
            let size = scalar.size() * u64::from(count.next_power_of_two());
            (TypeKind::Vector(scalar, count), Some(size), Some(size))
        }
        _ => (TypeKind::Opaque(name.to_owned()), size, None),
    };
    Type { kind, dims: Vec::new(), size, align }
}
