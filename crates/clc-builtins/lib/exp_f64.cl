// exp, exp2, exp10 and expm1: x = k ln 2 + r with |r| <= ln 2 / 2, and a polynomial for r.
// A sum with 1.5 * 2^52 is rounded to a whole number, which its lower word is as an int: that takes less time than rint and a
// conversion. Where 2^k times a number around one is normal, k is added to the exponent, and asked for by the upper word of x.
// Relies on correctly rounded sums and products alone.

// 2^k for k from -1022 to 1023.
double __clc_power_of_two_f64(int k) {
    return as_double((uint2)(0u, ((uint)k + 1023u) << 20));
}

// y * 2^k for y around one. Two factors: 2^k alone may be no normal number.
double __clc_scale_f64(double y, int k) {
    int half_k = k >> 1;
    return y * __clc_power_of_two_f64(half_k) * __clc_power_of_two_f64(k - half_k);
}

// y * 2^k for y around one, and k with which that is normal.
double __clc_scale_normal_f64(double y, int k) {
    uint2 words = as_uint2(y);
    return as_double((uint2)(words.x, words.y + ((uint)k << 20)));
}

// The same where it is not, and where k is none since x is above high, below low or NaN.
double __clc_scale_rare_f64(double y, int k, double x, double low, double high) {
    y = __clc_scale_f64(y, k);
    y = x > high ? INFINITY : y;
    return x < low ? 0.0 : y;
}

// Whether |x| < limit, which is below 2^900 and has no lower word.
bool __clc_is_below_f64(double x, double limit) {
    return fabs(as_float(as_uint2(x).y)) < as_float(as_uint2(limit).y);
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
    return mad(mad(__clc_exp_tail_f64(r), r, 1.0), r, 1.0);
}

// What is left of x beside k ln 2. 40 bits of ln 2: the first product is exact.
double __clc_exp_rest_f64(double x, double k) {
    return mad(k, 1.7239444525614835e-13, mad(k, -0.6931471805601177, x));
}

// e^x 2^shift, for shifts of zero and, if x is above -700, of one less.
double __clc_exp_shifted_f64(double x, int shift) {
    double sum = mad(x, 1.4426950408889634, 0x1.8p52);
    double y = __clc_exp_near_f64(__clc_exp_rest_f64(x, sum - 0x1.8p52));
    int k = as_int(as_uint2(sum).x + (uint)shift);
    if (__clc_is_below_f64(x, 708.0)) {
        return __clc_scale_normal_f64(y, k);
    }
    return __clc_scale_rare_f64(y, k, x, -746.0, 711.0);
}

double __clc_exp_f64(double x) {
    return __clc_exp_shifted_f64(x, 0);
}

double __clc_exp2_f64(double x) {
    double sum = x + 0x1.8p52;
    double r = x - (sum - 0x1.8p52);
    double y = mad(__clc_exp2_tail_f64(r), r, 1.0);
    int k = as_int2(sum).x;
    if (__clc_is_below_f64(x, 1022.0)) {
        return __clc_scale_normal_f64(y, k);
    }
    return __clc_scale_rare_f64(y, k, x, -1076.0, 1025.0);
}

double __clc_exp10_f64(double x) {
    double sum = mad(x, 3.3219280948873622, 0x1.8p52);
    double whole = sum - 0x1.8p52;
    double r = mad(whole, 8.5323443170571066e-14, mad(whole, -0.30102999566406652, x));
    double y = __clc_exp_near_f64(r * 2.3025850929940459);
    int k = as_int2(sum).x;
    if (__clc_is_below_f64(x, 307.0)) {
        return __clc_scale_normal_f64(y, k);
    }
    return __clc_scale_rare_f64(y, k, x, -324.5, 309.0);
}

double __clc_expm1_f64(double x) {
    if ((as_ulong(x) & 0x7ffffffffffffffful) < 0x3c90000000000000ul) {
        // Below 2^-54; keeps the sign of zero.
        return x;
    }
    double sum = mad(x, 1.4426950408889634, 0x1.8p52);
    double whole = sum - 0x1.8p52;
    int k = as_int2(sum).x;
    double r = (x - whole * 0.6931471805601177) - whole * -1.7239444525614835e-13;
    double p = r + r * r * __clc_exp_tail_f64(r);
    if (__clc_is_below_f64(x, 700.0)) {
        double scale = __clc_power_of_two_f64(k);
        return scale * p + (scale - 1.0);
    }
    return x < 0.0 ? -1.0 : __clc_scale_rare_f64(1.0 + p, k, x, 0.0, 711.0);
}
