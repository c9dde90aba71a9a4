// Division of doubles where fused_f64.cl can be used and the device divides doubles rightly, too: Markstein's steps for most
// numbers, which take less time where several divisions can go on together; the device's own for what is rare, which needs
// less code.
// Relies on correctly rounded sums and products, on division within 2.5 units, on that fma is rounded once, and on division of
// doubles that is rounded once.

// About 1 / |b|, with 18 bits where b is from 2^-120 to 2^120, and otherwise something else. It is of a float with the same
// exponent, whose mantissa ends with that of the upper word. Where the division is exact it is never too small, and it is too
// large for the largest mantissa whatever its error: see __clc_near_reciprocal_f64.
double __clc_near_reciprocal_measured_f64(double b) {
    uint y = as_uint(1.0f / as_float(as_uint2(b).y * 8u - (896u << 23)));
    return as_double((uint2)(0xffffffffu, (y >> 3) + (896u << 20)));
}

// The double nearest to 1 / b by such a number and what it leaves of one: two of Newton's steps in one, and another.
double __clc_nearest_reciprocal_measured_f64(double b, double y, double rest) {
    y = fma(y, fma(rest, rest, rest), y);
    return fma(y, fma(-b, y, 1.0), y);
}

double __clc_divide_measured_f64(double a, double b) {
    // The sign of the quotient goes with the dividend.
    uint2 dividend = as_uint2(a) ^ (uint2)(0u, as_uint2(b).y & 0x80000000u);
    double x = as_double(dividend);
    double d = fabs(b);
    double y = __clc_near_reciprocal_measured_f64(b);
    double rest = fma(-d, y, 1.0);
    y = __clc_nearest_reciprocal_measured_f64(d, y, rest);
    // In this order, what is left of zero is zero and what is added to it has a sign like it.
    double q = x * y;
    q = fma(-fma(d, q, -x), y, q);
    // Without branches, so that several divisions can ask together.
    bool is_far = __clc_is_far_fused_f64(dividend.y << 1, 600u) & ((dividend.y & 0x7fffffffu) | dividend.x) != 0u;
    if (is_far | !__clc_is_near_fused_f64(rest)) {
        return a / b;
    }
    return q;
}

// Where a is one or its negative: the reciprocal is the nearest.
double __clc_divide_one_measured_f64(double a, double b) {
    uint2 near = as_uint2(__clc_near_reciprocal_measured_f64(b));
    double y = as_double(near | (uint2)(0u, as_uint2(b).y & 0x80000000u));
    double rest = fma(-b, y, 1.0);
    y = __clc_nearest_reciprocal_measured_f64(b, y, rest);
    if (__clc_is_near_fused_f64(rest)) {
        return a * y;
    }
    return a / b;
}
