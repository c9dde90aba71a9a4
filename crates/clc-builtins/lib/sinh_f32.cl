// sinh, cosh, tanh and their inverses.
// Relies on correctly rounded sums and products, and on division within 2.5 units.

float __clc_sinh_f32(float x) {
    float a = fabs(x);
    if (a < 1.0f) {
        float z = x * x;
        float p = 2.81805796e-06f;
        p = mad(p, z, 0.000198359616f);
        p = mad(p, z, 0.00833335146f);
        p = mad(p, z, 0.166666672f);
        return x + x * z * p;
    }
    // Half of e^|x|, which may exist where e^|x| is too large.
    float half_exp = __clc_exp_shifted_f32(a, -1);
    float y = half_exp - 0.25f / half_exp;
    return x < 0.0f ? -y : y;
}

float __clc_cosh_f32(float x) {
    float half_exp = __clc_exp_shifted_f32(fabs(x), -1);
    return half_exp + 0.25f / half_exp;
}

float __clc_tanh_f32(float x) {
    float a = fabs(x);
    if (a < 0.54f) {
        float z = x * x;
        float p = -0.00629961817f;
        p = mad(p, z, 0.0210890491f);
        p = mad(p, z, -0.0538563877f);
        p = mad(p, z, 0.133326232f);
        p = mad(p, z, -0.333333194f);
        return x * (1.0f + z * p);
    }
    // (h - 1/2) / (h + 1/2), or 1 - 1 / (h + 1/2) where that counts an error of the quotient for less.
    // From 10 on it is one.
    float half_exp = __clc_exp_shifted_f32(a > 10.0f ? 20.0f : 2.0f * a, -1);
    bool is_small = a < 1.0f;
    float quotient = (is_small ? half_exp - 0.5f : 1.0f) / (half_exp + 0.5f);
    float y = is_small ? quotient : 1.0f - quotient;
    return x < 0.0f ? -y : y;
}

float __clc_asinh_f32(float x) {
    float a = fabs(x);
    float y;
    if (a < 0.5f) {
        float z = x * x;
        float p = -0.0132457893f;
        p = mad(p, z, 0.0281743072f);
        p = mad(p, z, -0.0443856381f);
        p = mad(p, z, 0.0749866143f);
        p = mad(p, z, -0.166666433f);
        return x * (1.0f + z * p);
    }
    if (a < 4096.0f) {
        float square = a * a;
        y = __clc_log1p_f32(a + square / (1.0f + __clc_sqrt_flushed_f32(1.0f + square)));
    } else {
        y = __clc_log_f32(a) + 0.693147182f;
    }
    return x < 0.0f ? -y : y;
}

float __clc_acosh_f32(float x) {
    if (x < 1.0f) {
        return as_float(0x7fc00000u);
    }
    if (x < 4096.0f) {
        float t = x - 1.0f;
        return __clc_log1p_f32(t + __clc_sqrt_flushed_f32(t * (2.0f + t)));
    }
    return __clc_log_f32(x) + 0.693147182f;
}

float __clc_atanh_f32(float x) {
    float a = fabs(x);
    if (a < 0.5f) {
        float z = x * x;
        float p = 0.17725949f;
        p = mad(p, z, 0.0509425364f);
        p = mad(p, z, 0.118350424f);
        p = mad(p, z, 0.142213643f);
        p = mad(p, z, 0.200025931f);
        p = mad(p, z, 0.333332986f);
        return x + x * z * p;
    }
    if (a >= 1.0f) {
        return as_float(a == 1.0f ? as_uint(x) | 0x7f800000u : 0x7fc00000u);
    }
    float y = 0.5f * __clc_log1p_f32(2.0f * a / (1.0f - a));
    return x < 0.0f ? -y : y;
}
