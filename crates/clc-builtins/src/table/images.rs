//! Image functions (OpenCL C 6.15.15), and those of cl_khr_mipmap_image, cl_khr_gl_msaa_sharing
//! and cl_khr_fp16.

use crate::Intrinsic::*;
use crate::Texel::{Float, Half, Signed, Unsigned};
use crate::guard::{
    DEPTH_IMAGES, HALF_IMAGES, HALF_IMAGES_1_2, IMAGES_3D_WRITES, MIPMAP_WRITES, MIPMAPS,
    MSAA_IMAGES, READ_WRITE_IMAGES, SINCE_1_2,
};
use crate::table::{NONE, Row, f};
use crate::types::Access::{self, ReadOnly, ReadWrite, WriteOnly};
use crate::types::ImageKind::{self, *};

const SAMPLED: &[ImageKind] = &[Image1d, Image1dArray, Image2d, Image2dArray, Image3d];
const COLOUR: &[ImageKind] =
    &[Image1d, Image1dBuffer, Image1dArray, Image2d, Image2dArray, Image3d];
/// What OpenCL C 1.0 can write; 3D images are an extension of their own.
const COLOUR_FLAT: &[ImageKind] = &[Image1d, Image1dBuffer, Image1dArray, Image2d, Image2dArray];
const VOLUME: &[ImageKind] = &[Image3d];
const DEPTH: &[ImageKind] = &[Image2dDepth, Image2dArrayDepth];
const MSAA: &[ImageKind] = &[Image2dMsaa, Image2dArrayMsaa];
const MSAA_DEPTH: &[ImageKind] = &[Image2dMsaaDepth, Image2dArrayMsaaDepth];
const MIPMAPPED: &[ImageKind] =
    &[Image1d, Image1dArray, Image2d, Image2dArray, Image2dDepth, Image2dArrayDepth, Image3d];
const EVERY: &[ImageKind] = &[
    Image1d,
    Image1dBuffer,
    Image1dArray,
    Image2d,
    Image2dArray,
    Image2dDepth,
    Image2dArrayDepth,
    Image2dMsaa,
    Image2dArrayMsaa,
    Image2dMsaaDepth,
    Image2dArrayMsaaDepth,
    Image3d,
];
const WITH_HEIGHT: &[ImageKind] = &[
    Image2d,
    Image2dArray,
    Image2dDepth,
    Image2dArrayDepth,
    Image2dMsaa,
    Image2dArrayMsaa,
    Image2dMsaaDepth,
    Image2dArrayMsaaDepth,
    Image3d,
];
const ARRAYS: &[ImageKind] =
    &[Image1dArray, Image2dArray, Image2dArrayDepth, Image2dArrayMsaa, Image2dArrayMsaaDepth];
const MULTISAMPLED: &[ImageKind] =
    &[Image2dMsaa, Image2dArrayMsaa, Image2dMsaaDepth, Image2dArrayMsaaDepth];

const READ: &[Access] = &[ReadOnly];
const WRITE: &[Access] = &[WriteOnly];
const BOTH: &[Access] = &[ReadWrite];
const ANY: &[Access] = &[ReadOnly, WriteOnly, ReadWrite];

pub(super) const ROWS: &[Row] = &[
    // Sampled reads.
    f("read_imagef", "float4(image, sampler, coord)", NONE, ReadImageSampled(Float))
        .images(SAMPLED, READ),
    f("read_imagef", "float4(image, sampler, fcoord)", NONE, ReadImageSampled(Float))
        .images(SAMPLED, READ),
    f("read_imagef", "float(image, sampler, coord)", NONE, ReadImageSampled(Float))
        .images(DEPTH, READ)
        .when(DEPTH_IMAGES),
    f("read_imagef", "float(image, sampler, fcoord)", NONE, ReadImageSampled(Float))
        .images(DEPTH, READ)
        .when(DEPTH_IMAGES),
    f("read_imagei", "int4(image, sampler, coord)", NONE, ReadImageSampled(Signed))
        .images(SAMPLED, READ),
    f("read_imagei", "int4(image, sampler, fcoord)", NONE, ReadImageSampled(Signed))
        .images(SAMPLED, READ),
    f("read_imageui", "uint4(image, sampler, coord)", NONE, ReadImageSampled(Unsigned))
        .images(SAMPLED, READ),
    f("read_imageui", "uint4(image, sampler, fcoord)", NONE, ReadImageSampled(Unsigned))
        .images(SAMPLED, READ),
    f("read_imageh", "half4(image, sampler, coord)", NONE, ReadImageSampled(Half))
        .images(SAMPLED, READ)
        .when(HALF_IMAGES),
    f("read_imageh", "half4(image, sampler, fcoord)", NONE, ReadImageSampled(Half))
        .images(SAMPLED, READ)
        .when(HALF_IMAGES),
    // Sampler-less reads.
    f("read_imagef", "float4(image, coord)", NONE, ReadImage(Float))
        .images(COLOUR, READ)
        .when(SINCE_1_2),
    f("read_imagef", "float4(image, coord)", NONE, ReadImage(Float))
        .images(COLOUR, BOTH)
        .when(READ_WRITE_IMAGES),
    f("read_imagef", "float(image, coord)", NONE, ReadImage(Float))
        .images(DEPTH, READ)
        .when(DEPTH_IMAGES),
    f("read_imagef", "float(image, coord)", NONE, ReadImage(Float))
        .images(DEPTH, BOTH)
        .when(READ_WRITE_IMAGES),
    f("read_imagei", "int4(image, coord)", NONE, ReadImage(Signed))
        .images(COLOUR, READ)
        .when(SINCE_1_2),
    f("read_imagei", "int4(image, coord)", NONE, ReadImage(Signed))
        .images(COLOUR, BOTH)
        .when(READ_WRITE_IMAGES),
    f("read_imageui", "uint4(image, coord)", NONE, ReadImage(Unsigned))
        .images(COLOUR, READ)
        .when(SINCE_1_2),
    f("read_imageui", "uint4(image, coord)", NONE, ReadImage(Unsigned))
        .images(COLOUR, BOTH)
        .when(READ_WRITE_IMAGES),
    f("read_imageh", "half4(image, coord)", NONE, ReadImage(Half))
        .images(COLOUR, READ)
        .when(HALF_IMAGES_1_2),
    f("read_imageh", "half4(image, coord)", NONE, ReadImage(Half))
        .images(COLOUR, BOTH)
        .when(HALF_IMAGES_1_2),
    // Multi-sampled images.
    f("read_imagef", "float4(image, coord, int)", NONE, ReadImageMsaa(Float))
        .images(MSAA, &[ReadOnly, ReadWrite])
        .when(MSAA_IMAGES),
    f("read_imagef", "float(image, coord, int)", NONE, ReadImageMsaa(Float))
        .images(MSAA_DEPTH, &[ReadOnly, ReadWrite])
        .when(MSAA_IMAGES),
    f("read_imagei", "int4(image, coord, int)", NONE, ReadImageMsaa(Signed))
        .images(MSAA, &[ReadOnly, ReadWrite])
        .when(MSAA_IMAGES),
    f("read_imageui", "uint4(image, coord, int)", NONE, ReadImageMsaa(Unsigned))
        .images(MSAA, &[ReadOnly, ReadWrite])
        .when(MSAA_IMAGES),
    // Mipmaps.
    f("read_imagef", "float4(image, sampler, fcoord, float)", NONE, ReadImageSampledLod(Float))
        .images(SAMPLED, &[ReadOnly, ReadWrite])
        .when(MIPMAPS),
    f("read_imagef", "float(image, sampler, fcoord, float)", NONE, ReadImageSampledLod(Float))
        .images(DEPTH, &[ReadOnly, ReadWrite])
        .when(MIPMAPS),
    f("read_imagei", "int4(image, sampler, fcoord, float)", NONE, ReadImageSampledLod(Signed))
        .images(SAMPLED, &[ReadOnly, ReadWrite])
        .when(MIPMAPS),
    f("read_imageui", "uint4(image, sampler, fcoord, float)", NONE, ReadImageSampledLod(Unsigned))
        .images(SAMPLED, &[ReadOnly, ReadWrite])
        .when(MIPMAPS),
    f(
        "read_imagef",
        "float4(image, sampler, fcoord, grad, grad)",
        NONE,
        ReadImageSampledGrad(Float),
    )
    .images(SAMPLED, &[ReadOnly, ReadWrite])
    .when(MIPMAPS),
    f(
        "read_imagef",
        "float(image, sampler, fcoord, grad, grad)",
        NONE,
        ReadImageSampledGrad(Float),
    )
    .images(DEPTH, &[ReadOnly, ReadWrite])
    .when(MIPMAPS),
    f(
        "read_imagei",
        "int4(image, sampler, fcoord, grad, grad)",
        NONE,
        ReadImageSampledGrad(Signed),
    )
    .images(SAMPLED, &[ReadOnly, ReadWrite])
    .when(MIPMAPS),
    f(
        "read_imageui",
        "uint4(image, sampler, fcoord, grad, grad)",
        NONE,
        ReadImageSampledGrad(Unsigned),
    )
    .images(SAMPLED, &[ReadOnly, ReadWrite])
    .when(MIPMAPS),
    // Writes.
    f("write_imagef", "void(image, coord, float4)", NONE, WriteImage(Float))
        .images(COLOUR_FLAT, WRITE),
    f("write_imagef", "void(image, coord, float4)", NONE, WriteImage(Float))
        .images(COLOUR, BOTH)
        .when(READ_WRITE_IMAGES),
    f("write_imagef", "void(image, coord, float4)", NONE, WriteImage(Float))
        .images(VOLUME, WRITE)
        .when(IMAGES_3D_WRITES),
    f("write_imagef", "void(image, coord, float)", NONE, WriteImage(Float))
        .images(DEPTH, WRITE)
        .when(DEPTH_IMAGES),
    f("write_imagef", "void(image, coord, float)", NONE, WriteImage(Float))
        .images(DEPTH, BOTH)
        .when(READ_WRITE_IMAGES),
    f("write_imagei", "void(image, coord, int4)", NONE, WriteImage(Signed))
        .images(COLOUR_FLAT, WRITE),
    f("write_imagei", "void(image, coord, int4)", NONE, WriteImage(Signed))
        .images(COLOUR, BOTH)
        .when(READ_WRITE_IMAGES),
    f("write_imagei", "void(image, coord, int4)", NONE, WriteImage(Signed))
        .images(VOLUME, WRITE)
        .when(IMAGES_3D_WRITES),
    f("write_imageui", "void(image, coord, uint4)", NONE, WriteImage(Unsigned))
        .images(COLOUR_FLAT, WRITE),
    f("write_imageui", "void(image, coord, uint4)", NONE, WriteImage(Unsigned))
        .images(COLOUR, BOTH)
        .when(READ_WRITE_IMAGES),
    f("write_imageui", "void(image, coord, uint4)", NONE, WriteImage(Unsigned))
        .images(VOLUME, WRITE)
        .when(IMAGES_3D_WRITES),
    f("write_imageh", "void(image, coord, half4)", NONE, WriteImage(Half))
        .images(COLOUR, WRITE)
        .when(HALF_IMAGES),
    f("write_imageh", "void(image, coord, half4)", NONE, WriteImage(Half))
        .images(COLOUR, BOTH)
        .when(HALF_IMAGES_1_2),
    f("write_imagef", "void(image, coord, int, float4)", NONE, WriteImageLod(Float))
        .images(SAMPLED, &[WriteOnly, ReadWrite])
        .when(MIPMAP_WRITES),
    f("write_imagef", "void(image, coord, int, float)", NONE, WriteImageLod(Float))
        .images(DEPTH, &[WriteOnly, ReadWrite])
        .when(MIPMAP_WRITES),
    f("write_imagei", "void(image, coord, int, int4)", NONE, WriteImageLod(Signed))
        .images(SAMPLED, &[WriteOnly, ReadWrite])
        .when(MIPMAP_WRITES),
    f("write_imageui", "void(image, coord, int, uint4)", NONE, WriteImageLod(Unsigned))
        .images(SAMPLED, &[WriteOnly, ReadWrite])
        .when(MIPMAP_WRITES),
    // Queries.
    f("get_image_width", "int(image)", NONE, GetImageWidth).images(EVERY, ANY),
    f("get_image_height", "int(image)", NONE, GetImageHeight).images(WITH_HEIGHT, ANY),
    f("get_image_depth", "int(image)", NONE, GetImageDepth).images(VOLUME, ANY),
    f("get_image_channel_data_type", "int(image)", NONE, GetImageChannelDataType)
        .images(EVERY, ANY),
    f("get_image_channel_order", "int(image)", NONE, GetImageChannelOrder).images(EVERY, ANY),
    f("get_image_dim", "dim(image)", NONE, GetImageDim).images(WITH_HEIGHT, ANY),
    f("get_image_array_size", "size(image)", NONE, GetImageArraySize)
        .images(ARRAYS, ANY)
        .when(SINCE_1_2),
    f("get_image_num_mip_levels", "int(image)", NONE, GetImageNumMipLevels)
        .images(MIPMAPPED, ANY)
        .when(MIPMAPS),
    f("get_image_num_samples", "int(image)", NONE, GetImageNumSamples)
        .images(MULTISAMPLED, ANY)
        .when(MSAA_IMAGES),
];
