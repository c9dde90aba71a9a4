// RUN: -S -O -cl-std=CL2.0
// emits: OpLoopMerge
// emits: Unroll
// emits: DontUnroll
kernel void unrolled(global int *p, int n)
{
    __attribute__((opencl_unroll_hint)) for (int i = 0; i < n; i++) p[i] = p[i + n];
}
kernel void rolled(global int *p, int n)
{
    __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < n; i++) p[i] = p[i + n];
}
kernel void pragma(global int *p, int n)
{
#pragma unroll 4
    for (int i = 0; i < n; i++) p[i] = p[i + n];
}
