// @ rbgs_half_sweep 256x512|2048x4096 32x4 >f64:264196|16793604:0..1 f64:264196|16793604:-1..1 512|4096 0 1.5 0.01
// @ rbgs_half_sweep 256x512|2048x4096 32x4 #0 #1 512|4096 1 1.5 0.01

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Half a sweep of SOR for -Laplace(u) = f with a ring of Dirichlet points.
__kernel void rbgs_half_sweep(__global double *u,
                              __global const double *f,
                              const int n,
                              const int colour,
                              const double omega,
                              const double h2)
{
    const int pitch = n + 2;
    const int j = get_global_id(1) + 1;
    const int i = 2 * get_global_id(0) + 1 + ((j ^ colour) & 1);

    if (i > n || j > n)
        return;

    const int c = j * pitch + i;
    const double gs = 0.25 * (u[c - 1] + u[c + 1] + u[c - pitch] + u[c + pitch] + h2 * f[c]);
    u[c] += omega * (gs - u[c]);
}
