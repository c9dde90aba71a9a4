// @ cds_bootstrap 16384|131072 64 f64:98304|786432:0..1 f64:11:0.01..0.04 >f64:98304|786432 16384|131072 0.4
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Bootstraps piecewise constant hazard rates from par spreads of 1, 2, 3, 5 and 10 years
// (Newton for each tenor), then values a running position at an off-market coupon.
// Premiums are paid quarterly with accrual on default at the middle of a period.
// Zero rates are given at whole years, interpolated linearly.

#define TENORS   5
#define QUARTERS 40

__constant int ends[TENORS] = { 4, 8, 12, 20, 40 };

typedef struct {
    double survival;      /* to the end of the segment */
    double annuity;       /* per unit of spread */
    double protection;    /* before loss given default */
} legs_t;

// The legs over quarters [from, to) with a hazard rate h, and derivatives to h.
static legs_t segment(__local const double *df, double survival, double h, int from, int to, legs_t *slope)
{
    legs_t legs = { survival, 0.0, 0.0 };
    legs_t dh = { 0.0, 0.0, 0.0 };
    const double decay = exp(-0.25 * h);

    for (int q = from; q < to; q++) {
        const double s0 = legs.survival, s1 = s0 * decay;
        const double ds0 = dh.survival, ds1 = (ds0 - 0.25 * s0) * decay;
        const double mid = 0.5 * (df[q] + df[q + 1]);
        legs.annuity += 0.25 * df[q + 1] * s1 + 0.125 * mid * (s0 - s1);
        dh.annuity += 0.25 * df[q + 1] * ds1 + 0.125 * mid * (ds0 - ds1);
        legs.protection += mid * (s0 - s1);
        dh.protection += mid * (ds0 - ds1);
        legs.survival = s1;
        dh.survival = ds1;
    }
    *slope = dh;
    return legs;
}

__kernel void cds_bootstrap(__global const double *draws,
                            __global const double *zero_rates,
                            __global double *results,
                            const int names,
                            const double recovery)
{
    __local double df[QUARTERS + 1];

    for (int q = get_local_id(0); q <= QUARTERS; q += get_local_size(0)) {
        const int year = min(q / 4, 9);
        const double t = 0.25 * q;
        const double r = mix(zero_rates[year], zero_rates[year + 1], t - year);
        df[q] = exp(-r * t);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const int id = get_global_id(0);
    if (id >= names)
        return;

    const double lgd = 1.0 - recovery;
    legs_t done = { 1.0, 0.0, 0.0 };
    double spread = 0.002 + 0.02 * draws[id];
    int from = 0;

    for (int k = 0; k < TENORS; k++) {
        const int to = ends[k];
        if (k > 0)
            spread += 0.0025 * draws[(size_t)k * names + id];

        double h = spread / lgd;
        legs_t part = done, slope;
        for (int iter = 0; iter < 6; iter++) {
            part = segment(df, done.survival, h, from, to, &slope);
            const double value = lgd * (done.protection + part.protection)
                               - spread * (done.annuity + part.annuity);
            const double step = value / (lgd * slope.protection - spread * slope.annuity);
            h = fmax(h - step, 1e-6);
            if (fabs(step) < 1e-11)
                break;
        }
        part = segment(df, done.survival, h, from, to, &slope);
        done.survival = part.survival;
        done.annuity += part.annuity;
        done.protection += part.protection;
        results[(size_t)k * names + id] = h;
        from = to;
    }

    const double coupon = draws[(size_t)TENORS * names + id] < 0.5 ? 0.01 : 0.05;
    results[(size_t)TENORS * names + id] = lgd * done.protection - coupon * done.annuity;
}
