// Images and samplers in functions of functions, in loops that end early, in switches and beside half precision.
//@ section 6.15.15.2 6.15.15.4
//@ options -cl-std=CL2.0
//@ kernel walk
//@ global 8
//@ arg image r int32 8x1 = 3 5 2 7 1 0 4 6
//@ arg image r int32 8x1 = 1 2 3 4 5 6 7 0
//@ arg buffer int2[8] = fill -1
//@ result 2 = 7 12 7 14 2 1 7 11 7 15 7 13 7 16 7 0
//@ kernel layers_of_calls
//@ global 4
//@ arg image rgba float 4x2x3 2darray = ramp
//@ arg image rgba float 4x2x3 3d = ramp
//@ arg sampler 0 clamp nearest
//@ arg buffer float4[4] = fill -1
//@ result 3 = 112 115 118 121 76 79 82 85 0 0 0 0 18 18 18 18
//@ kernel halves
//@ global 4
//@ arg image rgba half 4x1 = ramp 1
//@ arg image rgba half 4x1 = zero
//@ arg sampler 1 mirror nearest
//@ result 1 = 2 4 6 8 26 28 30 32 10 12 14 16 10 12 14 16
//@ kernel scattered
//@ global 8
//@ arg image r uint32 8 1d = zero
//@ arg image rg int16 8x1 = zero
//@ arg image rgba unorm8 8x2 1darray = zero
//@ arg buffer int[8] = 0 1 2 3 0 1 2 3
//@ result 0 = 0*4 4000000028 0*3
//@ result 1 = 0 0 -32768 32767 0*6 -32768 32767 0*4
//@ result 2 = 0*8 64 0 255 153 0*12 191 0 255 153 0*4  0*4 32 0 255 153 0*4 255 0 255 0 0*4 159 0 255 153 0*4 255 0 255 0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// Follows the numbers in an image until one is met again or the other image has a small one.
kernel void walk(read_only image2d_t next, read_only image2d_t other, global int2 *out)
{
    int at = get_global_id(0), steps = 0;
    bool seen[8] = { false };
    for (;;) {
        if (seen[at])
            break;
        seen[at] = true;
        const int value = read_imagei(other, (int2)(at, 0)).x;
        if (value == 0)
            break;
        at = read_imagei(next, (int2)(at, 0)).x;
        if (++steps > 6)
            break;
        if (value & 1)
            continue;
        if (at == 7)
            steps += 10;
    }
    out[get_global_id(0)] = (int2)(at, steps);
}

float4 deepest(read_only image2d_array_t a, read_only image3d_t b, sampler_t s, int layer, int which)
{
    switch (which) {
    case 0:
        return read_imagef(a, s, (int4)(which, 1, layer, 0));
    case 1:
        return read_imagef(b, s, (float4)(1.5f, 0.5f, layer + 0.5f, 0));
    case 2:
        return read_imagef(a, (int4)(3, 1, layer, 0)) - read_imagef(b, (int4)(3, 1, layer, 0));
    default:
        return read_imagef(b, s, (int4)(-1, 0, layer, 0)) + (float4)(get_image_depth(b));
    }
}

float4 deeper(sampler_t s, read_only image3d_t b, int which, read_only image2d_array_t a)
{
    float4 sum = 0;
    for (int layer = 0; layer < get_image_depth(b); layer++) {
        if (layer == 1 && which == 2)
            continue;
        sum += deepest(a, b, s, layer, which) * (layer + 1);
        if (sum.x > 60)
            return sum;
    }
    return sum;
}

kernel void layers_of_calls(read_only image2d_array_t a, read_only image3d_t b, sampler_t s, global float4 *out)
{
    const int i = get_global_id(0);
    out[i] = deeper(s, b, i, a);
}

kernel void halves(read_only image2d_t in, write_only image2d_t to, sampler_t s)
{
    const int i = get_global_id(0);
    const half4 v = read_imageh(in, s, (float2)((i * 3 + 0.5f) / 4, 0.5f));
    write_imageh(to, (int2)(i, 0), v * 2.0h);
}

kernel void scattered(write_only image1d_t a, write_only image2d_t b, write_only image1d_array_t c, global const int *which)
{
    const int i = get_global_id(0);
    switch (which[i]) {
    case 0:
        write_imageui(a, i, (uint4)(i * 1000000007u, 0, 0, 0));
        break;
    case 1:
        write_imagei(b, (int2)(i, 0), (int4)(-40000 * i, 40000, 0, 0));
        // And the next.
    case 2:
        write_imagef(c, (int2)(i, i & 1), (float4)(i * 0.125f, -1, 2, 0.6f));
        break;
    default:
        write_imagef(c, (int2)(i, 1), (float4)(1, 0, 1, 0));
    }
}
