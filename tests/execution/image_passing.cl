// Images and samplers that go through functions, are chosen by conditions and change in loops, and
// images that are read as what they turn out to be.
//@ section 6.15.15.1 6.15.15.5 6.15.15.6
//@ options -cl-std=CL2.0
//@ kernel chosen
//@ global 6
//@ arg image rgba float 4x2 = ramp
//@ arg image rgba float 4x2 = ramp 100
//@ arg sampler 0 edge nearest
//@ arg buffer int[6] = 0 1 2 3 3 0
//@ arg buffer float4[6] = fill -1
//@ result 4 = 0*4 100 101 102 103 4 5 6 7 108 109 110 111 112 113 114 115 0*4
//@ kernel looped
//@ arg image rgba float 4x2 = ramp
//@ arg image rgba float 4x2 = ramp 100
//@ arg int = 7
//@ arg buffer float4[1] = fill -1
//@ result 3 = 384 391 398 405
//@ kernel written
//@ global 4
//@ arg image rgba float 4x2 = ramp
//@ arg image rgba float 4x1 = zero
//@ arg image rgba float 4x1 = zero
//@ result 1 = 16 17 18 19 0*4 24 25 26 27 0*4
//@ result 2 = 0*4 20 21 22 23 0*4 28 29 30 31
//@ kernel typed floats
//@ global 2
//@ arg image rgba half 2x1 = 0.5 -1 2 4  8 16 32 64
//@ arg sampler 0 clamp nearest
//@ arg buffer float4[4] = fill -1
//@ result 2 = 0.5 -1 2 4  8 16 32 64  8 16 32 64  0 0 0 0
//@ kernel typed integers
//@ global 2
//@ arg image rgba int32 2x1 = 5 -1 2 4  8 16 -32 64
//@ arg sampler 0 clamp nearest
//@ arg buffer float4[4] = fill -1
//@ result 2 = 5 -1 2 4  8 16 -32 64  8 16 -32 64  0 0 0 0
//@ kernel typed numbers without a sign
//@ global 2
//@ arg image rg uint8 2x1 = 255 1 2 3
//@ arg sampler 0 clamp nearest
//@ arg buffer float4[4] = fill -1
//@ result 2 = 255 1 0 1  2 3 0 1  2 3 0 1  0 0 0 1
//@ kernel two_samplers
//@ global 4
//@ arg image r float 2x1 = 2 6
//@ arg sampler 1 repeat nearest
//@ arg sampler 1 mirror nearest
//@ arg buffer float[4] = fill -1
//@ result 3 = 2 6 6 2
//@ kernel two_samplers the other way round
//@ global 4
//@ arg image r float 2x1 = 2 6
//@ arg sampler 1 mirror nearest
//@ arg sampler 1 repeat nearest
//@ arg buffer float[4] = fill -1
//@ result 3 = 6 2 2 6
//@ kernel literals_chosen
//@ global 4
//@ arg image r float 4x2x2 3d = ramp
//@ arg image r float 4x2 = ramp 100
//@ arg buffer float2[4] = fill -1
//@ result 2 = 1 101 9 101 15 107 15 107
//@ kernel calls_a_kernel
//@ global 2
//@ arg image rgba float 4x1 = ramp
//@ arg image rgba float 4x1 = zero
//@ arg sampler 0 edge linear
//@ result 1 = 0 1 2 3  0*4  8 9 10 11  12 13 14 15
//@ kernel calls_a_kernel the first one itself
//@ global 1
//@ arg image rgba float 4x1 = ramp
//@ arg image rgba float 4x1 = zero
//@ arg sampler 0 edge linear
//@ result 1 = 0 1 2 3  0*4  8 9 10 11  0*4
//@ kernel twice_the_same
//@ global 3
//@ arg image r int32 4x1 = 5 3 8 1
//@ arg buffer int[3] = fill -1
//@ result 1 = 2 -5 7

constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

__attribute__((noinline)) float4 get(read_only image2d_t image, sampler_t sampler, int2 at)
{
    return read_imagef(image, sampler, at);
}

__attribute__((noinline)) void put(write_only image2d_t image, int2 at, float4 value)
{
    write_imagef(image, at, value);
}

float4 through(read_only image2d_t first, read_only image2d_t second, sampler_t sampler, int which, int2 at)
{
    return get(which & 1 ? second : first, sampler, at);
}

kernel void chosen(read_only image2d_t a, read_only image2d_t b, sampler_t s, global const int *which, global float4 *out)
{
    const int i = get_global_id(0);
    out[i] = through(a, b, which[i] & 2 ? s : border, which[i], (int2)(i - 1, 0));
}

kernel void looped(read_only image2d_t a, read_only image2d_t b, int n, global float4 *out)
{
    float4 sum = 0;
    for (int i = 0; i < n; i++)
        sum += read_imagef(i % 3 ? a : b, (int2)(i % 4, i / 4));
    out[0] = sum;
}

kernel void written(read_only image2d_t from, write_only image2d_t even, write_only image2d_t odd)
{
    const int i = get_global_id(0);
    put(i % 2 ? odd : even, (int2)(i, 0), read_imagef(from, (int2)(i, 1)));
}

float4 any(read_only image2d_t image, int2 at)
{
    switch (get_image_channel_data_type(image)) {
    case CLK_SIGNED_INT8:
    case CLK_SIGNED_INT16:
    case CLK_SIGNED_INT32:
        return convert_float4(read_imagei(image, at));
    case CLK_UNSIGNED_INT8:
    case CLK_UNSIGNED_INT16:
    case CLK_UNSIGNED_INT32:
        return convert_float4(read_imageui(image, at));
    default:
        return read_imagef(image, at);
    }
}

float4 any_sampled(read_only image2d_t image, sampler_t sampler, int2 at)
{
    switch (get_image_channel_data_type(image)) {
    case CLK_SIGNED_INT8:
    case CLK_SIGNED_INT16:
    case CLK_SIGNED_INT32:
        return convert_float4(read_imagei(image, sampler, at));
    case CLK_UNSIGNED_INT8:
    case CLK_UNSIGNED_INT16:
    case CLK_UNSIGNED_INT32:
        return convert_float4(read_imageui(image, sampler, at));
    default:
        return read_imagef(image, sampler, at);
    }
}

kernel void typed(read_only image2d_t image, sampler_t s, global float4 *out)
{
    const int i = get_global_id(0);
    out[i] = any(image, (int2)(i, 0));
    out[i + 2] = any_sampled(image, s, (int2)(i + 1, 0));
}

// Which texel lies one and a half images to the right.
kernel void two_samplers(read_only image2d_t image, sampler_t s, sampler_t t, global float *out)
{
    const int i = get_global_id(0);
    const float x = i < 2 ? 1.25f : 1.75f;
    out[i] = read_imagef(image, i % 2 ? t : s, (float2)(x, 0.5f)).x;
}

float2 both(read_only image3d_t a, read_only image2d_t b, sampler_t s, float4 at)
{
    return (float2)(read_imagef(a, s, at).x, read_imagef(b, s, at.xy).x);
}

// Coordinates mean something else with the other sampler.
kernel void literals_chosen(read_only image3d_t a, read_only image2d_t b, global float2 *out)
{
    const sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    const sampler_t scaled = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    const int i = get_global_id(0);
    const float4 at = (float4)(1.25f, i > 1 ? 1.5f : 0.25f, i ? 1.25f : 0.75f, 0);
    out[i] = both(a, b, i < 2 ? plain : scaled, at);
}

kernel void calls_a_kernel_for_each(read_only image2d_t in, write_only image2d_t to, sampler_t s, int from)
{
    const int x = (get_global_id(0) + from) & 3;
    write_imagef(to, (int2)(x, 0), read_imagef(in, s, (float2)(x + 0.5f, 0.5f)));
}

kernel void calls_a_kernel(read_only image2d_t in, write_only image2d_t to, sampler_t unused)
{
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
    calls_a_kernel_for_each(in, to, unused, get_global_id(0) * 2);
    if (get_global_id(0) == 0)
        write_imagef(to, (int2)(2, 0), read_imagef(in, s, (float2)(2.5f, 0.5f)));
}

int difference(read_only image2d_t a, read_only image2d_t b, int x)
{
    return read_imagei(a, (int2)(x, 0)).x - read_imagei(b, (int2)(x + 1, 0)).x;
}

kernel void twice_the_same(read_only image2d_t image, global int *out)
{
    const int x = get_global_id(0);
    out[x] = difference(image, image, x);
}
