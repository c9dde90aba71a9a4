// tgamma and lgamma: polynomials between two neighbouring integers, and the recurrence.
// Relies on correctly rounded sums and products, and on division within 2.5 units.

// The gamma function of 2 + f, for f from zero to one.
float __clc_tgamma_kernel_f32(float f) {
    float p = 0.00079773023f;
    p = mad(p, f, -0.00158359262f);
    p = mad(p, f, 0.0103405444f);
    p = mad(p, f, 6.89592562e-05f);
    p = mad(p, f, 0.0741629377f);
    p = mad(p, f, 0.0815896913f);
    p = mad(p, f, 0.411839366f);
    p = mad(p, f, 0.422784358f);
    return mad(p, f, 1.0f);
}

float __clc_rare_tgamma_f32(float x) {
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
    if (x > 0.0f) {
        return as_float(0x7f800000u);
    }
    if (x < -44.0f) {
        // Too small even for a subnormal number, but for its sign.
        float half_whole = 0.5f * whole;
        return floor(half_whole) == half_whole ? 0.0f : -0.0f;
    }
    // Two products, of which none is too large. The quotient near the least normal number, which a
    // device may give as zero, is 2^32 times as large at first.
    int n = (int)whole;
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
    return __clc_tgamma_kernel_f32(x - whole) / far / near * scale;
}

float __clc_tgamma_f32(float x) {
    float whole = floor(x);
    float f = x - whole;
    bool is_usual = x > -17.0f && x <= 35.1f && (as_uint(x) & 0x7fffffffu) >= 0x0d800000u;
    if (!is_usual || (x < 0.0f && f == 0.0f)) {
        return __clc_rare_tgamma_f32(x);
    }
    float p = __clc_tgamma_kernel_f32(f);
    // By the numbers below x down to two, or over those from x on up to two, which are exact or round once.
    float product = 1.0f;
    for (float t = x - 1.0f; t >= 2.0f; t -= 1.0f) {
        p *= t;
    }
    for (float t = x; whole < 2.0f; whole += 1.0f) {
        product *= t;
        t += 1.0f;
    }
    return p / product;
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
    if (x >= 3.0f) {
        // lgamma x / (x - 2), with an error of 2^-26.
        float t = x - 5.5f;
        float p = -3.6366672e-09f;
        p = mad(p, t, 1.8633944e-08f);
        p = mad(p, t, -5.4132226e-08f);
        p = mad(p, t, 4.1011347e-07f);
        p = mad(p, t, -3.1087986e-06f);
        p = mad(p, t, 2.0929454e-05f);
        p = mad(p, t, -0.00015007303f);
        p = mad(p, t, 0.0011793543f);
        p = mad(p, t, -0.010729889f);
        p = mad(p, t, 0.13722552f);
        p = mad(p, t, 1.130804f);
        return (x - 2.0f) * p;
    }
    float logarithm = x < 1.0f ? __clc_log_f32(x) : 0.0f;
    // Less than one, x itself is exact.
    float t = x < 1.0f ? x - 1.0f : x - 2.0f;
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
    return (x < 1.0f ? x : x - 1.0f) * t * p - logarithm;
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
