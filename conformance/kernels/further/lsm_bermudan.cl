// @ lsm_put 8192|262144 128 u32:64|2048 >f64:64|2048 100.0 0.06 0.3 1.0
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Bermudan put by Longstaff and Schwartz. A work-group has 128 antithetic paths of its own
// and regresses on 1, x, x^2 of those in the money; sums by reduction in local memory.
// The spot of group g is 80 + g % 41.

#define WG    128
#define STEPS 16
#define SUMS  8

uint xorshift_mult(uint x)
{
    x ^= x >> 16; x *= 0x7feb352du;
    x ^= x >> 15; x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

// Acklam's rational approximation of the inverse of the normal distribution
double inverse_normal(double u)
{
    if (u < 0.02425 || u > 0.97575) {
        const double q = sqrt(-2.0 * log(fmin(u, 1.0 - u)));
        const double x = (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838) * q
                          - 2.549732539343734) * q + 4.374664141464968) * q + 2.938163982698783) /
                         ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996) * q
                          + 3.754408661907416) * q + 1.0);
        return u < 0.5 ? x : -x;
    }
    const double q = u - 0.5, r = q * q;
    return (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r
             + 1.383577518672690e+02) * r - 3.066479806614716e+01) * r + 2.506628277459239) * q /
           (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r
             + 6.680131188771972e+01) * r - 1.328068155288572e+01) * r + 1.0);
}

__kernel void lsm_put(__global const uint *seeds,
                      __global double *prices,
                      const double strike, const double rate, const double sigma, const double expiry)
{
    __local double sums[SUMS][WG];
    __local double beta[3];

    const int lid = get_local_id(0);
    const int group = get_group_id(0);
    const double dt = expiry / STEPS;
    const double drift = (rate - 0.5 * sigma * sigma) * dt, vol = sigma * sqrt(dt);
    const double discount = exp(-rate * dt);

    double s[STEPS + 1];
    s[0] = 80.0 + (double)(group % 41);
    const uint seed = xorshift_mult(seeds[group] + 977u * (uint)(lid / 2));
    for (int k = 1; k <= STEPS; k++) {
        const double u = ((double)xorshift_mult(seed + 0x9e3779b9u * (uint)k) + 0.5) * (1.0 / 4294967296.0);
        const double z = inverse_normal(u);
        s[k] = s[k - 1] * exp(drift + vol * (lid & 1 ? -z : z));
    }

    double cash = fmax(strike - s[STEPS], 0.0);
    for (int k = STEPS - 1; k > 0; k--) {
        cash *= discount;
        const double x = s[k] / strike;
        const double exercise = strike - s[k];
        const double in = exercise > 0.0 ? 1.0 : 0.0;

        double power = in;
        for (int p = 0; p < 5; p++) {
            sums[p][lid] = power;
            if (p < 3)
                sums[5 + p][lid] = power * cash;
            power *= x;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int h = WG / 2; h > 0; h >>= 1) {
            if (lid < h)
                for (int p = 0; p < SUMS; p++)
                    sums[p][lid] += sums[p][lid + h];
            barrier(CLK_LOCAL_MEM_FENCE);
        }

        if (lid == 0) {
            // Cholesky of the normal equations with a small ridge
            const double ridge = 1e-9 * (sums[0][0] + 1.0);
            const double l00 = sqrt(sums[0][0] + ridge);
            const double l10 = sums[1][0] / l00, l20 = sums[2][0] / l00;
            const double l11 = sqrt(fmax(sums[2][0] + ridge - l10 * l10, 1e-12));
            const double l21 = (sums[3][0] - l10 * l20) / l11;
            const double l22 = sqrt(fmax(sums[4][0] + ridge - l20 * l20 - l21 * l21, 1e-12));
            const double y0 = sums[5][0] / l00;
            const double y1 = (sums[6][0] - l10 * y0) / l11;
            const double y2 = (sums[7][0] - l20 * y0 - l21 * y1) / l22;
            beta[2] = y2 / l22;
            beta[1] = (y1 - l21 * beta[2]) / l11;
            beta[0] = (y0 - l10 * beta[1] - l20 * beta[2]) / l00;
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        const double held = beta[0] + x * (beta[1] + x * beta[2]);
        if (exercise > 0.0 && exercise > held)
            cash = exercise;
    }

    sums[0][lid] = cash * discount;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = WG / 2; h > 0; h >>= 1) {
        if (lid < h)
            sums[0][lid] += sums[0][lid + h];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        prices[group] = fmax(sums[0][0] / WG, strike - s[0]);
}
