// @ site_likelihood 4096|1048576 64 u8:65536|16777216:0..17 f64:30:0.01..0.4 f64:4:0.15..0.35 >f64:4096|1048576 2.5

// Log likelihood of alignment columns on a tree of 16 taxa: Felsenstein's pruning in
// double precision, HKY85 with four categories of rates (discrete gamma, alpha 0.5).
// Tip states are sets of bases (bit mask); 0 and 16 stand for gaps.

#define TAXA        16
#define BRANCHES    30
#define CATEGORIES  4

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__constant double rates[CATEGORIES] = {
    0.03338775, 0.25191592, 0.82026848, 2.89442785
};

// The tree in post-order: a tip, or -1 to join the two on top of the stack. Branches are
// numbered in the order in which their lower ends appear; the root has none.
__constant char postorder[2 * TAXA - 1] = {
    0, 1, -1, 2, -1, 3, 4, -1, -1, 5, 6, -1, 7, 8, -1, -1,
    -1, 9, 10, -1, 11, 12, -1, 13, -1, -1, 14, 15, -1, -1, -1
};

// P(t) of HKY85 as rows; the states are A, C, G, T
void transition_matrix(double t, double4 pi, double kappa, __local double4 *p)
{
    const double purines = pi.x + pi.z, pyrimidines = pi.y + pi.w;
    const double beta = 0.5 / (purines * pyrimidines + kappa * (pi.x * pi.z + pi.y * pi.w));
    const double e = exp(-beta * t);
    const double4 group = (double4)(purines, pyrimidines, purines, pyrimidines);
    const double4 f = exp(-beta * t * (1.0 + group * (kappa - 1.0)));

    const double4 share = pi / group;
    const double4 together = pi + share * (1.0 - group) * e;
    const double4 apart = pi * (1.0 - e);
    const double4 same = together + (1.0 - share) * f;
    const double4 transition = together - share * f;
    p[0] = (double4)(same.x, apart.y, transition.z, apart.w);
    p[1] = (double4)(apart.x, same.y, apart.z, transition.w);
    p[2] = (double4)(transition.x, apart.y, same.z, apart.w);
    p[3] = (double4)(apart.x, transition.y, apart.z, same.w);
}

double4 along_branch(__local const double4 *p, double4 below)
{
    return (double4)(dot(p[0], below), dot(p[1], below), dot(p[2], below), dot(p[3], below));
}

__kernel void site_likelihood(__global const uchar *tips,
                              __global const double *lengths,
                              __global const double *frequencies,
                              __global double *log_likelihood,
                              const double kappa)
{
    __local double4 matrices[CATEGORIES * BRANCHES * 4];

    double4 pi = vload4(0, frequencies);
    pi /= pi.x + pi.y + pi.z + pi.w;

    for (uint m = get_local_id(0); m < CATEGORIES * BRANCHES; m += get_local_size(0))
        transition_matrix(rates[m / BRANCHES] * lengths[m % BRANCHES], pi, kappa, matrices + m * 4);
    barrier(CLK_LOCAL_MEM_FENCE);

    const size_t site = get_global_id(0), sites = get_global_size(0);
    double likelihood = 0.0;
    for (int c = 0; c < CATEGORIES; c++) {
        double4 stack[6];
        int top = 0;
        for (int k = 0; k < 2 * TAXA - 1; k++) {
            const int taxon = postorder[k];
            double4 partial;
            if (taxon >= 0) {
                const uint state = tips[taxon * sites + site];
                const uint set = (state & 15u) ? (state & 15u) : 15u;
                partial = (double4)(set & 1u, set >> 1 & 1u, set >> 2 & 1u, set >> 3 & 1u);
            } else {
                top -= 2;
                partial = stack[top] * stack[top + 1];
            }
            // the vector is kept as seen from the upper end of the branch
            stack[top++] = k < BRANCHES ? along_branch(matrices + (c * BRANCHES + k) * 4, partial)
                                        : partial;
        }
        likelihood += dot(pi, stack[0]);
    }
    log_likelihood[site] = log(likelihood / CATEGORIES);
}
