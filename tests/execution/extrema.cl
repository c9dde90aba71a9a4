// max and min of floating-point values, carried by loops and of zeros of both signs.
//@ kernel singles
//@ global 2
//@ arg buffer float[10] = 3 -1 7 2.5 -8 0.5 1 6 -0 0
//@ arg buffer float[4] = zero
//@ arg buffer float[4] = zero
//@ result 1 = 7 -8 7 -8
//@ result 2 = -0 0 -0 0
//@ kernel vectors
//@ global 1
//@ arg buffer float[4] = 3 -1 7 2.5
//@ arg buffer float[8] = zero
//@ result 1 = 3 2 7 2.5 2 -1 2 2
//@ kernel doubles
//@ global 1
//@ arg buffer double[4] = 3 -1 7 2.5
//@ arg buffer double[2] = zero
//@ result 1 = 7 -1
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void singles(global const float *in, global float *out, global float *zeros)
{
    const int i = get_global_id(0);
    float high = in[i], low = in[i];
    for (int n = 0; n < 8; n++) {
        high = max(high, in[n]);
        low = min(low, in[n]);
    }
    out[2 * i] = high;
    out[2 * i + 1] = low;
    if (i == 0) {
        zeros[0] = max(in[8], in[9]);
        zeros[1] = max(in[9], in[8]);
        zeros[2] = min(in[8], in[9]);
        zeros[3] = min(in[9], in[8]);
    }
}

kernel void vectors(global const float4 *in, global float4 *out)
{
    out[0] = max(*in, 2.0f);
    out[1] = min(*in, (float4)(2.0f));
}

kernel void doubles(global const double *in, global double *out)
{
    double high = in[0], low = in[0];
    for (int n = 1; n < 4; n++) {
        high = max(high, in[n]);
        low = min(low, in[n]);
    }
    out[0] = high;
    out[1] = low;
}
