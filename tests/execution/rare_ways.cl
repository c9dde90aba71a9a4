// Several quotients and roots in one block, of which one work-item or another has what is no ordinary number.
//@ kernel quotients
//@ global 8
//@ arg buffer double[16] = 6 3 1 0 0 5 -0.0 5 1 inf 4 2 1e-320 1 3e-310 3
//@ arg buffer double[8] = 4 9 0 16 25 inf 1e-320 0
//@ arg buffer double[8] = zero
//@ result 2 = 4 inf 0 4 5 inf 9.99994433575849e-161 1e-310
//@ kernel in_a_loop
//@ global 4
//@ arg buffer double[16] = 1 4 9 16 25 36 0 49 64 81 1e-310 100 121 -1 144 169
//@ arg buffer double[4] = zero
//@ result 1 = 10 18 27 nan
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void quotients(global const double *pairs, global const double *squares, global double *out)
{
    size_t i = get_global_id(0);
    out[i] = pairs[2 * i] / pairs[2 * i + 1] + sqrt(squares[i]);
}

kernel void in_a_loop(global const double *squares, global double *out)
{
    size_t i = get_global_id(0);
    double sum = 0;
    for (uint k = 0; k < 4; k++)
        sum += sqrt(squares[4 * i + k]);
    out[i] = sum;
}
