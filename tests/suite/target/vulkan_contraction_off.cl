// The pragma leaves nothing to contract.
// RUN: --target-env=vulkan1.3 -O -S
// emits: NoContraction
// emits-not: Fma
#pragma OPENCL FP_CONTRACT OFF
kernel void k(global float *p)
{
    p[0] = p[1] * p[2] + p[3];
}
