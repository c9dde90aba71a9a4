// fmod, remainder and remquo of doubles on devices whose profile says that fma is rounded once: one step where the quotient
// is below 2^40.
// Relies on correctly rounded sums and products.

// The quotient of magnitudes as an integer, and what it leaves, from zero on and below b: the estimate is never too small, so
// that what it leaves fits.
double2 __clc_divide_near_fused_f64(double a, double b, double estimate) {
    double quotient = trunc(fma(estimate, 0x1.0p-44, estimate));
    double rest = fma(-quotient, b, a);
    bool is_above = rest < 0.0;
    return (double2)(is_above ? quotient - 1.0 : quotient, is_above ? rest + b : rest);
}

// a / b, nearly, for b from 2^-400 to 2^400.
double __clc_quotient_near_fused_f64(double a, double b) {
    double y = __clc_near_reciprocal_f64(b);
    double e = fma(-b, y, 1.0);
    return a * fma(y, fma(e, e, e), y);
}

// Of other numbers long division is the way, and of what may have lost its lowest bits.
bool __clc_is_far_remainder_fused_f64(double a, double b, double estimate) {
    return !(estimate < 0x1.0p40) || __clc_is_far_fused_f64(as_uint2(b).y << 1, 400u)
        || (a < 0x1.0p-900 && a != 0.0);
}

double __clc_fmod_fused_f64(double x, double y) {
    double a = fabs(x);
    double b = fabs(y);
    double estimate = __clc_quotient_near_fused_f64(a, b);
    double rest = __clc_divide_near_fused_f64(a, b, estimate).y;
    if (__clc_is_far_remainder_fused_f64(a, b, estimate)) {
        return __clc_fmod_f64(x, y);
    }
    return as_double(as_ulong(rest) | (as_ulong(x) & 0x8000000000000000ul));
}

// The quotient to the nearest integer, even where two are as near, and what it leaves.
double2 __clc_divide_nearest_fused_f64(double a, double b, double estimate) {
    double2 divided = __clc_divide_near_fused_f64(a, b, estimate);
    double twice = divided.y + divided.y;
    // Beside 2^52 the last bit is the integer's.
    bool is_odd = (as_uint2(divided.x + 0x1.0p52).x & 1u) != 0u;
    bool is_above = twice > b || (twice == b && is_odd);
    return is_above ? (double2)(divided.x + 1.0, divided.y - b) : divided;
}

double __clc_remainder_fused_f64(double x, double y) {
    double a = fabs(x);
    double b = fabs(y);
    double estimate = __clc_quotient_near_fused_f64(a, b);
    double rest = __clc_divide_nearest_fused_f64(a, b, estimate).y;
    if (__clc_is_far_remainder_fused_f64(a, b, estimate)) {
        return __clc_remainder_f64(x, y);
    }
    return as_double(as_ulong(rest) ^ (as_ulong(x) & 0x8000000000000000ul));
}

int __clc_remquo_quotient_fused_f64(double x, double y) {
    double a = fabs(x);
    double b = fabs(y);
    double estimate = __clc_quotient_near_fused_f64(a, b);
    double nearest = __clc_divide_nearest_fused_f64(a, b, estimate).x;
    int quotient = (int)(as_uint2(nearest + 0x1.0p52).x & 0x7fu);
    if (__clc_is_far_remainder_fused_f64(a, b, estimate)) {
        return __clc_remquo_quotient_f64(x, y);
    }
    return (as_ulong(x) ^ as_ulong(y)) >> 63 != 0ul ? -quotient : quotient;
}
