// Arguments of kernels that are structs with a half between words.
//@ section 6.7
//@ kernel members
//@ global 1
//@ arg int4 = 1109917696 15360 305419896 77
//@ arg buffer int[4] = zero
//@ result 1 = 42 1 305419896 77
//@ kernel last
//@ global 1
//@ arg int4 = 1109917696 15360 305419896 77
//@ arg buffer int[1] = zero
//@ result 1 = 305419896
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
struct halfway { float a; half b; int c; int d; };

kernel void members(struct halfway h, global int *out)
{
    out[0] = h.a;
    out[1] = h.b;
    out[2] = h.c;
    out[3] = h.d;
}
kernel void last(struct halfway h, global int *out)
{
    out[0] = h.c;
}
