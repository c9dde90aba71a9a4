// Math functions on Vulkan: instructions where GLSL.std.450 is precise enough, bodies elsewhere.
// RUN[plain]: -S --target-env=vulkan1.3
// RUN[fused]: -S --target-env=vulkan1.3 --fused-fma
// RUN[rounded]: -S --target-env=vulkan1.3 -cl-fp32-correctly-rounded-divide-sqrt
// RUN[fast]: -S --target-env=vulkan1.3 -cl-fast-relaxed-math
// RUN[denormals]: -S --target-env=vulkan1.3 --spirv-ext=+SPV_KHR_float_controls
// RUN[zeros]: -S --target-env=vulkan1.3 --spirv-ext=+SPV_KHR_float_controls -cl-denorms-are-zero
// RUN[opencl]: --fused-fma
// exit[opencl]: 2
// stderr[opencl]: `--fused-fma` is for Vulkan
// emits[plain]: "__clc_sin_f32"
// emits[plain]: "__clc_fma_f32"
// emits[plain]: "__clc_sqrt_flushed_f32"
// emits[plain]: "__clc_divide_flushed_f32"
// emits-not[plain]: "__clc_cos_f32"
// emits-not[fused]: "__clc_fma_f32"
// emits[plain]: Floor
// emits[denormals]: "__clc_sqrt_f32"
// emits[rounded]: "__clc_sqrt_rounded_f32"
// emits[rounded]: "__clc_divide_rounded_f32"
// emits-not[plain]: "__clc_divide_denormal_f32"
// emits[denormals]: "__clc_divide_denormal_f32"
// emits[zeros]: "__clc_divide_flushed_f32"
// emits-not[zeros]: "__clc_divide_denormal_f32"
// emits-not[fast]: "__clc_divide
// emits[fast]: "__clc_fma_f32"
// emits-not[fast]: "__clc_sin_f32"
// emits[fast]: Sin
kernel void k(global float *p, float x)
{
    p[0] = sin(x);
    p[1] = floor(x);
    p[2] = fma(x, p[2], p[3]);
    p[4] = sqrt(x) / p[5];
}
