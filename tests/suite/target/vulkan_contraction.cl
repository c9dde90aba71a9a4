// Sums are taken in the order of the source, and contracted by the compiler where that is allowed:
// a shader without NoContraction leaves both to the driver.
// RUN[usual]: --target-env=vulkan1.3 -O -S
// RUN[plain]: --target-env=vulkan1.3 -O0 -S
// RUN[fast]: --target-env=vulkan1.3 -O0 -cl-fast-relaxed-math -S
// emits[usual]: NoContraction
// emits[usual]: Fma
// emits-not[plain]: Fma
// emits[plain]: NoContraction
// emits-not[fast]: NoContraction
kernel void k(global float *p)
{
    p[0] = p[1] * p[2] + p[3];
}
