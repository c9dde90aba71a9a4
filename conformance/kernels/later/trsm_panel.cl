// @ trsm_lower_left 512x16|8192x64 64x1 f64:16384|65536:-0.4..0.4 f64:262144|16777216:-1..1 >f64:262144|16777216 512|8192 2.5 1.25
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// X := alpha * inv(L) * B for a batch of lower triangular 32 x 32 blocks, each with a wide
// panel of right hand sides (the trailing update of a blocked factorisation).
// The diagonal that is stored is that of L minus `diagonal`.
// Panels are row major, the stride of a row is `columns`.

#define NB 32
#define STRIP 8

__kernel void trsm_lower_left(__global const double* restrict triangles,
                              __global const double* restrict panels,
                              __global double* restrict solutions,
                              const int columns,
                              const double diagonal,
                              const double alpha)
{
    __local double L[NB][NB];

    const int tid = get_local_id(0);
    const int batch = get_global_id(1);
    const int column = get_global_id(0);

    __global const double* T = triangles + batch * NB * NB;
    for (int e = tid; e < NB * NB; e += get_local_size(0)) {
        const int i = e / NB, j = e % NB;
        const double t = T[e];
        // the reciprocal of the diagonal saves the divisions below
        L[i][j] = i == j ? 1.0 / (t + diagonal) : (j < i ? t : 0.0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const size_t origin = (size_t)batch * NB * columns + column;
    __global const double* B = panels + origin;
    __global double* X = solutions + origin;
    double x[NB];

#pragma unroll
    for (int i = 0; i < NB; ++i)
        x[i] = alpha * B[(size_t)i * columns];

#pragma unroll
    for (int s = 0; s < NB; s += STRIP) {
        // solve the strip...
        for (int i = s; i < s + STRIP; ++i) {
            double v = x[i];
            for (int k = s; k < i; ++k)
                v -= L[i][k] * x[k];
            x[i] = v * L[i][i];
        }
        // ...and take it out of the rows below
        for (int i = s + STRIP; i < NB; ++i) {
            double v = x[i];
            for (int k = 0; k < STRIP; ++k)
                v -= L[i][s + k] * x[s + k];
            x[i] = v;
        }
    }

#pragma unroll
    for (int i = 0; i < NB; ++i)
        X[(size_t)i * columns] = x[i];
}
