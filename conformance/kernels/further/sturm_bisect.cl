// @ sturm_bisect 2048|131072 64 f64:2048|131072:-2..2 f64:2048|131072:-1..1 >f64:2048|131072 40 1.0e-13
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// All eigenvalues of a batch of symmetric tridiagonal matrices of order 64 by
// bisection with Sturm counts (as LAPACK's dstebz): a matrix per work-group, the
// k-th eigenvalue per work-item. Off-diagonals are used from the second on.

#define N 64

int sturm_count(__local const double *diag, __local const double *off2, double x, double pivmin)
{
    int count = 0;
    double q = diag[0] - x;
    count += q < 0.0;
    for (int i = 1; i < N; i++) {
        if (fabs(q) < pivmin)
            q = -pivmin;
        q = diag[i] - x - off2[i] / q;
        count += q < 0.0;
    }
    return count;
}

__kernel void sturm_bisect(__global const double *diagonal,
                           __global const double *offdiagonal,
                           __global double *eigenvalues,
                           const int max_steps,
                           const double tolerance)
{
    __local double d[N], e2[N], lows[N], highs[N];

    const int k = get_local_id(0);
    const size_t base = get_group_id(0) * N;

    const double dk = diagonal[base + k];
    const double left = k > 0 ? offdiagonal[base + k] : 0.0;
    const double right = k < N - 1 ? offdiagonal[base + k + 1] : 0.0;
    const double radius = fabs(left) + fabs(right);

    d[k] = dk;
    e2[k] = left * left;
    lows[k] = dk - radius;
    highs[k] = dk + radius;
    barrier(CLK_LOCAL_MEM_FENCE);

    // Gershgorin's bounds of the whole spectrum
    for (int s = N / 2; s > 0; s >>= 1) {
        if (k < s) {
            lows[k] = fmin(lows[k], lows[k + s]);
            highs[k] = fmax(highs[k], highs[k + s]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    double lo = lows[0] - 1e-10, hi = highs[0] + 1e-10;
    const double pivmin = 1e-290;
    for (int step = 0; step < max_steps; step++) {
        const double mid = 0.5 * (lo + hi);
        if (hi - lo <= tolerance * fmax(fabs(lo), fabs(hi)))
            break;
        if (sturm_count(d, e2, mid, pivmin) > k)
            hi = mid;
        else
            lo = mid;
    }
    eigenvalues[base + k] = 0.5 * (lo + hi);
}
