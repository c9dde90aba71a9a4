#pragma OPENCL EXTENSION cl_khr_fp46 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enbale
#defien SIZE 32
#define SQUARE(x) ((x) * (x)
#define LAST(a, b) b

#if SIZE > 16
kernel void squares(global float *out) {
    out[0] = LAST(1.0f);
    out[1] = SIZE;
}
#esle
#endfi

// warning: W0006 2:40
// error: E0006 3:1
// error: E0015 9:14
// error: E0006 12:1
// error: E0008 7:1
// warning: W0206 1:1
// error: E0101 9:24
