// @ perron_pair 1024|131072 32 f64:32768|4194304:0.05..1 >f64:1056|135168 24 0.02
// Perron root and vector of positive 32 x 32 matrices (input-output tables, Leslie
// matrices of structured populations...), by power iteration with a shift, followed by
// two-sided refinement: the eigenvalue is the Rayleigh quotient of left and right vectors.
// One matrix per work-group, of 32 work-items, each of which keeps its row in registers
// and walks its column in local memory.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define N 32

double sum_over_group(local double *scratch, double value)
{
    const int i = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[i] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = N / 2; stride > 0; stride /= 2) {
        if (i < stride)
            scratch[i] += scratch[i + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return scratch[0];
}

kernel void perron_pair(global const double *matrices,
                        global double *result,
                        int iterations,
                        double shift)
{
    local double tile[N][N + 1];
    local double right[N], left[N];
    local double scratch[N];

    const int i = get_local_id(0);
    const size_t group = get_group_id(0);
    global const double *A = matrices + group * N * N;

    for (int r = 0; r < N; r++)
        tile[r][i] = A[r * N + i] + (r == i ? shift : 0.0);
    right[i] = 1.0 / N;
    left[i] = 1.0 / N;
    barrier(CLK_LOCAL_MEM_FENCE);

    double row[N];
    for (int c = 0; c < N; c++)
        row[c] = tile[i][c];

    for (int it = 0; it < iterations; it++) {
        double ax = 0.0, ya = 0.0;
        for (int c = 0; c < N; c++) {
            ax = fma(row[c], right[c], ax);
            ya = fma(left[c], tile[c][i], ya);
        }
        const double nx = sum_over_group(scratch, ax);
        const double ny = sum_over_group(scratch, ya);
        right[i] = ax / nx;
        left[i] = ya / ny;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    double ax = 0.0;
    for (int c = 0; c < N; c++)
        ax = fma(row[c], right[c], ax);
    const double top = sum_over_group(scratch, left[i] * ax);
    const double bottom = sum_over_group(scratch, left[i] * right[i]);

    // sensitivity of the root to growth of class i, and the root at the end
    result[group * (N + 1) + i] = N * left[i] * right[i] / bottom;
    if (i == 0)
        result[group * (N + 1) + N] = top / bottom - shift;
}
