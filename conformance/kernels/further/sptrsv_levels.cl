// @ ell_link 32768|1048576 64 u32:196608|6291456 zeros:i32:196608|6291456 4096|131072
// @ sptrsv_level 4096|131072 64 #1 f64:196608|6291456:-0.3..0.3 f64:32768|1048576:1..2 f64:131072|4194304:-1..1 >f64:131072|4194304 32768|1048576 0
// @ sptrsv_level 4096|131072 64 #1 #2 #3 #4 #5 32768|1048576 4096|131072
// @ sptrsv_level 4096|131072 64 #1 #2 #3 #4 #5 32768|1048576 8192|262144
// @ sptrsv_level 4096|131072 64 #1 #2 #3 #4 #5 32768|1048576 12288|393216
// @ sptrsv_level 4096|131072 64 #1 #2 #3 #4 #5 32768|1048576 16384|524288
// @ sptrsv_level 4096|131072 64 #1 #2 #3 #4 #5 32768|1048576 20480|655360
// @ sptrsv_level 4096|131072 64 #1 #2 #3 #4 #5 32768|1048576 24576|786432
// @ sptrsv_level 4096|131072 64 #1 #2 #3 #4 #5 32768|1048576 28672|917504
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Sparse lower triangular solve, level scheduled, four right hand sides. Rows are in
// the order of their levels, a launch solves one. Rows of the ELLPACK format have up
// to WIDTH entries, ended by -1; the diagonal is apart.

#define WIDTH 6

// Makes a pattern out of random numbers: rows of a level refer to those of any before.
__kernel void ell_link(__global const uint *random, __global int *columns, int level_rows)
{
    const uint n = get_global_size(0);
    const uint row = get_global_id(0);
    const uint before = row / level_rows * level_rows;

    int mine[WIDTH];
    int count = 0;
    for (int k = 0; k < WIDTH; k++) {
        const uint r = random[k * n + row];
        if (before == 0 || (k > 2 && (r >> 29) < 2))
            continue;
        // one in the level that is just before, the others anywhere
        const int c = (int)(k == 0 ? before - level_rows + r % level_rows : r % before);
        // in order, without repetition
        int at = count;
        while (at > 0 && mine[at - 1] > c)
            at--;
        if (at > 0 && mine[at - 1] == c)
            continue;
        for (int i = count; i > at; i--)
            mine[i] = mine[i - 1];
        mine[at] = c;
        count++;
    }
    for (int k = 0; k < WIDTH; k++)
        columns[k * n + row] = k < count ? mine[k] : -1;
}

__kernel void sptrsv_level(__global const int *restrict columns,
                           __global const double *restrict values,
                           __global const double *restrict diagonal,
                           __global const double4 *restrict b,
                           __global double4 *x,
                           const int n,
                           const int first)
{
    const int row = first + (int)get_global_id(0);
    double4 sum = b[row];

    for (int k = 0; k < WIDTH; k++) {
        const int c = columns[(size_t)k * n + row];
        if (c < 0)
            break;
        sum -= values[(size_t)k * n + row] * x[c];
    }
    x[row] = sum / diagonal[row];
}
