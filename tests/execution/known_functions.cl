//@ kernel constants
//@ global 1
//@ arg buffer int[12] = zero
//@ result 0 = 1000 2718 540302 398942 230258509 -235619449 -707106 287 1 1 1 3
//@ kernel powers
//@ global 8
//@ arg buffer float[8] = 2 -4 0.5 -0.25 8796093022208 -2.3283064365386963e-10 0 -1
//@ arg buffer float[72] = zero
//@ result 1 = 4 8 32 128 0.5 0.25 1 32 64 16 -64 -1024 -16384 -0.25 0.0625 1 0 4096 0.25 0.125 0.03125 0.0078125 2 4 1 11 0.015625 0.0625 -0.015625 -0.0009765625 -6.103515625e-05 -4 16 1 7 0.000244140625 7.737125245533627e+25 inf inf inf 1.1368683772161603e-13 1.2924697071141057e-26 1 -1 inf 5.421010862427522e-20 -1.262177448353619e-29 -0 -0 -4294967296 1.8446744073709552e+19 1 8 0 0 0 0 0 inf inf 1 8 0 1 -1 -1 -1 -1 1 1 4 1
//@ kernel roots
//@ global 6
//@ arg buffer float[6] = 0 1 2 9 4 0.3
//@ arg buffer int[18] = zero
//@ result 1 = -1 100000 100000 300000 70711 141421 212132 57735 173205 100000 31623 316228 150000 44721 223607 547723 87706 114018
//@ kernel halves
//@ global 11
//@ arg buffer float[11] = 4 0 -0 inf -inf -1 2.25 6.25 -5.5 -8 0.0625
//@ arg buffer float[88] = zero
//@ result 1 = 2 8 0.5 2 1.414306640625 0.5 0 0 0 0 inf 0 0 inf 0 0 0 0 inf 0 0 inf -0 -0 inf inf 0 inf inf 0 -99 -99 inf inf 0 -99 -99 -99 -99 -99 -99 -99 -99 -99 -99 -99 -1 -0 1.5 3.375 0.666748046875 1.5 1.224853515625 0.666748046875 2.25 0.25 2.5 15.625 0.39990234375 2.5 1.5810546875 0.39990234375 2.25 0.25 -99 -99 -99 -99 -99 -99 -1.5 -0.5 -99 -99 -99 -99 -99 -99 -0 -0 0.25 0.015625 4 0.25 0.5 4 0.0625 0.0625
//@ kernel vectors
//@ global 1
//@ arg buffer int[11] = zero
//@ result 0 = 487950 780720 -390360 5000 76157 26 -7 -10 9 0 14142
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Functions of constants, by components too: what is before the last digits is theirs.
kernel void constants(global int *out)
{
    const float2 both = exp((float2)(0.0f, 1.0f)) * 1000.0f;
    out[0] = (int)both.x;
    out[1] = (int)both.y;
    out[2] = (int)(cos(1.0f) * 1e6f);
    out[3] = (int)(1e6f / sqrt(2.0f * M_PI_F));
    out[4] = (int)(log(10.0) * 1e8);
    out[5] = (int)(atan2(-1.0, -1.0) * 1e8);
    out[6] = (int)(cospi(0.75f) * 1e6f);
    out[7] = (int)tgamma(6.5f);
    out[8] = as_int(fmin(-3.0f, 2.0f)) == as_int(-3.0f) && rint(2.5f) == 2.0f && round(2.5f) == 3.0f;
    // What is special is the device's: no number, infinity, and the sign of zero.
    out[9] = isnan(sqrt(-1.0f)) && isinf(log(0.0f)) && isinf(1.0f / sqrt(0.0f));
    out[10] = as_int(sin(-0.0f)) == as_int(-0.0f);
    out[11] = (int)fma(16777215.0f, 16777213.0f, -2.81474909e+14f);
}

// To the nearest multiple of sixteen units in the last place: a device may be that far off.
float about(float x)
{
    return as_float((as_int(x) + 8) & ~15);
}

// Whole powers of numbers of both signs, too large and too small.
kernel void powers(global const float *in, global float *out)
{
    const int id = get_global_id(0);
    const float x = in[id];
    out[9 * id] = about(pow(x, 2.0f));
    out[9 * id + 1] = about(pow(x, 3.0f));
    out[9 * id + 2] = about(pown(x, 5));
    out[9 * id + 3] = about(pown(x, 7));
    out[9 * id + 4] = about(pow(x, -1.0f));
    out[9 * id + 5] = about(pown(x, -2));
    out[9 * id + 6] = about(pow(x, 0.0f));
    out[9 * id + 7] = x > 100.0f ? -1.0f : floor(pow(2.0f, x) * 8.0f + 0.3f);
    out[9 * id + 8] = about((float)pow((double)x, 6.0));
}

// Roots that divide, once and more than once.
kernel void roots(global const float *in, global int *out)
{
    const int id = get_global_id(0);
    const float x = in[id];
    const float root = sqrt(x + 1.0f);
    const float quotient = 3.0f / sqrt(x);
    out[3 * id] = isinf(quotient) ? -1 : (int)(quotient * 1e5f + 0.5f);
    out[3 * id + 1] = (int)(1e5f / root + 0.5f);
    out[3 * id + 2] = (int)(1e5f * root + 0.5f);
}

// To the nearest of 4096 parts, but for what is no number: -99.
float near(float x)
{
    return isnan(x) ? -99.0f : isinf(x) ? x : copysign(floor(fabs(x) * 4096.0f + 0.5f) / 4096.0f, x);
}

// Powers of a half and the like, roots, and what powers of two leave.
kernel void halves(global const float *in, global float *out)
{
    const int id = get_global_id(0);
    const float x = in[id];
    out[8 * id] = near(pow(x, 0.5f));
    out[8 * id + 1] = near(pow(x, 1.5f));
    out[8 * id + 2] = near(pow(x, -0.5f));
    out[8 * id + 3] = near(powr(x, 0.5f));
    out[8 * id + 4] = near(rootn(x, 4));
    out[8 * id + 5] = near(rootn(x, -2));
    out[8 * id + 6] = near(fmod(x, 4.0f));
    out[8 * id + 7] = near(fmod(x, 1.0f));
}

// Vectors of constants: a direction, lengths and products; squares beyond the range of `float` are within that of the length.
kernel void vectors(global int *out)
{
    const float3 way = normalize((float3)(0.5f, 0.8f, -0.4f));
    out[0] = (int)(way.x * 1e6f);
    out[1] = (int)(way.y * 1e6f);
    out[2] = (int)(way.z * 1e6f);
    out[3] = (int)(length((float2)(3.0f, 4.0f)) * 1000.0f);
    out[4] = (int)(distance((float4)(1, 2, 3, 4), (float4)(5, -3, 2, 8)) * 1e4f);
    out[5] = (int)dot((float3)(1, 2, 3), (float3)(3, 4, 5));
    const float4 normal = cross((float4)(1, 2, 3, 7), (float4)(-2, 5, 4, 9));
    out[6] = (int)normal.x;
    out[7] = (int)normal.y;
    out[8] = (int)normal.z;
    out[9] = (int)normal.w;
    out[10] = (int)(length((float2)(1e30f, 1e30f)) / 1e26f);
}
