// RUN: -S
// emits: OpCapability ImageBasic
// compiles
__attribute__((noinline)) int nearest(sampler_t s, int i) { return i; }
kernel void k(global int *p)
{
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    *p = nearest(s, *p);
}
