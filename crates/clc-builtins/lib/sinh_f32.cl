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
    float z = x * x;
    float p = 0.016256383f;
    p = mad(p, z, -0.052579436f);
    p = mad(p, z, 0.13319343f);
    p = mad(p, z, -0.3333289f);
    float small = x * mad(z, p, 1.0f);
    // 1 - 2 / (e^2|x| + 1). From 10 on it is one.
    float twice = a > 10.0f ? 20.0f : 2.0f * a;
    float sum = mad(twice, 1.44269502f, 12582912.0f);
    float rest = __clc_exp_rest_f32(twice, sum - 12582912.0f);
    float power = __clc_scale_normal_f32(__clc_exp_near_f32(rest), sum);
    float y = 1.0f - 2.0f / (power + 1.0f);
    return a >= 0.5625f ? as_float(as_uint(y) | (as_uint(x) & 0x80000000u)) : small;
}

float __clc_asinh_f32(float x) {
    float a = fabs(x);
    // The square of larger ones could be infinite; they are half of what the logarithm is of.
    bool is_large = a >= 1.0e9f;
    float square = a * a;
    float sum = a + square / (1.0f + __clc_sqrt_flushed_f32(1.0f + square));
    float y = __clc_log1p_f32(is_large ? a : sum) + (is_large ? 0.693147182f : 0.0f);
    return as_float(as_uint(y) | (as_uint(x) & 0x80000000u));
}

float __clc_acosh_f32(float x) {
    bool is_large = x >= 1.0e9f;
    float t = x - 1.0f;
    float sum = t + __clc_sqrt_flushed_f32(t * (2.0f + t));
    float y = __clc_log1p_f32(is_large ? x : sum) + (is_large ? 0.693147182f : 0.0f);
    return x < 1.0f ? as_float(0x7fc00000u) : y;
}

float __clc_atanh_f32(float x) {
    float a = fabs(x);
    float twice = 2.0f * a;
    // (1 + x) / (1 - x), less one.
    float y = 0.5f * __clc_log1p_f32(twice + twice * a / (1.0f - a));
    float rare = as_float(a == 1.0f ? 0x7f800000u : 0x7fc00000u);
    return as_float(as_uint(a < 1.0f ? y : rare) | (as_uint(x) & 0x80000000u));
}
