// tgamma and lgamma: polynomials between two neighbouring integers and the recurrence, or
// Stirling's formula with the exponent as a sum of two doubles.
// Relies on correctly rounded sums and products alone.

// The exponent of two in Stirling's formula, (x - 1/2) log2 x - x log2 e, for x from 20 to 200.
double2 __clc_stirling_exponent_f64(double x) {
    double2 log = __clc_log2_pair_f64(x);
    // x (log2 x - log2 e) - log2 x / 2
    double high = log.x - 1.4426950408889634;
    double part = high - log.x;
    double lost = (log.x - (high - part)) + (-1.4426950408889634 - part);
    double low = lost + (log.y - 2.0355273740931033e-17);
    double d = __clc_first_bits_f64(high);
    double d_low = (high - d) + low;
    double x_high = __clc_first_bits_f64(x);
    double x_low = x - x_high;
    double product = x_high * d;
    double rest = x_low * d + x * d_low - 0.5 * log.y;
    double half_log = 0.5 * log.x;
    double sum = product - half_log;
    double sum_lost = (product - sum) - half_log;
    return (double2)(sum, sum_lost + rest);
}

// What Stirling's formula is multiplied with, sqrt(2 pi) and a series, for x from 20.
double __clc_stirling_factor_f64(double x) {
    double w = __clc_reciprocal_f64(x);
    double p = -0.0014593648540862142;
    p = mad(p, w, 0.00017132541110780476);
    p = mad(p, w, 0.0019654733242203343);
    p = mad(p, w, -0.00057520591760043072);
    p = mad(p, w, -0.0067210904096793858);
    p = mad(p, w, 0.0087035703975968711);
    p = mad(p, w, 0.20888568955258444);
    p = mad(p, w, 2.5066282746310007);
    return p;
}

double __clc_tgamma_f64(double x) {
    ulong bits = as_ulong(x) & 0x7ffffffffffffffful;
    if (bits == 0ul) {
        return as_double(as_ulong(x) | 0x7ff0000000000000ul);
    }
    double whole = floor(x);
    if (x != x || (x < 0.0 && whole == x)) {
        return as_double(0x7ff8000000000000ul);
    }
    if (x > 172.0) {
        return as_double(0x7ff0000000000000ul);
    }
    if (x > 20.0) {
        double2 exponent = __clc_stirling_exponent_f64(x);
        double factor = __clc_stirling_factor_f64(x);
        // The power alone may be too large for its factor's sake only.
        return __clc_exp2_pair_f64(exponent.x - 4.0, exponent.y) * factor * 16.0;
    }
    if (x < -20.0) {
        double half_whole = 0.5 * whole;
        double sign = floor(half_whole) == half_whole ? 1.0 : -1.0;
        if (x < -190.0) {
            return sign * 0.0;
        }
        // Gamma(x) = pi / (|x| sin(pi |x|) Gamma(|x|)), but for the sign.
        double a = -x;
        double2 exponent = __clc_stirling_exponent_f64(a);
        double factor = a * fabs(__clc_sinpi_f64(a)) * __clc_stirling_factor_f64(a);
        // At least 2^-44, for a has that many bits after the point at most.
        factor = __clc_quotient_f64(3.1415926535897931, factor) * sign;
        double k = exponent.x < -1000.0 ? 100.0 : 0.0;
        k = exponent.x > 900.0 ? -100.0 : k;
        double power = __clc_exp2_pair_f64(-exponent.x - k, -exponent.y);
        return power * factor * (k == 0.0 ? 1.0 : 0x1.0p-100);
    }
    double f = x - whole;
    double p = -8.6970161709979846e-08;
    p = mad(p, f, 9.4493869629501218e-07);
    p = mad(p, f, -5.0162237058153855e-06);
    p = mad(p, f, 1.7731688400391324e-05);
    p = mad(p, f, -4.8218969460390422e-05);
    p = mad(p, f, 0.00011191426962933599);
    p = mad(p, f, -0.0002350281256022206);
    p = mad(p, f, 0.00048760782085405241);
    p = mad(p, f, -0.0009185674107965203);
    p = mad(p, f, 0.0021036564075403515);
    p = mad(p, f, -0.0028525889301805659);
    p = mad(p, f, 0.0111540372173896);
    p = mad(p, f, -0.0002669811789158741);
    p = mad(p, f, 0.074249010691769757);
    p = mad(p, f, 0.081576919249694027);
    p = mad(p, f, 0.41184033042638163);
    p = mad(p, f, 0.42278433509846763);
    p = mad(p, f, 1);
    // By the numbers below x down to two, or over those from x on up to two, which are exact or round once.
    for (double t = x - 1.0; t >= 2.0; t -= 1.0) {
        p *= t;
    }
    if (x >= 2.0) {
        return p;
    }
    double product = 1.0;
    for (double t = x; whole < 2.0; whole += 1.0) {
        product *= t;
        t += 1.0;
    }
    return __clc_divide_f64(p, product);
}

// For positive x.
double __clc_lgamma_positive_f64(double x) {
    if (x >= 12.0) {
        if (x > 1.0e18) {
            return x * (__clc_log_f64(x) - 1.0);
        }
        double r = __clc_reciprocal_f64(x);
        double z = r * r;
        double p = 0.0064102564102564103;
        p = mad(p, z, -0.0019175269175269176);
        p = mad(p, z, 0.00084175084175084171);
        p = mad(p, z, -0.00059523809523809529);
        p = mad(p, z, 0.00079365079365079365);
        p = mad(p, z, -0.0027777777777777779);
        p = mad(p, z, 0.083333333333333329);
        return (x - 0.5) * (__clc_log_f64(x) - 1.0) + (0.41893853320467278 + p * r);
    }
    double factor = 1.0;
    double y = x;
    if (x < 1.0) {
        factor = x;
        y = x + 1.0;
    }
    while (y > 3.0) {
        y -= 1.0;
        factor *= y;
    }
    double logarithm = factor == 1.0 ? 0.0 : __clc_log_f64(factor);
    // Less than one, x itself is exact.
    double t = x < 1.0 ? x - 1.0 : y - 2.0;
    double p = 1.6999714296673463e-09;
    p = mad(p, t, -3.072575234188581e-09);
    p = mad(p, t, -5.1276324257538283e-09);
    p = mad(p, t, 7.7152563624201547e-09);
    p = mad(p, t, 1.8539617569446079e-08);
    p = mad(p, t, -3.0142287958502855e-08);
    p = mad(p, t, 1.9819614933902658e-09);
    p = mad(p, t, -1.8451054074495921e-08);
    p = mad(p, t, 1.0844827273769831e-07);
    p = mad(p, t, -2.1230319344435868e-07);
    p = mad(p, t, 3.9279982976782318e-07);
    p = mad(p, t, -8.4132222545625286e-07);
    p = mad(p, t, 1.8129387923282839e-06);
    p = mad(p, t, -3.8518372432713104e-06);
    p = mad(p, t, 8.2207045414180999e-06);
    p = mad(p, t, -1.7660486310479086e-05);
    p = mad(p, t, 3.8169198093116305e-05);
    p = mad(p, t, -8.3095332943475703e-05);
    p = mad(p, t, 0.00018255259752039785);
    p = mad(p, t, -0.00040570737520744654);
    p = mad(p, t, 0.00091537692560363982);
    p = mad(p, t, -0.0021081308353082125);
    p = mad(p, t, 0.004998641164555972);
    p = mad(p, t, -0.012384192193333169);
    p = mad(p, t, 0.032965000621158182);
    p = mad(p, t, -0.10031730167435424);
    p = mad(p, t, 0.42278433509846713);
    double part = (x < 1.0 ? x : y - 1.0) * t * p;
    return x < 1.0 ? part - logarithm : part + logarithm;
}

double __clc_lgamma_f64(double x) {
    ulong bits = as_ulong(x) & 0x7ffffffffffffffful;
    if (bits >= 0x7ff0000000000000ul) {
        return as_double(bits);
    }
    if (bits == 0ul || (x < 0.0 && floor(x) == x)) {
        return as_double(0x7ff0000000000000ul);
    }
    double a = as_double(bits);
    if (a < 1.0e-20) {
        return -__clc_log_f64(a);
    }
    double positive = __clc_lgamma_positive_f64(a);
    if (x > 0.0) {
        return positive;
    }
    double reflected = a * fabs(__clc_sinpi_f64(a));
    return 1.1447298858494002 - __clc_log_f64(reflected) - positive;
}

// The sign of the gamma function, which lgamma_r stores.
int __clc_lgamma_sign_f64(double x) {
    if (x == 0.0) {
        return as_ulong(x) >> 63 != 0ul ? -1 : 1;
    }
    double half_whole = 0.5 * floor(x);
    return x < 0.0 && floor(half_whole) != half_whole ? -1 : 1;
}
