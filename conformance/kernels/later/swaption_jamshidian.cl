// @ price_swaptions 4096|524288 64 f64:16384|2097152:0..1 u8:4096|524288:1..11 >f64:8192|1048576 0.025 0.012

// European payer swaptions in the Hull-White one factor model, by Jamshidian's
// decomposition into puts on zero coupon bonds. The curve is of Nelson-Siegel form.

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define MAX_COUPONS 20

typedef struct
{
    double mean_reversion;
    double sigma;
} HullWhite;

double log_discount(double t, double level)
{
    const double tau = 1.8;
    const double g = -expm1(-t / tau) * tau;        /* integral of exp(-s / tau) */
    return -(level * t - 0.015 * g);
}

double forward_rate(double t, double level)
{
    return level - 0.015 * exp(-t / 1.8);
}

double normal_cdf(double x)
{
    return 0.5 * erfc(-x * M_SQRT1_2);
}

double B(HullWhite m, double t)
{
    return -expm1(-m.mean_reversion * t) / m.mean_reversion;
}

__kernel void price_swaptions(__global const double4 *quotes,
                              __global const uchar *tenors,
                              __global double2 *results,
                              double base_rate,
                              double base_sigma)
{
    const size_t id = get_global_id(0);
    const double4 q = quotes[id];

    const double expiry = 0.5 + 4.5 * q.x;
    const double level = base_rate + 0.03 * q.y;
    const double strike = 0.01 + 0.05 * q.z;
    const HullWhite model = { 0.02 + 0.08 * q.w, base_sigma };

    const int coupons = 2 * tenors[id];             /* semiannual */
    const double ln0 = log_discount(expiry, level);
    const double f0 = forward_rate(expiry, level);
    const double var = model.sigma * model.sigma * -expm1(-2.0 * model.mean_reversion * expiry)
                     / (2.0 * model.mean_reversion);

    /* P(T, t_i) = exp(lnA_i - B_i r) */
    double lnA[MAX_COUPONS], b[MAX_COUPONS];
    for (int i = 0; i < coupons; i++) {
        const double t = 0.5 * (i + 1);
        b[i] = B(model, t);
        lnA[i] = log_discount(expiry + t, level) - ln0 + b[i] * f0 - 0.5 * var * b[i] * b[i];
    }

    /* the rate at which the fixed leg is worth par: Newton, convex and so monotone */
    double r = f0;
    for (int step = 0; step < 30; step++) {
        double value = -1.0, slope = 0.0;
        for (int i = 0; i < coupons; i++) {
            const double c = 0.5 * strike + (i == coupons - 1 ? 1.0 : 0.0);
            const double p = c * exp(lnA[i] - b[i] * r);
            value += p;
            slope -= b[i] * p;
        }
        const double dr = value / slope;
        r -= dr;
        if (fabs(dr) < 1.0e-12)
            break;
    }

    double price = 0.0, annuity = 0.0;
    for (int i = 0; i < coupons; i++) {
        const double c = 0.5 * strike + (i == coupons - 1 ? 1.0 : 0.0);
        const double x = exp(lnA[i] - b[i] * r);
        const double p = exp(log_discount(expiry + 0.5 * (i + 1), level));
        const double s = sqrt(var) * b[i];
        const double h = log(p / (exp(ln0) * x)) / s + 0.5 * s;
        price += c * (x * exp(ln0) * normal_cdf(s - h) - p * normal_cdf(-h));
        annuity += 0.5 * p;
    }
    results[id] = (double2)(10000.0 * price, 10000.0 * price / annuity);
}
