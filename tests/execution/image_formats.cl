// Images whose channels are converted: sRGB to linear, and normalised integers to and from half.
//@ section 6.15.15.1.2 8.3.1.2 8.3.1.4 8.3.5
//@ options -cl-std=CL2.0
//@ kernel linear
//@ global 4
//@ arg image srgba unorm8 4x1 = 0 255 128 128  10 20 200 0  64 32 16 255  255 0 0 51
//@ arg buffer float4[4] = zero
//@ arg sampler 0 clamp nearest
//@ arg buffer float4[4] = zero
//@ result 1 ~ 0.002 0 1 0.2158605 0.5019608 0.0030353 0.0069954 0.5775804 0 0.0512695 0.0144438 0.0051815 1 1 0 0 0.2
//@ result 3 ~ 0.002 0 1 0.2158605 0.5019608 0.0030353 0.0069954 0.5775804 0 0.0512695 0.0144438 0.0051815 1 1 0 0 0.2
//@ kernel halves
//@ global 2
//@ arg image rgba unorm8 2x1 = 0 255 51 102  153 204 255 0
//@ arg image rgba unorm8 2x1 = zero
//@ arg buffer half4[2] = zero
//@ result 1 = 102 51 255 0  0 255 204 153
//@ result 2 ~ 0.0005 0 1 0.2 0.4  0.6 0.8 1 0
//@ kernel to_integers
//@ global 1
//@ arg image rgba unorm8 2x1 = fill 7
//@ arg image rgba unorm16 1x1 = fill 7
//@ result 0 = 0 255 0 255  25 77 128 250
//@ result 1 = 0 65535 49151 16384
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void linear(read_only image2d_t in, global float4 *out, sampler_t s, global float4 *sampled)
{
    const int i = get_global_id(0);
    out[i] = read_imagef(in, (int2)(i, 0));
    sampled[i] = read_imagef(in, s, (int2)(i, 0));
}

kernel void halves(read_only image2d_t in, write_only image2d_t to, global half4 *out)
{
    const int2 at = (int2)(get_global_id(0), 0);
    const half4 v = read_imageh(in, at);
    out[at.x] = v;
    write_imageh(to, at, v.wzyx);
}

kernel void to_integers(write_only image2d_t bytes, write_only image2d_t shorts)
{
    // Clamped to 0 and 1, then to the nearest; none of these is in the middle of two.
    write_imageh(bytes, (int2)(0, 0), (half4)(-1, 2, 0.0009765625h, 0.9990234375h));
    write_imageh(bytes, (int2)(1, 0), (half4)(0.1h, 0.3h, 0.501953125h, 0.98046875h));
    write_imageh(shorts, (int2)(0, 0), (half4)(-0.5h, 60000, 0.75h, 0.25h));
}
