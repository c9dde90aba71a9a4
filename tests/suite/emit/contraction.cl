// FP_CONTRACT is a mode of kernels in SPIR-V: off somewhere is off for them.
// RUN[on]: -S -cl-mad-enable -DWORD=ON
// RUN[default]: -S -cl-mad-enable -DWORD=DEFAULT
// RUN[off]: -S -cl-mad-enable -DWORD=OFF
// RUN[part]: -S -c -DWORD=OFF -DNO_KERNEL
// emits[on]: mad
// emits-not[on]: ContractionOff
// emits[default]: mad
// emits-not[default]: ContractionOff
// emits[off]: ContractionOff
// emits-not[off]: mad
// emits[part]: OpSourceExtension "FP_CONTRACT OFF"
#define PRAGMA(x) _Pragma(#x)
#define CONTRACT(word) PRAGMA(OPENCL FP_CONTRACT word)
float f(float a, float b, float c)
{
    CONTRACT(WORD)
    return a * b + c;
}
#ifndef NO_KERNEL
kernel void k(global float *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = f(p[i + 1], p[i + 2], p[i + 3]);
}
#endif
