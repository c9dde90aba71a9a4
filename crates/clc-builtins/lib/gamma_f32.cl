// tgamma and lgamma: polynomials between two neighbouring integers, and the recurrence.
// Relies on correctly rounded sums and products, and on division within 2.5 units.

float __clc_tgamma_f32(float x) {
    uint bits = as_uint(x) & 0x7fffffffu;
    if (bits == 0u) {
        return as_float(as_uint(x) | 0x7f800000u);
    }
    if (bits < 0x0d800000u) {
        // Below 2^-100 one over x, which may be below the normal numbers and no divisor.
        return 1.0f / (x * 16777216.0f) * 16777216.0f;
    }
    float whole = floor(x);
    if (x != x || (x < 0.0f && whole == x)) {
        return as_float(0x7fc00000u);
    }
    if (x > 35.1f) {
        return as_float(0x7f800000u);
    }
    if (x < -44.0f) {
        // Too small even for a subnormal number, but for its sign.
        float half_whole = 0.5f * whole;
        return floor(half_whole) == half_whole ? 0.0f : -0.0f;
    }
    float f = x - whole;
    float p = 0.00079773023f;
    p = mad(p, f, -0.00158359262f);
    p = mad(p, f, 0.0103405444f);
    p = mad(p, f, 6.89592562e-05f);
    p = mad(p, f, 0.0741629377f);
    p = mad(p, f, 0.0815896913f);
    p = mad(p, f, 0.411839366f);
    p = mad(p, f, 0.422784358f);
    p = mad(p, f, 1.0f);
    int n = (int)whole;
    for (int i = 1; i < n - 1; ++i) {
        p *= x - (float)i;
    }
    // Two products, of which none is too large. The quotient near the least normal number, which a
    // device may give as zero, is 2^32 times as large at first.
    float scale = x < -20.0f ? 2.32830643654e-10f : 1.0f;
    float near = 1.0f;
    float far = scale;
    for (int i = 0; i < 2 - n; ++i) {
        if (i < 20) {
            near *= x + (float)i;
        } else {
            far *= x + (float)i;
        }
    }
    return p / far / near * scale;
}

// For positive x.
float __clc_lgamma_positive_f32(float x) {
    if (x >= 8.0f) {
        float r = 1.0f / x;
        float z = r * r;
        float tail = (0.0833333358f - z * (0.00277777785f - z * 0.000793650805f)) * r;
        if (x > 1.0e+36f) {
            return (x * 0.0625f) * (__clc_log_f32(x) - 1.0f) * 16.0f;
        }
        return (x - 0.5f) * (__clc_log_f32(x) - 1.0f) + (0.418938547f + tail);
    }
    float factor = 1.0f;
    float y = x;
    if (x < 1.0f) {
        factor = x;
        y = x + 1.0f;
    }
    while (y > 3.0f) {
        y -= 1.0f;
        factor *= y;
    }
    float logarithm = factor == 1.0f ? 0.0f : __clc_log_f32(factor);
    // Less than one, x itself is exact.
    float t = x < 1.0f ? x - 1.0f : y - 2.0f;
    float p = -4.13635244e-05f;
    p = mad(p, t, 7.83184296e-05f);
    p = mad(p, t, -4.51833184e-05f);
    p = mad(p, t, 0.000130310713f);
    p = mad(p, t, -0.0004328129f);
    p = mad(p, t, 0.000944547122f);
    p = mad(p, t, -0.00209889119f);
    p = mad(p, t, 0.00499148248f);
    p = mad(p, t, -0.0123855416f);
    p = mad(p, t, 0.032965634f);
    p = mad(p, t, -0.100317247f);
    p = mad(p, t, 0.422784328f);
    float part = (x < 1.0f ? x : y - 1.0f) * t * p;
    return x < 1.0f ? part - logarithm : part + logarithm;
}

float __clc_lgamma_f32(float x) {
    uint bits = as_uint(x) & 0x7fffffffu;
    if (bits >= 0x7f800000u) {
        return as_float(bits);
    }
    if (bits == 0u || (x < 0.0f && floor(x) == x)) {
        return as_float(0x7f800000u);
    }
    float a = as_float(bits);
    if (a < 1.0e-10f) {
        return -__clc_log_f32(a);
    }
    float positive = __clc_lgamma_positive_f32(a);
    if (x > 0.0f) {
        return positive;
    }
    float reflected = a * fabs(__clc_sinpi_f32(a));
    return 1.14472985f - __clc_log_f32(reflected) - positive;
}

// The sign of the gamma function, which lgamma_r stores.
int __clc_lgamma_sign_f32(float x) {
    if (x == 0.0f) {
        return as_uint(x) >> 31 != 0u ? -1 : 1;
    }
    float half_whole = 0.5f * floor(x);
    return x < 0.0f && floor(half_whole) != half_whole ? -1 : 1;
}
