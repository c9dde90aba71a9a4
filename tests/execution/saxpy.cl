//@ kernel saxpy
//@ global 64
//@ local 16
//@ arg float = 2.5
//@ arg buffer float[64] = ramp
//@ arg buffer float[64] = ramp 100 -1
//@ result 2 = ramp 100 1.5
kernel void saxpy(float a, global const float *x, global float *y)
{
    size_t i = get_global_id(0);
    y[i] += a * x[i];
}
