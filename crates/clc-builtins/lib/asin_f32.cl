// asin, acos, atan, atan2 and their pi forms: polynomials on [0, 1/2] and [0, 1], and symmetries.
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

float __clc_atan2_f32(float y, float x) {
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

float __clc_atan2pi_f32(float y, float x) {
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

// asin x for |x| <= 1/2, of x and its square.
float __clc_asin_kernel_f32(float x, float z) {
    float p = 0.0422285423f;
    p = mad(p, z, 0.0241421219f);
    p = mad(p, z, 0.0454781279f);
    p = mad(p, z, 0.0749523416f);
    p = mad(p, z, 0.166667536f);
    return x + x * z * p;
}

float __clc_asin_f32(float x) {
    float a = fabs(x);
    if (a <= 0.5f) {
        return __clc_asin_kernel_f32(x, x * x);
    }
    // asin x = pi/2 - 2 asin sqrt((1 - x) / 2); NaN beyond one.
    float z = 0.5f - 0.5f * a;
    float r = 2.0f * __clc_asin_kernel_f32(__clc_sqrt_flushed_f32(z), z);
    float y = 1.57079637f - (r + 4.37113883e-08f);
    return __clc_with_sign_f32(y, x);
}

float __clc_acos_f32(float x) {
    float a = fabs(x);
    if (a <= 0.5f) {
        return 1.57079637f - (__clc_asin_kernel_f32(x, x * x) + 4.37113883e-08f);
    }
    float z = 0.5f - 0.5f * a;
    float r = 2.0f * __clc_asin_kernel_f32(__clc_sqrt_flushed_f32(z), z);
    return x < 0.0f ? 3.14159274f - (r + 8.74227766e-08f) : r;
}

float __clc_asinpi_f32(float x) {
    return __clc_asin_f32(x) * 0.318309873f;
}

float __clc_acospi_f32(float x) {
    float a = fabs(x);
    if (a <= 0.5f) {
        return 0.5f - __clc_asin_kernel_f32(x, x * x) * 0.318309873f;
    }
    float z = 0.5f - 0.5f * a;
    float r = __clc_asin_kernel_f32(__clc_sqrt_flushed_f32(z), z) * 0.636619747f;
    return x < 0.0f ? 1.0f - r : r;
}
