// Division and roots of doubles on devices whose profile says that fma is rounded once: Markstein's steps, whose last
// one rounds correctly. They are for what is neither too large nor too small to begin in float and for what is left to be
// exact; what they give for the others is not used. The largest mantissa is one of the others: its reciprocal, and half
// the reciprocal of its root, are half way between two numbers, nearly, and may be rounded wrongly.
// Relies on correctly rounded sums and products, and rsqrt of normal numbers within 2 units.

bool __clc_is_largest_fused_f64(double x) {
    return (as_ulong(x) | 0xfff0000000000000ul) == 0xfffffffffffffffful;
}

double __clc_divide_fused_f64(double a, double b) {
    // Two steps in one, and one of Newton's.
    double y = __clc_near_reciprocal_f64(b);
    double e = fma(-b, y, 1.0);
    y = fma(y, fma(e, e, e), y);
    double q = a * y;
    y = fma(y, fma(-b, y, 1.0), y);
    q = fma(fma(-b, q, a), y, q);
    // Zero may have lost its sign.
    q = as_double(as_ulong(q) | ((as_ulong(a) ^ as_ulong(b)) & 0x8000000000000000ul));
    bool is_zero = (as_ulong(a) & 0x7ffffffffffffffful) == 0ul;
    uint a_exponent = (uint)(as_ulong(a) >> 52) & 0x7ffu;
    uint b_exponent = (uint)(as_ulong(b) >> 52) & 0x7ffu;
    bool is_far = a_exponent - 173u >= 1750u && !is_zero;
    bool is_by_far = b_exponent - 923u >= 200u;
    bool is_largest = __clc_is_largest_fused_f64(b);
    if (is_far || is_by_far || is_largest) {
        return __clc_divide_f64(a, b);
    }
    return q;
}

bool __clc_is_far_fused_f64(double x) {
    return (uint)(as_ulong(x) >> 52) - 923u >= 200u;
}

// For x from 2^-100 to 2^100: steps that leave the third power of the error.
double __clc_sqrt_fused_f64(double x) {
    double y = as_double(__clc_widened_f64(rsqrt(__clc_near_f64(x))));
    double root = x * y;
    double e = fma(-root, y, 1.0);
    double p = fma(e, 0.375, 0.5);
    root = fma(root * e, p, root);
    y = fma(y * e, p, y);
    root = fma(fma(-root, root, x), 0.5 * y, root);
    // The root of zero is zero by the same steps.
    bool is_far = __clc_is_far_fused_f64(x) && as_ulong(x) != 0ul;
    bool is_largest = __clc_is_largest_fused_f64(x);
    if (is_far || is_largest) {
        return __clc_sqrt_f64(x);
    }
    return root;
}

double __clc_rsqrt_fused_f64(double x) {
    double y = as_double(__clc_widened_f64(rsqrt(__clc_near_f64(x))));
    double e = fma(-x * y, y, 1.0);
    y = fma(y * e, fma(e, 0.375, 0.5), y);
    if (__clc_is_far_fused_f64(x)) {
        return __clc_rsqrt_f64(x);
    }
    return y;
}
