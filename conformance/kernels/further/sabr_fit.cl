// @ sabr_fit 4096|32768 64 f64:16384|131072:0..1 >f64:20480|163840 0.5
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Calibration of SABR (alpha, rho, nu; beta fixed) to nine quotes of a smile by damped
// Gauss-Newton in transformed parameters. Quotes are made from parameters that are
// drawn per smile; written are the parameters, the error and the skew at the money.

#define STRIKES 9

typedef struct {
    double alpha, rho, nu;
} sabr_t;

static double hagan_vol(sabr_t p, double beta, double f, double k, double t)
{
    const double omb = 1.0 - beta;
    const double log_fk = log(f / k);
    const double fk = pow(f * k, 0.5 * omb);
    const double l2 = omb * omb * log_fk * log_fk;
    const double z = p.nu / p.alpha * fk * log_fk;

    double z_over_x;
    if (fabs(z) < 1e-4)
        z_over_x = 1.0 - 0.5 * p.rho * z + (2.0 - 3.0 * p.rho * p.rho) / 12.0 * z * z;
    else
        z_over_x = z / log((sqrt(1.0 - 2.0 * p.rho * z + z * z) + z - p.rho) / (1.0 - p.rho));

    const double term = omb * omb / 24.0 * p.alpha * p.alpha / (fk * fk)
                      + 0.25 * p.rho * beta * p.nu * p.alpha / fk
                      + (2.0 - 3.0 * p.rho * p.rho) / 24.0 * p.nu * p.nu;
    return p.alpha / (fk * (1.0 + l2 / 24.0 + l2 * l2 / 1920.0)) * z_over_x * (1.0 + term * t);
}

static sabr_t from_free(double3 u)
{
    sabr_t p;
    p.alpha = exp(u.x);
    p.rho = 0.999 * tanh(u.y);
    p.nu = exp(u.z);
    return p;
}

static double3 solve3(double3 d, double3 o, double3 b)
{
    // symmetric, d = (00, 11, 22), o = (01, 02, 12); L D L^T
    const double l10 = o.x / d.x, l20 = o.y / d.x;
    const double d1 = d.y - l10 * o.x;
    const double l21 = (o.z - l20 * o.x) / d1;
    const double d2 = d.z - l20 * o.y - l21 * l21 * d1;
    const double y1 = b.y - l10 * b.x;
    const double y2 = b.z - l20 * b.x - l21 * y1;
    const double x2 = y2 / d2;
    const double x1 = y1 / d1 - l21 * x2;
    return (double3)(b.x / d.x - l10 * x1 - l20 * x2, x1, x2);
}

__kernel void sabr_fit(__global const double4 *draws, __global double *fits, const double beta)
{
    const int id = get_global_id(0);
    const double4 draw = draws[id];
    const double f = 0.02 + 0.03 * draw.w, t = 1.0 + 9.0 * draw.x * draw.z;

    sabr_t truth;
    truth.alpha = (0.15 + 0.2 * draw.x) * pow(f, 1.0 - beta);
    truth.rho = -0.5 + 0.7 * draw.y;
    truth.nu = 0.25 + 0.35 * draw.z;

    double strikes[STRIKES], quotes[STRIKES];
    for (int i = 0; i < STRIKES; i++) {
        strikes[i] = f * exp(0.2 * (double)(i - STRIKES / 2));
        quotes[i] = hagan_vol(truth, beta, f, strikes[i], t);
    }

    double3 u = (double3)(log(quotes[STRIKES / 2] * pow(f, 1.0 - beta)), 0.0, log(0.4));
    const double h = 1e-6;
    double damping = 1e-2, error = 0.0;

    for (int iter = 0; iter < 8; iter++) {
        double3 d = (double3)(0.0), o = (double3)(0.0), b = (double3)(0.0);
        error = 0.0;
        for (int i = 0; i < STRIKES; i++) {
            const double weight = 1.0 / (1.0 + 0.25 * abs(i - STRIKES / 2));
            const double v = hagan_vol(from_free(u), beta, f, strikes[i], t);
            const double r = weight * (quotes[i] - v);
            const double3 j = (double3)(
                hagan_vol(from_free(u + (double3)(h, 0.0, 0.0)), beta, f, strikes[i], t) - v,
                hagan_vol(from_free(u + (double3)(0.0, h, 0.0)), beta, f, strikes[i], t) - v,
                hagan_vol(from_free(u + (double3)(0.0, 0.0, h)), beta, f, strikes[i], t) - v) * (weight / h);
            d += j * j;
            o += j.xxy * j.yzz;
            b += j * r;
            error += r * r;
        }
        u += clamp(solve3(d * (1.0 + damping), o, b), -1.0, 1.0);
        u = clamp(u, (double3)(-8.0, -3.0, -4.0), (double3)(1.0, 3.0, 2.0));
        damping *= 0.1;
    }

    const sabr_t p = from_free(u);
    const double skew = (hagan_vol(p, beta, f, f * 1.01, t) - hagan_vol(p, beta, f, f * 0.99, t)) / 0.02;
    __global double *out = fits + (size_t)id * 5;
    out[0] = p.alpha;
    out[1] = p.rho;
    out[2] = p.nu;
    out[3] = sqrt(error / STRIKES);
    out[4] = skew;
}
