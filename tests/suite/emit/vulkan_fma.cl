// `fma` on Vulkan, which does not promise that its instruction rounds once: the instruction only where the device's
// does. There is nothing else here whose body has the instruction.
// RUN[plain]: -S --target-env=vulkan1.3
// RUN[fused]: -S --target-env=vulkan1.3 --fused-fma
// emits[plain]: "__clc_fma_f32"
// emits-not[plain]:  Fma
// emits[fused]:  Fma
// emits-not[fused]: "__clc_fma_f32"
kernel void k(global float *p, float x)
{
    p[0] = fma(x, p[1], p[2]);
}
