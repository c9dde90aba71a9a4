// Images of all kinds: what they say of themselves, samplers without normalised coordinates, texels of
// buffers, and images that a work-group reads after it has written them.
//@ section 6.15.15.2 6.15.15.5 6.15.15.6 6.15.8
//@ options -cl-std=CL2.0
//@ kernel sizes
//@ arg image r float 5 1d = zero
//@ arg image rg half 6 1dbuffer = zero
//@ arg image rgba unorm8 4x3 1darray = zero
//@ arg image bgra unorm8 3x7 = zero
//@ arg image r unorm16 2x3x4 2darray = zero
//@ arg image rg half 5x3x2 3d = zero
//@ arg buffer int[32] = fill -1
//@ result 6 = 5 1 1  6 1 1  4 3 1 1  3 7 37 1 1  2 3 4 23 1 1  5 3 2 5320 1 1  -1*5
//@ kernel sizes of integers
//@ arg image r int32 5 1d = zero
//@ arg image rg uint16 6 1dbuffer = zero
//@ arg image rgba uint8 4x3 1darray = zero
//@ arg image rgba int8 3x7 = zero
//@ arg image r uint32 2x3x4 2darray = zero
//@ arg image rg int16 5x3x2 3d = zero
//@ arg buffer int[32] = fill -1
//@ result 6 = 5 1 0  6 1 0  4 3 1 0  3 7 37 0 0  2 3 4 23 1 0  5 3 2 5320 1 0  -1*5
//@ kernel sizes_written
//@ arg image r float 5 1d = zero
//@ arg image rgba float 6 1dbuffer = zero
//@ arg image rgba unorm8 4x3 1darray = zero
//@ arg image rg float 3x7 = zero
//@ arg image r snorm16 2x3x4 2darray = zero
//@ arg image rg snorm8 5x3x2 3d = zero
//@ arg buffer int[32] = fill -1
//@ result 6 = 5 1 1  6 1 1  4 3 1 1  3 7 37 1 1  2 3 4 23 1 1  5 3 2 5320 1 1  -1*5
//@ kernel sizes_of_integers
//@ arg image r uint16 2x3x4 2darray = fill 7
//@ arg image rg int8 5x3x2 3d = fill 9
//@ arg image r int32 6 1dbuffer = zero
//@ arg buffer int[12] = fill -1
//@ result 3 = 2 3 4 1 7  5320 1 9  6 1 -1*2
//@ kernel volume edge, nearest
//@ global 6
//@ arg image r float 4x2x2 3d = ramp
//@ arg sampler 0 edge nearest
//@ arg buffer float4[6] = 0.5 0.5 0.5 0  1 1 1 0  3.75 1.75 1.75 0  0.25 1.5 0.75 0  -0.5 0.5 0.5 0  2.5 1 5 0
//@ arg buffer float2[6] = fill -1
//@ arg buffer float2[6] = fill -1
//@ arg buffer float2[6] = fill -1
//@ result 3 = 0 1 13 1 15 1 4 1 0 1 14 1
//@ result 4 ~ 1e-6 0 1 6.5 1 15 1 6 1 0 1 12 1
//@ result 5 = 0 1 13 1 15 1 4 1 0 1 0 1
//@ kernel volume edge, linear
//@ global 6
//@ arg image r float 4x2x2 3d = ramp
//@ arg sampler 0 edge linear
//@ arg buffer float4[6] = 0.5 0.5 0.5 0  1 1 1 0  3.75 1.75 1.75 0  0.25 1.5 0.75 0  -0.5 0.5 0.5 0  2.5 1 5 0
//@ arg buffer float2[6] = fill -1
//@ arg buffer float2[6] = fill -1
//@ arg buffer float2[6] = fill -1
//@ result 3 ~ 1e-6 0 1 6.5 1 15 1 6 1 0 1 12 1
//@ kernel volume border, linear
//@ global 6
//@ arg image r float 4x2x2 3d = ramp
//@ arg sampler 0 clamp linear
//@ arg buffer float4[6] = 0.5 0.5 0.5 0  1 1 1 0  3.75 1.75 1.75 0  0.25 1.5 0.75 0  -0.5 0.5 0.5 0  2.5 1 5 0
//@ arg buffer float2[6] = fill -1
//@ arg buffer float2[6] = fill -1
//@ arg buffer float2[6] = fill -1
//@ result 3 ~ 1e-6 0 1 6.5 1 6.328125 1 4.5 1 0 1 0 1
//@ kernel layers edge, nearest
//@ global 6
//@ arg image r float 4x2x3 2darray = ramp
//@ arg image r float 4x3 1darray = ramp
//@ arg sampler 0 edge nearest
//@ arg buffer float4[6] = 0.5 0.5 0.4 0  1 1 1 0  3.75 1.75 1.6 0  0.25 1.5 2.9 0  -0.5 0.5 -1 0  2.5 1 1.5 0
//@ arg buffer float2[6] = fill -1
//@ arg buffer float2[6] = fill -1
//@ arg buffer float2[6] = fill -1
//@ result 4 = 0 1 13 1 23 1 20 1 0 1 22 1
//@ result 5 ~ 1e-6 0 1 10.5 1 12.9375 1 15 1 0 1 20 1
//@ result 6 ~ 1e-6 0 1 4.5 1 8.25 1 6 1 0 1 10 1
//@ kernel layers border, linear
//@ global 6
//@ arg image r float 4x2x3 2darray = ramp
//@ arg image r float 4x3 1darray = ramp
//@ arg sampler 0 clamp linear
//@ arg buffer float4[6] = 0.5 0.5 0.4 0  1 1 1 0  3.75 1.75 1.6 0  0.25 1.5 2.9 0  -0.5 0.5 -1 0  2.5 1 1.5 0
//@ arg buffer float2[6] = fill -1
//@ arg buffer float2[6] = fill -1
//@ arg buffer float2[6] = fill -1
//@ result 4 ~ 1e-6 0 1 10.5 1 12.9375 1 15 1 0 1 20 1
//@ kernel shared_sampler edge, nearest
//@ global 6
//@ arg image r float 4x2 = ramp
//@ arg image r float 4x2x2 3d = ramp
//@ arg sampler 0 edge nearest
//@ arg buffer float4[6] = 0.5 0.5 0.5 0  1 1 1 0  3.75 1.75 1.75 0  0.25 1.5 0.75 0  -0.5 0.5 0.5 0  2.5 1 5 0
//@ arg buffer float[6] = fill -1
//@ arg buffer float[6] = fill -1
//@ result 4 = 0 5 7 4 0 6
//@ result 5 = 0 13 15 4 0 14
//@ kernel shared_sampler border, linear
//@ global 6
//@ arg image r float 4x2 = ramp
//@ arg image r float 4x2x2 3d = ramp
//@ arg sampler 0 clamp linear
//@ arg buffer float4[6] = 0.5 0.5 0.5 0  1 1 1 0  3.75 1.75 1.75 0  0.25 1.5 0.75 0  -0.5 0.5 0.5 0  2.5 1 5 0
//@ arg buffer float[6] = fill -1
//@ arg buffer float[6] = fill -1
//@ result 4 ~ 1e-6 0 2.5 3.9375 3 0 4
//@ result 5 ~ 1e-6 0 6.5 6.328125 4.5 0*2
//@ kernel shared_sampler repeated
//@ global 4
//@ arg image r float 4x2 = ramp
//@ arg image r float 4x2x2 3d = ramp
//@ arg sampler 1 repeat nearest
//@ arg buffer float4[4] = 1.125 0.25 0.25 0  -0.125 1.75 -0.75 0  0.375 -0.25 2.5 0  2.875 0 1 0
//@ arg buffer float[4] = fill -1
//@ arg buffer float[4] = fill -1
//@ result 4 = 0 7 5 3
//@ result 5 = 0 7 13 3
//@ kernel buffers
//@ global 5
//@ arg image rgba float 5 1dbuffer = ramp
//@ arg image rg uint8 5 1dbuffer = ramp 1
//@ arg image r int32 5 1dbuffer = ramp 7 3
//@ result 1 = 17 16 13 12 9 8 5 4 1 0
//@ result 2 = 7 100 13 106 19
//@ kernel neighbours
//@ global 8
//@ local 8
//@ arg image r int32 8x1 = ramp 1
//@ arg buffer int[8] = fill -1
//@ result 0 = 20 30 40 50 60 70 80 10
//@ result 1 = 21 31 41 51 61 71 81 11
//@ kernel own
//@ global 4
//@ arg image rgba uint16 4x1 = ramp
//@ arg buffer uint4[4] = fill 7
//@ result 0 = 0 2 4 6  8 10 12 14  16 18 20 22  24 26 28 30
//@ result 1 = 0 2 4 6  8 10 12 14  16 18 20 22  24 26 28 30

kernel void sizes(read_only image1d_t a, read_only image1d_buffer_t b, read_only image1d_array_t c, read_only image2d_t d, read_only image2d_array_t e, read_only image3d_t f, global int *out)
{
    *out++ = get_image_width(a);
    *out++ = get_image_channel_order(a) == CLK_R;
    *out++ = get_image_channel_data_type(a) == CLK_FLOAT;
    *out++ = get_image_width(b);
    *out++ = get_image_channel_order(b) == CLK_RG;
    *out++ = get_image_channel_data_type(b) == CLK_HALF_FLOAT;
    *out++ = get_image_width(c);
    *out++ = get_image_array_size(c);
    *out++ = get_image_channel_order(c) == CLK_RGBA;
    *out++ = get_image_channel_data_type(c) == CLK_UNORM_INT8;
    *out++ = get_image_width(d);
    *out++ = get_image_height(d);
    *out++ = get_image_dim(d).x * 10 + get_image_dim(d).y;
    *out++ = get_image_channel_order(d) == CLK_BGRA;
    *out++ = get_image_channel_data_type(d) == CLK_UNORM_INT8;
    *out++ = get_image_width(e);
    *out++ = get_image_height(e);
    *out++ = get_image_array_size(e);
    *out++ = get_image_dim(e).x * 10 + get_image_dim(e).y;
    *out++ = get_image_channel_order(e) == CLK_R;
    *out++ = get_image_channel_data_type(e) == CLK_UNORM_INT16;
    *out++ = get_image_width(f);
    *out++ = get_image_height(f);
    *out++ = get_image_depth(f);
    *out++ = get_image_dim(f).x * 1000 + get_image_dim(f).y * 100 + get_image_dim(f).z * 10 + get_image_dim(f).w;
    *out++ = get_image_channel_order(f) == CLK_RG;
    *out++ = get_image_channel_data_type(f) == CLK_HALF_FLOAT;
}

kernel void sizes_written(write_only image1d_t a, write_only image1d_buffer_t b, read_write image1d_array_t c, read_write image2d_t d, write_only image2d_array_t e, write_only image3d_t f, global int *out)
{
    *out++ = get_image_width(a);
    *out++ = get_image_channel_order(a) == CLK_R;
    *out++ = get_image_channel_data_type(a) == CLK_FLOAT;
    *out++ = get_image_width(b);
    *out++ = get_image_channel_order(b) == CLK_RGBA;
    *out++ = get_image_channel_data_type(b) == CLK_FLOAT;
    *out++ = get_image_width(c);
    *out++ = get_image_array_size(c);
    *out++ = get_image_channel_order(c) == CLK_RGBA;
    *out++ = get_image_channel_data_type(c) == CLK_UNORM_INT8;
    *out++ = get_image_width(d);
    *out++ = get_image_height(d);
    *out++ = get_image_dim(d).x * 10 + get_image_dim(d).y;
    *out++ = get_image_channel_order(d) == CLK_RG;
    *out++ = get_image_channel_data_type(d) == CLK_FLOAT;
    *out++ = get_image_width(e);
    *out++ = get_image_height(e);
    *out++ = get_image_array_size(e);
    *out++ = get_image_dim(e).x * 10 + get_image_dim(e).y;
    *out++ = get_image_channel_order(e) == CLK_R;
    *out++ = get_image_channel_data_type(e) == CLK_SNORM_INT16;
    *out++ = get_image_width(f);
    *out++ = get_image_height(f);
    *out++ = get_image_depth(f);
    *out++ = get_image_dim(f).x * 1000 + get_image_dim(f).y * 100 + get_image_dim(f).z * 10 + get_image_dim(f).w;
    *out++ = get_image_channel_order(f) == CLK_RG;
    *out++ = get_image_channel_data_type(f) == CLK_SNORM_INT8;
}

// Vulkan compares the type of texels with the format, so that somebody must read or write them here.
kernel void sizes_of_integers(read_only image2d_array_t a, read_write image3d_t b, write_only image1d_buffer_t c, global int *out)
{
    *out++ = get_image_width(a);
    *out++ = get_image_height(a);
    *out++ = get_image_array_size(a);
    *out++ = get_image_channel_data_type(a) == CLK_UNSIGNED_INT16;
    *out++ = read_imageui(a, (int4)(1, 2, 3, 0)).x;
    *out++ = get_image_dim(b).x * 1000 + get_image_dim(b).y * 100 + get_image_dim(b).z * 10 + get_image_dim(b).w;
    *out++ = get_image_channel_data_type(b) == CLK_SIGNED_INT8;
    *out++ = read_imagei(b, (int4)(1, 2, 1, 0)).y;
    *out++ = get_image_width(c);
    *out++ = get_image_channel_data_type(c) == CLK_SIGNED_INT32;
    write_imagei(c, 0, (int4)(1));
}

// Through a sampler of the host, and through two that are written here.
kernel void volume(read_only image3d_t image, sampler_t s, global const float4 *at, global float2 *out, global float2 *linear, global float2 *border)
{
    const sampler_t filtered = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    const sampler_t bordered = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    const int i = get_global_id(0);
    out[i] = read_imagef(image, s, at[i]).xw;
    linear[i] = read_imagef(image, filtered, at[i]).xw;
    border[i] = read_imagef(image, bordered, at[i]).xw;
}

kernel void layers(read_only image2d_array_t image, read_only image1d_array_t lines, sampler_t s, global const float4 *at, global float2 *out, global float2 *border, global float2 *line)
{
    const sampler_t bordered = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
    const int i = get_global_id(0);
    out[i] = read_imagef(image, s, at[i]).xw;
    border[i] = read_imagef(image, bordered, at[i]).xw;
    line[i] = read_imagef(lines, bordered, at[i].xz).xw;
}

// One sampler for images for which Vulkan has unnormalised coordinates and for others.
kernel void shared_sampler(read_only image2d_t flat, read_only image3d_t deep, sampler_t s, global const float4 *at, global float *out, global float *below)
{
    const int i = get_global_id(0);
    out[i] = read_imagef(flat, s, at[i].xy).x;
    below[i] = read_imagef(deep, s, at[i]).x;
}

kernel void buffers(read_only image1d_buffer_t in, write_only image1d_buffer_t out, read_write image1d_buffer_t both)
{
    const int i = get_global_id(0);
    const float4 v = read_imagef(in, 4 - i);
    write_imageui(out, i, (uint4)((uint)v.y, (uint)v.x, 0, 0));
    if (i & 1)
        write_imagei(both, i, (int4)(read_imagei(both, i).x + 90, 0, 0, 0));
}

// Each work-item writes its pixel, and reads that of the next one.
kernel void neighbours(read_write image2d_t image, global int *out)
{
    const int i = get_local_id(0), n = get_local_size(0);
    write_imagei(image, (int2)(i, 0), read_imagei(image, (int2)(i, 0)) * 10);
    work_group_barrier(CLK_IMAGE_MEM_FENCE);
    const int next = read_imagei(image, (int2)((i + 1) % n, 0)).x;
    work_group_barrier(CLK_IMAGE_MEM_FENCE);
    write_imagei(image, (int2)(i, 0), (int4)(next, 0, 0, 0));
    out[i] = next + 1;
}

// A work-item sees what it wrote behind a fence.
kernel void own(read_write image2d_t image, global uint4 *out)
{
    const int2 at = (int2)(get_global_id(0), 0);
    write_imageui(image, at, read_imageui(image, at) * 2);
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    out[at.x] = read_imageui(image, at);
}
