//@ kernel with_signs
//@ global 4
//@ local 4
//@ arg buffer int[8] = -7 5 0 20 2147483600 2147483640 -2147483640 -2147483610
//@ arg buffer double[8] = zero
//@ result 1 = -45 -5 2219 10 3262027629798 3221225422 -1374389517040 -3221225444
//@ kernel without_signs
//@ global 4
//@ local 4
//@ arg buffer uint[8] = 0 10 4294967280 4294967294 4294967290 4294967290 2147483640 2147483660
//@ arg buffer double[8] = zero
//@ result 1 = 45 -8589934445 60129542011 42949672897 0 -2 42949672990 42949673140
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

// Counters that begin below zero and count down, sums with constants, in some turns only. All sums are exact: the OpenCL
// driver adds them in an order of its own on some processors.
kernel void with_signs(global const int *ends, global double *out)
{
    const int id = get_global_id(0);
    const int begin = ends[2 * id], end = ends[2 * id + 1];
    double sum = 0.0, last = 0.0;
    for (int i = begin; i < end; i += 3) {
        sum += (double)i;
        if ((i & 1) != 0)
            last = (double)(i + 5) * 0.5 + (double)begin;
    }
    for (int i = end; i > begin; i -= 7)
        for (int j = i; j < end; j++)
            sum += (double)(j - 2) * (double)(i - begin);
    out[2 * id] = sum;
    out[2 * id + 1] = last;
}

// Counters that wrap, and those that come close to it.
kernel void without_signs(global const uint *ends, global double *out)
{
    const int id = get_global_id(0);
    const uint begin = ends[2 * id], end = ends[2 * id + 1];
    double sum = 0.0, wrapped = 0.0;
    for (uint i = begin; i < end; i++)
        sum += (double)i;
    for (uint i = begin; i != end + 4u; i += 2u)
        wrapped += (double)i + (double)(i + 9u);
    for (int i = 0; i < 5; i++)
        wrapped -= (double)(uint)(i - 2);
    out[2 * id] = sum;
    out[2 * id + 1] = wrapped;
}
