// Numbers below the normal ones are kept where the device is said to do so.
// RUN[plain]: --target-env=vulkan1.3 -S
// RUN[kept]: --target-env=vulkan1.3 --spirv-ext=+SPV_KHR_float_controls -S
// RUN[zero]: --target-env=vulkan1.3 --spirv-ext=+SPV_KHR_float_controls -cl-denorms-are-zero -S
// RUN[bare]: --target-env=vulkan1.3 --spirv-ext=-SPV_KHR_float_controls -S
// emits[plain]: SignedZeroInfNanPreserve 32
// emits-not[plain]: DenormPreserve
// emits[kept]: DenormPreserve 32
// emits-not[zero]: DenormPreserve
// emits-not[bare]: SignedZeroInfNanPreserve
kernel void k(global float *p)
{
    p[0] *= 0.5f;
}
