// Sums and products of halves are rounded before they are widened.
//@ section 6.3.1 6.5.1
//@ kernel widened
//@ arg buffer half[3] = 1 0.00024414062 1.0009766
//@ arg buffer float[6] = zero
//@ result 1 = 1 1 1.0019531 0 1 1.0019531
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

kernel void widened(global const half *in, global float *out)
{
    const half x = in[0], y = in[1], z = in[2];
    out[0] = x + y;
    out[1] = x - y;
    out[2] = z * z;
    out[3] = (float)(x + y) - 1;
    const half sum = x + y;
    out[4] = sum * (float)x;
    const half product = z * z;
    out[5] = product;
}
