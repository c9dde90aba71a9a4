// Drivers of OpenCL contract what they compile from source, and not modules: the compiler does, but not where some
// work-items may be elsewhere, for there a call waits for the mask, not where it is forbidden, and not for a few sums outside of
// loops, for which a driver would look for a function.
// RUN[together]: -O -S
// RUN[counted]: -O -S -DLOOP=n
// RUN[apart]: -O -S -DLOOP=get_local_id(0)
// RUN[off]: -O -S -DWORD=OFF
// RUN[plain]: -O0 -S
// emits-not[together]: mad
// emits[together]: OpFAdd
// emits[counted]: mad
// emits-not[apart]: mad
// emits-not[off]: mad
// emits-not[plain]: mad
#ifndef WORD
#define WORD ON
#endif
#define PRAGMA(x) _Pragma(#x)
#define CONTRACT(word) PRAGMA(OPENCL FP_CONTRACT word)
CONTRACT(WORD)
kernel void k(global float *p, uint n)
{
    float x = p[0];
#ifdef LOOP
    for (uint i = 0; i < LOOP; i++)
#endif
        x = x * p[1] + p[2];
    p[3] = x;
}
