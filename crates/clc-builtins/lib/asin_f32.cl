// asin, acos, atan, atan2 and their pi forms: polynomials on [0, 1/2] and [0, 1], roots, and symmetries.
// Relies on correctly rounded sums and products, and on division within 2.5 units.

// For |t| <= 1.
float __clc_atan_kernel_f32(float t) {
    float z = t * t;
    float p = -0.00179371692f;
    p = mad(p, z, 0.0109150214f);
    p = mad(p, z, -0.0311786048f);
    p = mad(p, z, 0.0579583459f);
    p = mad(p, z, -0.0840349346f);
    p = mad(p, z, 0.109522007f);
    p = mad(p, z, -0.142642438f);
    p = mad(p, z, 0.199985489f);
    p = mad(p, z, -0.333332986f);
    return t + t * z * p;
}

float __clc_with_sign_f32(float magnitude, float sign) {
    return as_float((as_uint(magnitude) & 0x7fffffffu) | (as_uint(sign) & 0x80000000u));
}

float __clc_atan_f32(float x) {
    float a = fabs(x);
    float y = __clc_atan_kernel_f32(a > 1.0f ? 1.0f / a : a);
    // pi/2 in two parts.
    y = a > 1.0f ? 1.57079637f - (y + 4.37113883e-08f) : y;
    return __clc_with_sign_f32(y, x);
}

float __clc_atanpi_f32(float x) {
    float a = fabs(x);
    float y = __clc_atan_kernel_f32(a > 1.0f ? 1.0f / a : a) * 0.318309873f;
    return __clc_with_sign_f32(a > 1.0f ? 0.5f - y : y, x);
}

// The smaller of |x| and |y| over the larger; the quotient of infinities is one, that of zeros
// zero.
float __clc_atan2_ratio_f32(float x, float y) {
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    float large = as_float(max(a, b));
    float small = as_float(min(a, b));
    if (max(a, b) == 0x7f800000u) {
        return a == b ? 1.0f : 0.0f;
    }
    if (max(a, b) == 0u) {
        return 0.0f;
    }
    // Subnormal numbers are multiples of the least one; they themselves may be taken for zeros.
    if (max(a, b) < 0x00800000u) {
        return (float)min(a, b) / (float)max(a, b);
    }
    // Divisors from 2^-126 to 2^126 have quotients that are precise.
    float scale = large > 8.50705917e+37f ? 5.9604644775e-08f : 1.0f;
    scale = large < 1.0e-30f ? 1.8446744074e+19f : scale;
    // Quotients near the least normal number, which a device may give as zero, are made larger first.
    bool is_tiny = small < large * 8.271806126e-25f;
    float up = is_tiny ? 1.8446744074e+19f : 1.0f;
    float down = is_tiny ? 5.421010862e-20f : 1.0f;
    return small * up * scale / (large * scale) * down;
}

float __clc_rare_atan2_f32(float y, float x) {
    if (x != x || y != y) {
        return as_float(0x7fc00000u);
    }
    float r = __clc_atan_kernel_f32(__clc_atan2_ratio_f32(x, y));
    if ((as_uint(y) & 0x7fffffffu) > (as_uint(x) & 0x7fffffffu)) {
        r = 1.57079637f - (r + 4.37113883e-08f);
    }
    if (as_uint(x) >> 31 != 0u) {
        r = 3.14159274f - (r + 8.74227766e-08f);
    }
    return __clc_with_sign_f32(r, y);
}

// Unless neither of the magnitudes is special, and the smaller one and the quotient are normal or zero.
bool __clc_atan2_is_rare_f32(uint large, uint small) {
    int least = max((int)large - (80 << 23), 0x00800000);
    return large - 0x0d800000u >= 0x71000000u || ((int)small < least && small != 0u);
}

float __clc_atan2_f32(float y, float x) {
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    uint large = max(a, b);
    uint small = min(a, b);
    float r = __clc_atan_kernel_f32(as_float(small) / as_float(large));
    r = b > a ? 1.57079637f - (r + 4.37113883e-08f) : r;
    r = as_uint(x) >> 31 != 0u ? 3.14159274f - (r + 8.74227766e-08f) : r;
    if (__clc_atan2_is_rare_f32(large, small)) {
        return __clc_rare_atan2_f32(y, x);
    }
    return __clc_with_sign_f32(r, y);
}

float __clc_rare_atan2pi_f32(float y, float x) {
    if (x != x || y != y) {
        return as_float(0x7fc00000u);
    }
    float r = __clc_atan_kernel_f32(__clc_atan2_ratio_f32(x, y)) * 0.318309873f;
    if ((as_uint(y) & 0x7fffffffu) > (as_uint(x) & 0x7fffffffu)) {
        r = 0.5f - r;
    }
    if (as_uint(x) >> 31 != 0u) {
        r = 1.0f - r;
    }
    return __clc_with_sign_f32(r, y);
}

float __clc_atan2pi_f32(float y, float x) {
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    uint large = max(a, b);
    uint small = min(a, b);
    float r = __clc_atan_kernel_f32(as_float(small) / as_float(large)) * 0.318309873f;
    r = b > a ? 0.5f - r : r;
    r = as_uint(x) >> 31 != 0u ? 1.0f - r : r;
    if (__clc_atan2_is_rare_f32(large, small)) {
        return __clc_rare_atan2pi_f32(y, x);
    }
    return __clc_with_sign_f32(r, y);
}

// asin x for |x| <= 1/2, of x and its square.
float __clc_asin_kernel_f32(float x, float z) {
    float p = 0.0422285423f;
    p = mad(p, z, 0.0241421219f);
    p = mad(p, z, 0.0454781279f);
    p = mad(p, z, 0.0749523416f);
    p = mad(p, z, 0.166667536f);
    return x + x * z * p;
}

// Of magnitudes above 1/2, asin x = pi/2 - 2 asin sqrt((1 - x) / 2); NaN beyond one.
float __clc_asin_near_f32(float a, bool is_small) {
    float z = is_small ? a * a : 0.5f - 0.5f * a;
    float root = z > 0.0f ? __clc_root_f32(z) : 0.0f;
    float r = __clc_asin_kernel_f32(is_small ? a : root, z);
    return a <= 1.0f ? r : as_float(0x7fc00000u);
}

float __clc_asin_f32(float x) {
    float a = fabs(x);
    bool is_small = a <= 0.5f;
    float r = __clc_asin_near_f32(a, is_small);
    float y = is_small ? r : 1.57079637f - (2.0f * r + 4.37113883e-08f);
    return __clc_with_sign_f32(y, x);
}

// acos of a magnitude, sqrt(1 - a) P(a), in two factors; none beyond one.
float2 __clc_acos_near_f32(float a) {
    float p = -0.00076211436f;
    p = mad(p, a, 0.0049500237f);
    p = mad(p, a, -0.0147723565f);
    p = mad(p, a, 0.02935158f);
    p = mad(p, a, -0.04965064f);
    p = mad(p, a, 0.08889456f);
    p = mad(p, a, -0.2145937f);
    p = mad(p, a, 1.5707963f);
    float z = 1.0f - a;
    float root = z > 0.0f ? __clc_root_f32(z) : 0.0f;
    return (float2)(a <= 1.0f ? root : as_float(0x7fc00000u), p);
}

float __clc_acos_f32(float x) {
    float2 near = __clc_acos_near_f32(fabs(x));
    // From pi, in two parts, or none.
    float high = x < 0.0f ? 3.14159274f : 0.0f;
    float y = mad(near.x, near.y, high * 2.78275343e-08f);
    return high + (x < 0.0f ? -y : y);
}

float __clc_asinpi_f32(float x) {
    return __clc_asin_f32(x) * 0.318309873f;
}

float __clc_acospi_f32(float x) {
    float2 near = __clc_acos_near_f32(fabs(x));
    float y = near.x * near.y;
    return mad(x < 0.0f ? -0.318309873f : 0.318309873f, y, x < 0.0f ? 1.0f : 0.0f);
}
