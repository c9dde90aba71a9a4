// @ lanczos_apply 131072|2097152 128 f64:131072|2097152:-1..1 f64:131072|2097152:-1..1 f64:131072|2097152:0..2 zeros:f64:131072|2097152 zeros:f64:1024|16384 64|128 64|128 0.37
// @ lanczos_sum 128 128 #4 zeros:f64:4 1024|16384
// @ lanczos_orthogonalise 131072|2097152 128 #0 #3 #5 >f64:131072|2097152 zeros:f64:1024|16384
// @ lanczos_sum 128 128 #7 #5 1024|16384
// @ lanczos_normalise 131072|2097152 128 #6 #5
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// A step of the Lanczos iteration for H = -Laplace / 2 + V on a periodic grid in three
// dimensions: w = H v - beta v_before, alpha = v.w, w -= alpha v, beta = |w|, v_next = w / beta.
// Dot products in two stages, without atomics.

#define WG 128

static double group_sum(double x, __local double *scratch)
{
    const int lid = get_local_id(0);
    scratch[lid] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = WG / 2; s > 0; s >>= 1) {
        if (lid < s)
            scratch[lid] += scratch[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return scratch[0];
}

__kernel void lanczos_apply(__global const double *restrict v,
                            __global const double *restrict before,
                            __global const double *restrict potential,
                            __global double *restrict w,
                            __global double *restrict partial,
                            const int nx, const int ny, const double beta)
{
    __local double scratch[WG];
    const int i = get_global_id(0);
    const int n = get_global_size(0), plane = nx * ny, nz = n / plane;
    const int x = i % nx, y = i / nx % ny, z = i / plane;
    const double c = v[i];

    const double around = v[i - x + (x + 1) % nx] + v[i - x + (x + nx - 1) % nx]
                        + v[i + ((y + 1) % ny - y) * nx] + v[i + ((y + ny - 1) % ny - y) * nx]
                        + v[i + ((z + 1) % nz - z) * plane] + v[i + ((z + nz - 1) % nz - z) * plane];
    const double hv = (3.0 + potential[i]) * c - 0.5 * around - beta * before[i];
    w[i] = hv;

    const double sum = group_sum(c * hv, scratch);
    if (get_local_id(0) == 0)
        partial[get_group_id(0)] = sum;
}

// coefficients[1] becomes what coefficients[0] was: beta after alpha
__kernel void lanczos_sum(__global const double *partial, __global double *coefficients, const int count)
{
    __local double scratch[WG];
    double s = 0.0;
    for (int i = get_local_id(0); i < count; i += WG)
        s += partial[i];
    s = group_sum(s, scratch);
    if (get_local_id(0) == 0) {
        coefficients[1] = coefficients[0];
        coefficients[0] = s;
    }
}

__kernel void lanczos_orthogonalise(__global const double *v,
                                    __global const double *w,
                                    __global const double *coefficients,
                                    __global double *next,
                                    __global double *partial)
{
    __local double scratch[WG];
    const int i = get_global_id(0);
    // the first v is no unit vector: random numbers of -1..1, of which the mean square is 1 / 3
    const double r = w[i] - coefficients[0] / (double)get_global_size(0) * 3.0 * v[i];
    next[i] = r;
    const double sum = group_sum(r * r, scratch);
    if (get_local_id(0) == 0)
        partial[get_group_id(0)] = sum;
}

__kernel void lanczos_normalise(__global double *next, __global const double *coefficients)
{
    next[get_global_id(0)] *= rsqrt(coefficients[0]);
}
