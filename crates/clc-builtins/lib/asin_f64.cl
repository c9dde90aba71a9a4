// asin, acos, atan, atan2 and their pi forms.
// Relies on correctly rounded sums and products alone.

// For |t| <= tan(pi / 8).
double __clc_atan_kernel_f64(double t) {
    double z = t * t;
    double p = -0.01777362730052244;
    p = mad(p, z, 0.037944676400984846);
    p = mad(p, z, -0.050346753927729151);
    p = mad(p, z, 0.058468833824960584);
    p = mad(p, z, -0.066629690130405553);
    p = mad(p, z, 0.076920486439700508);
    p = mad(p, z, -0.090908971263371399);
    p = mad(p, z, 0.11111110762241252);
    p = mad(p, z, -0.14285714279788783);
    p = mad(p, z, 0.19999999999949727);
    p = mad(p, z, -0.33333333333333187);
    return t + t * z * p;
}

double __clc_with_sign_f64(double magnitude, double sign) {
    ulong bits = as_ulong(magnitude) & 0x7ffffffffffffffful;
    return as_double(bits | (as_ulong(sign) & 0x8000000000000000ul));
}

// The angle whose tangent is a / b, for b from 1 to 2 and a from 0 to b.
double __clc_atan_ratio_f64(double a, double b) {
    bool is_far = a > 0.41421356237309503 * b;
    double r = __clc_atan_kernel_f64(__clc_quotient_f64(is_far ? a - b : a, is_far ? a + b : b));
    // Beside none or a quarter of pi in two parts.
    double high = is_far ? 0.78539816339744828 : 0.0;
    double low = is_far ? 3.061616997868383e-17 : 0.0;
    return high + (r + low);
}

// The angle whose tangent is a magnitude, beside none, a quarter or half of pi, of which there are `eighths` of a turn.
double2 __clc_atan_parts_f64(double a) {
    bool is_middle = a > 0.41421356237309503;
    bool is_large = a >= 2.4142135623730949;
    double over = is_middle ? a - 1.0 : a;
    double under = is_middle ? a + 1.0 : 1.0;
    double eighths = is_middle ? 1.0 : 0.0;
    over = is_large ? -1.0 : over;
    under = is_large ? (a < 1.0e18 ? a : 1.0e18) : under;
    eighths = is_large ? 2.0 : eighths;
    return (double2)(__clc_atan_kernel_f64(__clc_quotient_f64(over, under)), eighths);
}

double __clc_atan_f64(double x) {
    double2 parts = __clc_atan_parts_f64(fabs(x));
    // pi/4 in two parts.
    double rest = mad(parts.y, 3.061616997868383e-17, parts.x);
    return __clc_with_sign_f64(mad(parts.y, 0.78539816339744828, rest), x);
}

double __clc_atanpi_f64(double x) {
    double2 parts = __clc_atan_parts_f64(fabs(x));
    return __clc_with_sign_f64(mad(parts.x, 0.31830988618379069, 0.25 * parts.y), x);
}

// The angle of a point in the first eighth: of the smaller of two magnitudes over the larger.
double __clc_atan2_eighth_f64(ulong a, ulong b) {
    double large = as_double(max(a, b));
    double small = as_double(min(a, b));
    // The larger becomes a number from 1 to 2, first by a step that leaves room for the second.
    double step = large > 0x1.0p900 ? 0x1.0p-200 : 1.0;
    step = large < 0x1.0p-900 ? 0x1.0p200 : step;
    large *= step;
    small *= step;
    double scale = as_double((2046ul - (as_ulong(large) >> 52)) << 52);
    double r = __clc_atan_ratio_f64(small * scale, large * scale);
    // Of infinities and zeros.
    r = max(a, b) == 0ul ? 0.0 : r;
    double of_infinities = a == b ? 0.78539816339744828 : 0.0;
    return max(a, b) == 0x7ff0000000000000ul ? of_infinities : r;
}

double __clc_atan2_f64(double y, double x) {
    ulong a = as_ulong(x) & 0x7ffffffffffffffful;
    ulong b = as_ulong(y) & 0x7ffffffffffffffful;
    double r = __clc_atan2_eighth_f64(a, b);
    r = b > a ? 1.5707963267948966 - (r - 6.123233995736766e-17) : r;
    r = as_ulong(x) >> 63 != 0ul ? 3.1415926535897931 - (r - 1.2246467991473532e-16) : r;
    r = __clc_with_sign_f64(r, y);
    return max(a, b) > 0x7ff0000000000000ul ? as_double(0x7ff8000000000000ul) : r;
}

double __clc_atan2pi_f64(double y, double x) {
    ulong a = as_ulong(x) & 0x7ffffffffffffffful;
    ulong b = as_ulong(y) & 0x7ffffffffffffffful;
    double r = __clc_atan2_eighth_f64(a, b) * 0.31830988618379069;
    r = b > a ? 0.5 - r : r;
    r = as_ulong(x) >> 63 != 0ul ? 1.0 - r : r;
    r = __clc_with_sign_f64(r, y);
    return max(a, b) > 0x7ff0000000000000ul ? as_double(0x7ff8000000000000ul) : r;
}

// asin x for |x| <= 1/2, of x and its square.
double __clc_asin_kernel_f64(double x, double z) {
    double p = 0.032701446644323826;
    p = mad(p, z, -0.021115629091519979);
    p = mad(p, z, 0.021789916274063539);
    p = mad(p, z, 0.0036724685655879722);
    p = mad(p, z, 0.010789250756530226);
    p = mad(p, z, 0.011397304748689349);
    p = mad(p, z, 0.0139810172125578);
    p = mad(p, z, 0.017351595601628987);
    p = mad(p, z, 0.02237221590071926);
    p = mad(p, z, 0.030381942675448265);
    p = mad(p, z, 0.044642857175282859);
    p = mad(p, z, 0.074999999999701014);
    p = mad(p, z, 0.16666666666666763);
    return x + x * z * p;
}

// asin of |x| up to 1/2; beyond that half of pi/2 - asin |x|, by asin x = pi/2 - 2 asin sqrt((1 - x) / 2). NaN beyond one.
double __clc_asin_or_rest_f64(double x) {
    double a = fabs(x);
    bool is_far = a > 0.5;
    double z = is_far ? 0.5 - 0.5 * a : x * x;
    double root = a > 1.0 ? NAN : __clc_root_f64(z);
    return __clc_asin_kernel_f64(is_far ? root : a, z);
}

double __clc_asin_f64(double x) {
    double r = __clc_asin_or_rest_f64(x);
    double far = 1.5707963267948966 - (2.0 * r - 6.123233995736766e-17);
    return __clc_with_sign_f64(fabs(x) > 0.5 ? far : r, x);
}

double __clc_acos_f64(double x) {
    double r = __clc_asin_or_rest_f64(x);
    double near = 1.5707963267948966 - (__clc_with_sign_f64(r, x) - 6.123233995736766e-17);
    double far = x < 0.0 ? 3.1415926535897931 - (2.0 * r - 1.2246467991473532e-16) : 2.0 * r;
    return fabs(x) > 0.5 ? far : near;
}

double __clc_asinpi_f64(double x) {
    return __clc_asin_f64(x) * 0.31830988618379069;
}

double __clc_acospi_f64(double x) {
    double r = __clc_asin_or_rest_f64(x) * 0.31830988618379069;
    double far = x < 0.0 ? 1.0 - 2.0 * r : 2.0 * r;
    return fabs(x) > 0.5 ? far : 0.5 - __clc_with_sign_f64(r, x);
}
