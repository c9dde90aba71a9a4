//! Images of shaders: what the step `images` has left is what Vulkan has an instruction for.
//!
//! An operand that is an image or a sampler is a descriptor; texels have four components of 32 bits.

use clc_builtins::{Access, ImageKind, Texel};
use clc_ir::{Const, ImageType, Type, TypeKind, TypePool, Value};
use spirv::{Capability, Dim, ImageOperands, Op};

use crate::emit::{Call, FunctionEmitter, Id};
use crate::images;

/// An image or sampler, loaded where it is used, as SPIR-V asks for (OpSampledImage).
fn load(f: &mut FunctionEmitter<'_, '_>, descriptor: Value) -> Id {
    let variable = f.operand(descriptor);
    let ty = f.ty(descriptor);
    f.op(Op::Load, ty, &[variable])
}

fn image_type(f: &FunctionEmitter<'_, '_>, call: &Call<'_>) -> (ImageType, Texel) {
    match f.module.types.kind(f.ty(call.arguments[0])) {
        TypeKind::Image(image) => (image, image.texel.unwrap_or(Texel::Float)),
        _ => f.not_legal(call),
    }
}

/// A texel of an image as a vector of the result's type.
fn texel(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    texel: Texel,
    op: Op,
    operands: &[u32],
) -> Id {
    match texel {
        Texel::Float | Texel::Half | Texel::Unsigned => f.op(op, call.result, operands),
        Texel::Signed => {
            let vector = signed_vector(f);
            let id = f.op_raw(op, vector, operands);
            f.op(Op::Bitcast, call.result, &[id])
        }
    }
}

fn signed_vector(f: &mut FunctionEmitter<'_, '_>) -> Id {
    let component = f.module.texel_type(Texel::Signed);
    f.module.raw_type(Op::TypeVector, &[component, 4])
}

/// What a work-item wrote another may read, with the barriers that OpenCL asks for: such accesses take
/// part in synchronisation (NonPrivateTexel).
fn sharing(image: ImageType) -> ImageOperands {
    match image.access {
        Access::ReadWrite => ImageOperands::NON_PRIVATE_TEXEL,
        Access::ReadOnly | Access::WriteOnly => ImageOperands::NONE,
    }
}

/// A read without a sampler. Operands: image, coordinate, and the sample of multi-sampled images.
pub(super) fn read(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, multisampled: bool) -> Id {
    let (image, kind) = image_type(f, call);
    let id = load(f, call.arguments[0]);
    let coordinate = f.operand(call.arguments[1]);
    let mut mask = sharing(image);
    let mut extra = None;
    let op = match image.access {
        Access::ReadOnly => Op::ImageFetch,
        Access::WriteOnly | Access::ReadWrite => Op::ImageRead,
    };
    if multisampled {
        mask |= ImageOperands::SAMPLE;
        extra = Some(f.operand(call.arguments[2]));
    } else if op == Op::ImageFetch && image.kind != ImageKind::Image1dBuffer {
        mask |= ImageOperands::LOD;
        extra = Some(f.module.u32_constant(0));
    }
    if op == Op::ImageRead {
        f.module.capability(Capability::StorageImageReadWithoutFormat);
    }
    let mut operands = vec![id, coordinate];
    if mask != ImageOperands::NONE {
        operands.push(mask.bits());
        operands.extend(extra);
    }
    texel(f, call, kind, op, &operands)
}

/// A read with a sampler. Operands: image, sampler, coordinate, then the level of detail (0 if there is
/// none) or the gradients.
pub(super) fn sample(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, gradients: bool) -> Id {
    let (_, kind) = image_type(f, call);
    let image = load(f, call.arguments[0]);
    let sampler = load(f, call.arguments[1]);
    let ty = f.module.type_id(f.ty(call.arguments[0]));
    let ty = f.module.raw_type(Op::TypeSampledImage, &[ty]);
    let sampled = f.op_raw(Op::SampledImage, ty, &[image, sampler]);
    let mut operands = vec![sampled, f.operand(call.arguments[2])];
    let mask = if gradients { ImageOperands::GRAD } else { ImageOperands::LOD };
    operands.push(mask.bits());
    match &call.arguments[3..] {
        [] => operands.push(f.module.constant(Const::Float(TypePool::F32, 0))),
        more => operands.extend(more.iter().map(|&value| f.operand(value))),
    }
    texel(f, call, kind, Op::ImageSampleExplicitLod, &operands)
}

/// Operands: image, coordinate, colour.
pub(super) fn write(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let (image, kind) = image_type(f, call);
    let id = load(f, call.arguments[0]);
    let coordinate = f.operand(call.arguments[1]);
    let mut colour = f.operand(call.arguments[2]);
    if kind == Texel::Signed {
        let vector = signed_vector(f);
        colour = f.op_raw(Op::Bitcast, vector, &[colour]);
    }
    f.module.capability(Capability::StorageImageWriteWithoutFormat);
    let mask = sharing(image);
    let mut operands = vec![id, coordinate, colour];
    if mask != ImageOperands::NONE {
        operands.push(mask.bits());
    }
    f.op_void(Op::ImageWrite, &operands);
    0
}

/// A component of the size of an image: its dimensions, then the layers of an array.
pub(super) fn size(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, component: u32) -> Id {
    let (image, _) = image_type(f, call);
    let (dim, _, arrayed, multisampled) = images::dimensions(image.kind);
    let components = image.kind.dimensions() + u8::from(arrayed);
    let ty: Type = match components {
        1 => TypePool::I32,
        components => f.module.types.vector(TypePool::I32, components),
    };
    f.module.capability(Capability::ImageQuery);
    let id = load(f, call.arguments[0]);
    // Images that are sampled have levels, but for buffers and multi-sampled images.
    let has_levels = image.access == Access::ReadOnly && dim != Dim::DimBuffer && !multisampled;
    let size = if has_levels {
        let level = f.module.u32_constant(0);
        f.op(Op::ImageQuerySizeLod, ty, &[id, level])
    } else {
        f.op(Op::ImageQuerySize, ty, &[id])
    };
    if components == 1 { size } else { f.extract(size, TypePool::I32, &[component]) }
}

/// The layers of an array, as an `int`.
pub(super) fn layers(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let (image, _) = image_type(f, call);
    size(f, call, u32::from(image.kind.dimensions()))
}

/// A query of one number.
pub(super) fn query(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    f.module.capability(Capability::ImageQuery);
    let image = load(f, call.arguments[0]);
    f.op(op, call.result, &[image])
}
