// float, double and half arithmetic; constants folded as the device computes.
//@ section 6.5.1 6.5.4 6.5.5 7.1 7.2
//@ kernel singles
//@ global 4
//@ arg buffer float[4] = 1.5 -0 3.4e38 1e-40
//@ arg buffer float[32] = zero
//@ result 1 = 1.75 15 -1.5 0.6666667 0 1.5 0 7 0.25 -0 0 -inf 0*2 3 4 340000000000000000000000000000000000000 inf -340000000000000000000000000000000000000 0.000000000000000000000000000000000000002941177 0 340000000000000000000000000000000000000 0 inf 0.25 0.000000000000000000000000000000000000000999995 -0.0000000000000000000000000000000000000001 inf 0 0.0000000000000000000000000000000000000001 0 4
//@ kernel doubles
//@ global 2
//@ arg buffer double[2] = 0.1 -1e308
//@ arg buffer double[12] = zero
//@ result 1 = 0.30000000000000004*2 0.010000000000000002 1 0.10000000149011612 1.2 -inf -100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 inf -1 -inf*2
//@ kernel halves
//@ global 4
//@ arg buffer half[4] = 1 -2.5 65504 0.0001
//@ arg buffer half[16] = zero
//@ arg buffer float[8] = zero
//@ result 1 = 2 1 -1 0.5 -1.5 6.25 2.5 -1.25 65504 inf -65504 32752 1 0 -0.00010001659393310547 0.000050008296966552734
//@ result 2 = 1 0.33325195 -2.5 -0.8334961 65504 21840 0.000100016594 0.000033318996
//@ kernel constants
//@ global 1
//@ arg buffer double[12] = zero
//@ result 0 = 0.3333333333333333 0.3333333432674408 12 0.0010000000474974513 16777216 3.141592653589793 3.1415927410125732 340282346638528860000000000000000000000 inf 0.0000002384185791015625 0.30000001192092896 3
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

kernel void singles(global const float *in, global float *out)
{
    const float x = in[get_global_id(0)];
    global float *o = out + 8 * get_global_id(0);
    o[0] = x + 0.25f;
    o[1] = x * 10;
    o[2] = -x;
    o[3] = 1 / x;
    o[4] = x - x;
    o[5] = x > 0 ? x : -x;
    o[6] = (x == 0) + 2 * (1 / x < 0);
    float y = x;
    y += 1;
    y++;
    y *= 2.0;
    o[7] = y;
}

kernel void doubles(global const double *in, global double *out)
{
    const double x = in[get_global_id(0)];
    global double *o = out + 6 * get_global_id(0);
    o[0] = x * 3;
    o[1] = x + 0.2;
    o[2] = x * x;
    o[3] = sqrt(fabs(x)) * sqrt(fabs(x)) / x;
    o[4] = (float)x;
    o[5] = fma(x, 2.0, 1.0);
}

kernel void halves(global const half *in, global half *out, global float *f)
{
    const int i = get_global_id(0);
    const half x = in[i];
    out[4 * i] = x + (half)1;
    out[4 * i + 1] = x * x;
    out[4 * i + 2] = -x;
    vstore_half((float)x * 0.5f, 4 * i + 3, out);
    f[2 * i] = vload_half(i, in);
    f[2 * i + 1] = x / 3;
}

kernel void constants(global double *o)
{
    o[0] = 1.0 / 3.0;
    o[1] = 1.0f / 3.0f;
    o[2] = 0x1.8p3;
    o[3] = 1e-3f;
    o[4] = 16777216.0f + 1.0f;
    o[5] = M_PI;
    o[6] = M_PI_F;
    o[7] = FLT_MAX;
    o[8] = INFINITY;
    o[9] = FLT_EPSILON * 2;
    o[10] = (float)0.1 + (float)0.2;
    o[11] = MAXFLOAT / 2 > 1e38f ? 3 : 4;
}
