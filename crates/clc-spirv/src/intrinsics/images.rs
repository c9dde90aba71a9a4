//! Images: reads, writes and queries.

use clc_builtins::{ImageKind, Texel};
use clc_ir::{Const, ImageType, Type, TypeKind, TypePool, Value};
use smallvec::SmallVec;
use spirv::{Capability, ImageOperands, Op};

use crate::emit::{Call, FunctionEmitter, Id};

/// `CLK_SNORM_INT8`; SPIR-V counts channel data types from zero, in the same order.
pub(super) const FIRST_CHANNEL_DATA_TYPE: u64 = 0x10D0;
/// `CLK_R`
pub(super) const FIRST_CHANNEL_ORDER: u64 = 0x10B0;

/// How a sampled read chooses the level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lod {
    Zero,
    Explicit,
    Gradient,
}

/// The image type of an operand.
fn image_type(f: &FunctionEmitter<'_, '_>, image: Value) -> Option<ImageType> {
    match f.module.types.kind(f.ty(image)) {
        TypeKind::Image(image) => Some(image),
        _ => None,
    }
}

/// Whether texels are extended as signed or unsigned integers: an image operand from SPIR-V 1.4
/// on, before that the format of the image alone says it.
fn extension(f: &FunctionEmitter<'_, '_>, texel: Texel) -> ImageOperands {
    if !f.module.version_at_least(1, 4) {
        return ImageOperands::NONE;
    }
    match texel {
        Texel::Float | Texel::Half => ImageOperands::NONE,
        Texel::Signed => ImageOperands::SIGN_EXTEND,
        Texel::Unsigned => ImageOperands::ZERO_EXTEND,
    }
}

/// Appends the mask of image operands and what follows it, if there are any.
fn image_operands(operands: &mut SmallVec<[u32; 8]>, mask: ImageOperands, ids: &[Id]) {
    if mask != ImageOperands::NONE {
        operands.push(mask.bits());
        operands.extend_from_slice(ids);
    }
}

/// A read without a sampler. Operands: image, coordinate, and the sample of multi-sampled images.
pub(super) fn read(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    texel: Texel,
    multisampled: bool,
) -> Id {
    let arguments = f.operands(call.arguments);
    let mut mask = extension(f, texel);
    let mut ids: SmallVec<[Id; 1]> = SmallVec::new();
    if multisampled {
        mask |= ImageOperands::SAMPLE;
        ids.push(arguments[2]);
    }
    let mut operands: SmallVec<[u32; 8]> = SmallVec::new();
    operands.extend_from_slice(&arguments[..2]);
    image_operands(&mut operands, mask, &ids);
    // Of a depth image a scalar, else four components: what the call results in.
    f.op(Op::ImageRead, call.result, &operands)
}

/// A read with a sampler. Operands: image, sampler, coordinate, then the level of detail or the
/// gradients.
pub(super) fn sample(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    texel: Texel,
    lod: Lod,
) -> Id {
    let arguments = f.operands(call.arguments);
    let image = f.module.type_id(f.ty(call.arguments[0]));
    let sampled_type = f.module.raw_type(Op::TypeSampledImage, &[image]);
    let sampled = f.op_raw(Op::SampledImage, sampled_type, &arguments[..2]);
    let mut ids: SmallVec<[Id; 2]> = SmallVec::new();
    let mask = match lod {
        Lod::Zero => {
            ids.push(f.module.constant(Const::Float(TypePool::F32, 0)));
            ImageOperands::LOD
        }
        Lod::Explicit => {
            ids.push(arguments[3]);
            ImageOperands::LOD
        }
        Lod::Gradient => {
            for (&value, &id) in call.arguments.iter().zip(&arguments).skip(3) {
                ids.push(gradient(f, value, id));
            }
            ImageOperands::GRAD
        }
    };
    if lod != Lod::Zero {
        f.module.capability(Capability::ImageMipmap);
    }
    let mut operands: SmallVec<[u32; 8]> = SmallVec::new();
    operands.extend_from_slice(&[sampled, arguments[2]]);
    let mask = mask | extension(f, texel);
    image_operands(&mut operands, mask, &ids);
    if f.module.types.lanes(call.result) > 1 {
        return f.op(Op::ImageSampleExplicitLod, call.result, &operands);
    }
    // Sampling gives four components, of a depth image too.
    let vector = f.module.types.vector(call.result, 4);
    let texel = f.op(Op::ImageSampleExplicitLod, vector, &operands);
    f.extract(texel, call.result, &[0])
}

/// A gradient: of three-dimensional images the language gives it four components, and SPIR-V
/// three.
fn gradient(f: &mut FunctionEmitter<'_, '_>, value: Value, id: Id) -> Id {
    let ty = f.ty(value);
    if f.module.types.lanes(ty) < 4 {
        return id;
    }
    let three = f.module.types.vector(TypePool::F32, 3);
    f.op(Op::VectorShuffle, three, &[id, id, 0, 1, 2])
}

/// Operands: image, coordinate, the level of detail if `lod`, colour.
pub(super) fn write(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    texel: Texel,
    lod: bool,
) -> Id {
    let arguments = f.operands(call.arguments);
    let mut mask = extension(f, texel);
    let mut ids: SmallVec<[Id; 1]> = SmallVec::new();
    // What is not said is level 0.
    if lod && f.constant_int(call.arguments[2]) != Some(0) {
        // SPIR-V environment specification, cl_khr_mipmap_image_writes. `validate` knows.
        f.module.capability(Capability::ImageMipmap);
        mask |= ImageOperands::LOD;
        ids.push(arguments[2]);
    }
    let colour = arguments[if lod { 3 } else { 2 }];
    let mut operands: SmallVec<[u32; 8]> = SmallVec::new();
    operands.extend_from_slice(&[arguments[0], arguments[1], colour]);
    image_operands(&mut operands, mask, &ids);
    f.op_void(Op::ImageWrite, &operands);
    0
}

/// The size of an image as ints, one for each dimension and one for the layers of an array, with
/// the type of the whole.
fn size(f: &mut FunctionEmitter<'_, '_>, image: Value, ty: ImageType) -> (Id, Type) {
    let components = ty.kind.dimensions() + u8::from(ty.kind.is_array());
    let result = match components {
        1 => TypePool::I32,
        components => f.module.types.vector(TypePool::I32, components),
    };
    let image = f.operand(image);
    let id = match ty.kind {
        ImageKind::Image1dBuffer
        | ImageKind::Image2dMsaa
        | ImageKind::Image2dArrayMsaa
        | ImageKind::Image2dMsaaDepth
        | ImageKind::Image2dArrayMsaaDepth => f.op(Op::ImageQuerySize, result, &[image]),
        ImageKind::Image1d
        | ImageKind::Image1dArray
        | ImageKind::Image2d
        | ImageKind::Image2dArray
        | ImageKind::Image2dDepth
        | ImageKind::Image2dArrayDepth
        | ImageKind::Image3d => {
            let level = f.module.u32_constant(0);
            f.op(Op::ImageQuerySizeLod, result, &[image, level])
        }
    };
    (id, result)
}

/// `get_image_width` and the like.
pub(super) fn size_component(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    component: u32,
) -> Id {
    let Some(ty) = image_type(f, call.arguments[0]) else {
        f.not_legal(call);
    };
    let (size, size_type) = size(f, call.arguments[0], ty);
    match f.module.types.lanes(size_type) {
        1 => size,
        _ => f.extract(size, call.result, &[component]),
    }
}

/// `get_image_dim`: int2, or int4 whose last component is zero.
pub(super) fn dimensions(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let Some(ty) = image_type(f, call.arguments[0]) else {
        f.not_legal(call);
    };
    let (size, size_type) = size(f, call.arguments[0], ty);
    match (f.module.types.lanes(size_type), f.module.types.lanes(call.result)) {
        (have, wanted) if have == wanted => size,
        (_, 4) => {
            let mut parts: SmallVec<[Id; 4]> =
                (0..3).map(|part| f.extract(size, TypePool::I32, &[part])).collect();
            parts.push(f.module.u32_constant(0));
            f.op(Op::CompositeConstruct, call.result, &parts)
        }
        _ => f.op(Op::VectorShuffle, call.result, &[size, size, 0, 1]),
    }
}

/// `get_image_array_size`, in size_t.
pub(super) fn array_size(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    let Some(ty) = image_type(f, call.arguments[0]) else {
        f.not_legal(call);
    };
    let (size, _) = size(f, call.arguments[0], ty);
    let layers = f.extract(size, TypePool::I32, &[u32::from(ty.kind.dimensions())]);
    if call.result == TypePool::I32 {
        return layers;
    }
    f.op(Op::UConvert, call.result, &[layers])
}

/// A query with one operand; `first` is what its zero stands for.
pub(super) fn query(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op, first: u64) -> Id {
    let image = f.operand(call.arguments[0]);
    let id = f.op(op, call.result, &[image]);
    if first == 0 {
        return id;
    }
    let first = f.module.int_constant(call.result, first);
    f.op(Op::IAdd, call.result, &[id, first])
}
