// exp, exp10, powers, fmod and remainder on devices whose profile says that fma is rounded once, which gives what a product
// has lost, and that exp2 is within 2.4 units.
// Relies on correctly rounded sums and products, and on division within 2.5 units; exp2 within 3 + 2
// |x| units.
//
// What is subtracted is computed as a negative number where that needs nothing but another constant: devices have
// no fma that subtracts where the signs of zeros count.

// 2^(high - less): y is the power with `high` alone, `less` is small. Not where that is zero or infinite.
float __clc_exp2_difference_fused_f32(float high, float less) {
    float y = exp2(high);
    float corrected = fma(y, less * -0.693147182f, y);
    return fabs(high) < 151.0f && y < as_float(0x7f800000u) ? corrected : y;
}

// The same where powers below the normal numbers are zero: of those from 2^-128 to 2^128 all others are finite.
float __clc_exp2_difference_fused_flushed_f32(float high, float less) {
    float y = exp2(high);
    float corrected = fma(y, less * -0.693147182f, y);
    return fabs(high) < 128.0f ? corrected : y;
}

// x log2 e = high - less.
float2 __clc_exp_parts_fused_f32(float x) {
    float high = x * 1.44269502f;
    return (float2)(high, fma(x, -1.92596303e-08f, fma(x, -1.44269502f, high)));
}

float __clc_exp_fused_f32(float x) {
    float2 parts = __clc_exp_parts_fused_f32(x);
    return __clc_exp2_difference_fused_f32(parts.x, parts.y);
}

float __clc_exp_fused_flushed_f32(float x) {
    float2 parts = __clc_exp_parts_fused_f32(x);
    return __clc_exp2_difference_fused_flushed_f32(parts.x, parts.y);
}

// x log2 10 = high - less.
float2 __clc_exp10_parts_fused_f32(float x) {
    float high = x * 3.32192802f;
    return (float2)(high, fma(x, -7.05953696e-08f, fma(x, -3.32192802f, high)));
}

float __clc_exp10_fused_f32(float x) {
    float2 parts = __clc_exp10_parts_fused_f32(x);
    return __clc_exp2_difference_fused_f32(parts.x, parts.y);
}

float __clc_exp10_fused_flushed_f32(float x) {
    float2 parts = __clc_exp10_parts_fused_f32(x);
    return __clc_exp2_difference_fused_flushed_f32(parts.x, parts.y);
}

// x^y for positive finite x that is not zero and finite y.
float __clc_power_fused_f32(float x, float y) {
    float2 parts = __clc_log_split_f32(x);
    float f = parts.x;
    // s = f / (2 + f): log m = 2 artanh s.
    float d = f + 2.0f;
    float d_lost = f - (d - 2.0f);
    float inverse = 1.0f / d;
    float s = f * inverse;
    float s_low = fma(-s, d_lost, fma(-s, d, f)) * inverse;
    float z = s * s;
    float p = 0.117981099f;
    p = fma(p, z, 0.142683044f);
    p = fma(p, z, 0.200001732f);
    p = fma(p, z, 0.333333313f);
    float rest = fma(s * z, p, s_low);
    float t = s + rest;
    float t_low = (s - t) + rest;
    // Times 2 / ln 2 in two parts, the first of them negative.
    float first = t * -2.88539004f;
    float first_lost = fma(t, 2.88539004f, first);
    float second = fma(t, 3.85192607e-08f, fma(t_low, 2.88539004f, first_lost));
    float sum = parts.y - first;
    float lost = parts.y == 0.0f ? 0.0f : first + (sum - parts.y);
    float low = second - lost;
    float high = y * sum;
    float less = fma(-y, low, fma(-y, sum, high));
    return __clc_exp2_difference_fused_f32(high, less);
}

float __clc_pow_fused_f32(float x, float y) {
    uint x_bits = as_uint(x) & 0x7fffffffu;
    uint y_bits = as_uint(y) & 0x7fffffffu;
    if (x_bits - 1u >= 0x7f7fffffu || y_bits - 1u >= 0x7f7fffffu) {
        return __clc_rare_pow_f32(x, y);
    }
    uint sign = 0u;
    if (as_uint(x) >> 31 != 0u) {
        int kind = __clc_integer_kind_f32(y);
        if (kind == 0) {
            return as_float(0x7fc00000u);
        }
        sign = kind == 2 ? 0x80000000u : 0u;
    }
    return as_float(as_uint(__clc_power_fused_f32(as_float(x_bits), y)) | sign);
}

float __clc_powr_fused_f32(float x, float y) {
    uint x_bits = as_uint(x) & 0x7fffffffu;
    uint y_bits = as_uint(y) & 0x7fffffffu;
    if (as_uint(x) - 1u >= 0x7f7fffffu || y_bits - 1u >= 0x7f7fffffu) {
        return __clc_powr_f32(x, y);
    }
    return __clc_power_fused_f32(as_float(x_bits), y);
}

// The quotient of magnitudes as an integer, and what it leaves, from zero on and below b: the estimate is never too small, so
// that what it leaves fits. For quotients below 2^20.
float2 __clc_divide_fused_f32(float a, float b, float estimate) {
    float quotient = trunc(fma(estimate, 4.76837158e-07f, estimate));
    float rest = fma(-quotient, b, a);
    bool is_above = rest < 0.0f;
    return (float2)(is_above ? quotient - 1.0f : quotient, is_above ? rest + b : rest);
}

// Of other numbers long division is the way.
bool __clc_is_far_fused_f32(float a, float b, float estimate) {
    return !(estimate < 1048576.0f) || as_uint(b) - 0x0d800000u >= 0x71000000u
        || as_uint(a) - 1u < 0x007fffffu;
}

float __clc_fmod_fused_f32(float x, float y) {
    float a = fabs(x);
    float b = fabs(y);
    float estimate = a / b;
    float rest = __clc_divide_fused_f32(a, b, estimate).y;
    if (__clc_is_far_fused_f32(a, b, estimate)) {
        return __clc_rare_fmod_f32(x, y);
    }
    return as_float(as_uint(rest) | (as_uint(x) & 0x80000000u));
}

// The quotient to the nearest integer, even where two are as near, and what it leaves.
float2 __clc_divide_nearest_fused_f32(float a, float b, float estimate) {
    float2 divided = __clc_divide_fused_f32(a, b, estimate);
    float twice = divided.y + divided.y;
    bool is_odd = ((int)divided.x & 1) != 0;
    bool is_above = twice > b || (twice == b && is_odd);
    return is_above ? (float2)(divided.x + 1.0f, divided.y - b) : divided;
}

float __clc_remainder_fused_f32(float x, float y) {
    float a = fabs(x);
    float b = fabs(y);
    float estimate = a / b;
    float rest = __clc_divide_nearest_fused_f32(a, b, estimate).y;
    if (__clc_is_far_fused_f32(a, b, estimate)) {
        return __clc_remainder_f32(x, y);
    }
    return as_float(as_uint(rest) ^ (as_uint(x) & 0x80000000u));
}

int __clc_remquo_quotient_fused_f32(float x, float y) {
    float a = fabs(x);
    float b = fabs(y);
    float estimate = a / b;
    int quotient = (int)__clc_divide_nearest_fused_f32(a, b, estimate).x & 0x7f;
    if (__clc_is_far_fused_f32(a, b, estimate)) {
        return __clc_remquo_quotient_f32(x, y);
    }
    return (as_uint(x) ^ as_uint(y)) >> 31 != 0u ? -quotient : quotient;
}
