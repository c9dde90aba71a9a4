// @ dd_log 16384|1048576 64 f64:16384|1048576:0.1..50 f64:16384|1048576:-1e-17..1e-17 >f64:32768|2097152
//
// Natural logarithm in double-double arithmetic (about 31 digits), by
// Newton's iteration on exp. A value is a double2, x + y unevaluated.
// After the QD library of Hida, Li and Bailey.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef double2 dd;

static dd quick_two_sum(double a, double b)
{
    double s = a + b;
    return (dd)(s, b - (s - a));
}

static dd two_sum(double a, double b)
{
    double s = a + b;
    double bb = s - a;
    return (dd)(s, (a - (s - bb)) + (b - bb));
}

static dd two_prod(double a, double b)
{
    double p = a * b;
    return (dd)(p, fma(a, b, -p));
}

static dd dd_add(dd a, dd b)
{
    dd s = two_sum(a.x, b.x);
    dd t = two_sum(a.y, b.y);
    s.y += t.x;
    s = quick_two_sum(s.x, s.y);
    s.y += t.y;
    return quick_two_sum(s.x, s.y);
}

static dd dd_mul(dd a, dd b)
{
    dd p = two_prod(a.x, b.x);
    p.y += a.x * b.y + a.y * b.x;
    return quick_two_sum(p.x, p.y);
}

static dd dd_mul_d(dd a, double b)
{
    dd p = two_prod(a.x, b);
    p.y += a.y * b;
    return quick_two_sum(p.x, p.y);
}

static dd dd_div_d(dd a, double b)
{
    double q1 = a.x / b;
    dd r = dd_add(a, -two_prod(q1, b));
    double q2 = r.x / b;
    r = dd_add(r, -two_prod(q2, b));
    double q3 = r.x / b;
    dd q = quick_two_sum(q1, q2);
    return dd_add(q, (dd)(q3, 0.0));
}

static dd dd_exp(dd a)
{
    const dd ln2 = (dd)(6.931471805599452862e-01, 2.319046813846299558e-17);
    const double k = 256.0;
    const double m = floor(a.x / ln2.x + 0.5);
    dd r = dd_add(a, -dd_mul_d(ln2, m)) / k;

    // exp(r) - 1 for |r| < ln2 / 512; Horner from the 9th term down
    dd s = (dd)(1.0, 0.0);
    for (int n = 9; n >= 2; n--) {
        s = dd_div_d(dd_mul(s, r), (double)n);
        s = dd_add(s, (dd)(1.0, 0.0));
    }
    s = dd_mul(s, r);

    // (1 + s)^2 - 1 = 2 s + s^2, eight times
    for (int i = 0; i < 8; i++)
        s = dd_add(s * 2.0, dd_mul(s, s));
    s = dd_add(s, (dd)(1.0, 0.0));

    return (dd)(ldexp(s.x, (int)m), ldexp(s.y, (int)m));
}

__kernel void dd_log(__global const double *hi, __global const double *lo,
                     __global dd *result)
{
    const size_t i = get_global_id(0);
    const dd a = quick_two_sum(hi[i], lo[i]);

    dd x = (dd)(log(a.x), 0.0);
    for (int it = 0; it < 2; it++) {
        // x = x + a exp(-x) - 1
        dd e = dd_mul(a, dd_exp(-x));
        x = dd_add(x, dd_add(e, (dd)(-1.0, 0.0)));
    }
    result[i] = x;
}
