// @ ldlt_factor_solve 4096|262144 64 f64:319488|20447232:-1..1 f64:49152|3145728:-1..1 >f64:49152|3145728 4096|262144 6.5

// Batched LDL^T without pivoting, 12 x 12 symmetric quasi-definite (KKT) systems.
// The first 8 unknowns are primal, the last 4 dual: the diagonal gets +shift for
// the former and -shift for the latter, so all pivots keep away from zero.
// Batches are interleaved: element e of matrix m is at e * count + m.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define N       12
#define PRIMAL  8
#define PACKED  (N * (N + 1) / 2)
#define AT(i, j) ((i) * ((i) + 1) / 2 + (j))

__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void ldlt_factor_solve(__global const double *restrict A,
                                __global const double *restrict B,
                                __global double *restrict X,
                                const int count,
                                const double shift)
{
    const int m = get_global_id(0);
    if (m >= count)
        return;

    double L[PACKED];
    double D[N];
    double x[N];

    for (int e = 0; e < PACKED; e++)
        L[e] = A[(size_t)e * count + m];
    for (int i = 0; i < N; i++)
        L[AT(i, i)] += i < PRIMAL ? shift : -shift;

    for (int j = 0; j < N; j++) {
        double v[N];
        double d = L[AT(j, j)];
        for (int k = 0; k < j; k++) {
            v[k] = L[AT(j, k)] * D[k];
            d = fma(-L[AT(j, k)], v[k], d);
        }
        D[j] = d;
        const double inv = 1.0 / d;
        for (int i = j + 1; i < N; i++) {
            double s = L[AT(i, j)];
            for (int k = 0; k < j; k++)
                s = fma(-L[AT(i, k)], v[k], s);
            L[AT(i, j)] = s * inv;
        }
    }

    for (int i = 0; i < N; i++) {
        double s = B[(size_t)i * count + m];
        for (int k = 0; k < i; k++)
            s = fma(-L[AT(i, k)], x[k], s);
        x[i] = s;
    }
    for (int i = 0; i < N; i++)
        x[i] /= D[i];
    for (int i = N - 1; i >= 0; i--) {
        double s = x[i];
        for (int k = i + 1; k < N; k++)
            s = fma(-L[AT(k, i)], x[k], s);
        x[i] = s;
    }

    for (int i = 0; i < N; i++)
        X[(size_t)i * count + m] = x[i];
}
