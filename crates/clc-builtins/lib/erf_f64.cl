// erf and erfc.
// Relies on correctly rounded sums and products alone.

// For |x| <= 1.
double __clc_erf_kernel_f64(double x) {
    double z = x * x;
    double p = 5.9337768844630469e-11;
    p = mad(p, z, -1.1359416000233962e-09);
    p = mad(p, z, 1.4656410045476602e-08);
    p = mad(p, z, -1.6349829756292943e-07);
    p = mad(p, z, 1.6460956670136735e-06);
    p = mad(p, z, -1.4925592650667428e-05);
    p = mad(p, z, 0.00012055331007850515);
    p = mad(p, z, -0.00085483269781354136);
    p = mad(p, z, 0.0052239776247737721);
    p = mad(p, z, -0.026866170645072539);
    p = mad(p, z, 0.11283791670954858);
    p = mad(p, z, -0.37612638903183748);
    p = mad(p, z, 1.1283791670955126);
    return x * p;
}

// For x from 0.9 to 27.3: e^(-x^2) / (1 + 2x) times a polynomial in (x - 2) / (x + 2).
double __clc_erfc_kernel_f64(double x) {
    double t = __clc_quotient_f64(x - 2.0, x + 2.0);
    double p = -4.2957444457958428e-07;
    p = mad(p, t, 2.6648884759834661e-06);
    p = mad(p, t, -5.0479714818510851e-06);
    p = mad(p, t, 1.3177072737684197e-06);
    p = mad(p, t, 2.5321645606337097e-06);
    p = mad(p, t, 3.7049891344013131e-06);
    p = mad(p, t, 4.0300975005283542e-06);
    p = mad(p, t, -1.318295342960687e-05);
    p = mad(p, t, -3.658105307640458e-05);
    p = mad(p, t, -1.5297000722263429e-06);
    p = mad(p, t, 0.00015106509645929661);
    p = mad(p, t, 0.00020636585705229485);
    p = mad(p, t, -0.00045434301428785856);
    p = mad(p, t, -0.0014568136698720894);
    p = mad(p, t, 0.0012713390671865788);
    p = mad(p, t, 0.0087226538597439292);
    p = mad(p, t, -0.0080340150849454259);
    p = mad(p, t, -0.054220000991649843);
    p = mad(p, t, 0.16405128003347189);
    p = mad(p, t, -0.16603039761529273);
    p = mad(p, t, -0.092763826585746126);
    p = mad(p, t, 1.2769783815525286);
    p = __clc_quotient_f64(p, 1.0 + 2.0 * x);
    // The square of the first bits of x is exact; the rest of the exponent is small.
    double high = as_double(as_ulong(x) & 0xfffffffff8000000ul);
    double rest = (high - x) * (high + x);
    return __clc_exp_f64(-high * high) * (__clc_exp_f64(rest) * p);
}

// 1 - erf x for x from 1 to 6, as good as erf needs it: e to the power of a polynomial in x - 1.
double __clc_erf_rest_f64(double x) {
    double t = x - 1.0;
    double p = 3.66323604692667e-11;
    p = mad(p, t, -4.874291757771214e-10);
    p = mad(p, t, 6.027468123117395e-10);
    p = mad(p, t, 3.433699938610682e-08);
    p = mad(p, t, -3.8979427393969834e-07);
    p = mad(p, t, 2.3994540852590026e-06);
    p = mad(p, t, -9.951836648460568e-06);
    p = mad(p, t, 2.7411048841669653e-05);
    p = mad(p, t, -2.6410347221790897e-05);
    p = mad(p, t, -0.00023727393831285163);
    p = mad(p, t, 0.0019778906701908554);
    p = mad(p, t, -0.010033823545363202);
    p = mad(p, t, 0.041561097883516626);
    p = mad(p, t, 0.8431072563648895);
    p = mad(p, t, 2.6389675142347357);
    p = mad(p, t, 1.8496055099332476);
    return __clc_exp_f64(-p);
}

double __clc_erf_f64(double x) {
    double a = fabs(x);
    if (a < 1.0 || x != x) {
        return __clc_erf_kernel_f64(x);
    }
    double y = 1.0 - __clc_erf_rest_f64(a < 6.0 ? a : 6.0);
    return x < 0.0 ? -y : y;
}

double __clc_erfc_f64(double x) {
    double a = fabs(x);
    if (a < 0.95 || x != x) {
        return 1.0 - __clc_erf_kernel_f64(x);
    }
    double y = a < 27.25 ? __clc_erfc_kernel_f64(a) : 0.0;
    return x < 0.0 ? 2.0 - y : y;
}
