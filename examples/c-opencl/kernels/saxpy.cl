#include "index.h"

kernel void saxpy(float a, global const float *restrict x, global float *restrict y, uint n)
{
    const uint i = INDEX;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
