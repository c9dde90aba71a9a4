// exp, exp2, exp10 and expm1: x = k ln 2 + r with |r| <= ln 2 / 2, and a polynomial for r.
// Relies on correctly rounded sums and products alone.

// y * 2^k for y around one.
double __clc_scale_f64(double y, int k) {
    int half_k = k >> 1;
    double first = as_double((ulong)(half_k + 1023) << 52);
    double second = as_double((ulong)(k - half_k + 1023) << 52);
    return y * first * second;
}

double __clc_limit_f64(double x, double low, double high) {
    x = x > high ? high : x;
    return x < low ? low : x;
}

// (e^r - 1 - r) / r^2 for |r| <= 0.35, with an error of 2^-61.
double __clc_exp_tail_f64(double r) {
    double p = 2.0915405114827816e-09;
    p = mad(p, r, 2.5110347280210499e-08);
    p = mad(p, r, 2.7557269784138908e-07);
    p = mad(p, r, 2.7557240710447918e-06);
    p = mad(p, r, 2.4801587331778415e-05);
    p = mad(p, r, 0.00019841269889308864);
    p = mad(p, r, 0.0013888888888879825);
    p = mad(p, r, 0.0083333333333205067);
    p = mad(p, r, 0.041666666666666678);
    p = mad(p, r, 0.16666666666666677);
    p = mad(p, r, 0.5);
    return p;
}

// 2^r for |r| <= 0.5, less one, over r; with an error of 2^-64.
double __clc_exp2_tail_f64(double r) {
    double p = 2.5724166369865678e-11;
    p = mad(p, r, 4.4566411086752738e-10);
    p = mad(p, r, 7.0549003262322512e-09);
    p = mad(p, r, 1.0178051499186661e-07);
    p = mad(p, r, 1.3215486802445322e-06);
    p = mad(p, r, 1.5252733855300169e-05);
    p = mad(p, r, 0.00015403530393376207);
    p = mad(p, r, 0.0013333558146391791);
    p = mad(p, r, 0.0096181291076284769);
    p = mad(p, r, 0.055504108664821687);
    p = mad(p, r, 0.24022650695910072);
    p = mad(p, r, 0.69314718055994529);
    return p;
}

// e^r for |r| <= 0.35.
double __clc_exp_near_f64(double r) {
    return 1.0 + mad(r * r, __clc_exp_tail_f64(r), r);
}

// What is left of x beside k ln 2. 40 bits of ln 2: the first product is exact.
double __clc_exp_rest_f64(double x, double k) {
    return mad(k, 1.7239444525614835e-13, mad(k, -0.6931471805601177, x));
}

// e^x 2^shift, for shifts of at most one.
double __clc_exp_shifted_f64(double x, int shift) {
    x = __clc_limit_f64(x, -746.0, 711.0);
    double k = rint(x * 1.4426950408889634);
    return __clc_scale_f64(__clc_exp_near_f64(__clc_exp_rest_f64(x, k)), (int)k + shift);
}

double __clc_exp_f64(double x) {
    return __clc_exp_shifted_f64(x, 0);
}

double __clc_exp2_f64(double x) {
    x = __clc_limit_f64(x, -1076.0, 1025.0);
    double k = rint(x);
    double r = x - k;
    return __clc_scale_f64(mad(r, __clc_exp2_tail_f64(r), 1.0), (int)k);
}

double __clc_exp10_f64(double x) {
    x = __clc_limit_f64(x, -324.5, 309.0);
    double k = rint(x * 3.3219280948873622);
    double r = mad(k, 8.5323443170571066e-14, mad(k, -0.30102999566406652, x));
    return __clc_scale_f64(__clc_exp_near_f64(r * 2.3025850929940459), (int)k);
}

double __clc_expm1_f64(double x) {
    if ((as_ulong(x) & 0x7ffffffffffffffful) < 0x3c90000000000000ul) {
        // Below 2^-54; keeps the sign of zero.
        return x;
    }
    x = __clc_limit_f64(x, -40.0, 711.0);
    double k = rint(x * 1.4426950408889634);
    double r = (x - k * 0.6931471805601177) - k * -1.7239444525614835e-13;
    double p = r + r * r * __clc_exp_tail_f64(r);
    int n = (int)k;
    if (k >= 54.0) {
        return __clc_scale_f64(1.0 + p, n);
    }
    double scale = as_double((ulong)(n + 1023) << 52);
    return scale * p + (scale - 1.0);
}
