// exp, exp2, exp10 and expm1: x = k ln 2 + r with |r| <= ln 2 / 2, and a polynomial for r.
// Arguments are limited first, so that the conversion of k is defined; NaN passes through.
// Relies on correctly rounded sums and products alone.

// y * 2^k for y around one. Two factors: 2^k alone may be no normal number.
float __clc_scale_f32(float y, int k) {
    int half_k = k >> 1;
    float first = as_float((uint)(half_k + 127) << 23);
    float second = as_float((uint)(k - half_k + 127) << 23);
    return y * first * second;
}

float __clc_limit_f32(float x, float low, float high) {
    x = x > high ? high : x;
    return x < low ? low : x;
}

// y * 2^k for y around one, and k with which that is normal: k is in the last bits of `sum`.
float __clc_scale_normal_f32(float y, float sum) {
    return as_float(as_uint(y) + (as_uint(sum) << 23));
}

// (e^r - 1 - r) / r^2 for |r| <= 0.35, with an error of 2^-31.
float __clc_exp_tail_f32(float r) {
    float p = 0.000199072136f;
    p = mad(p, r, 0.00139422284f);
    p = mad(p, r, 0.00833328255f);
    p = mad(p, r, 0.0416663401f);
    p = mad(p, r, 0.166666672f);
    return mad(p, r, 0.5f);
}

// 2^r for |r| <= 0.5, less one, over r; with an error of 2^-29.
float __clc_exp2_tail_f32(float r) {
    float p = 0.000154664318f;
    p = mad(p, r, 0.0013400577f);
    p = mad(p, r, 0.00961803365f);
    p = mad(p, r, 0.0555032715f);
    p = mad(p, r, 0.240226507f);
    return mad(p, r, 0.693147182f);
}

// e^r for |r| <= 0.35, with an error of 2^-28.
float __clc_exp_near_f32(float r) {
    float p = 0.00138198247f;
    p = mad(p, r, 0.00836868677f);
    p = mad(p, r, 0.0416682772f);
    p = mad(p, r, 0.166665211f);
    p = mad(p, r, 0.49999994f);
    p = mad(p, r, 1.0f);
    return mad(p, r, 1.0f);
}

// What is left of x beside k ln 2. 15 bits of ln 2: the first product is exact.
float __clc_exp_rest_f32(float x, float k) {
    return mad(k, -1.42860677e-06f, mad(k, -0.693145752f, x));
}

// e^x 2^shift, for shifts of at most one.
float __clc_exp_shifted_f32(float x, int shift) {
    x = __clc_limit_f32(x, -104.0f, 90.0f);
    float k = rint(x * 1.44269502f);
    return __clc_scale_f32(__clc_exp_near_f32(__clc_exp_rest_f32(x, k)), (int)k + shift);
}

float __clc_exp_f32(float x) {
    return __clc_exp_shifted_f32(x, 0);
}

float __clc_exp2_f32(float x) {
    x = __clc_limit_f32(x, -151.0f, 129.0f);
    float k = rint(x);
    float r = x - k;
    return __clc_scale_f32(1.0f + r * __clc_exp2_tail_f32(r), (int)k);
}

// Where results below the normal numbers may be zeros (OpenCL C 7.5.3). `y` is the result of x, if x is
// between the limits.
float __clc_flushed_exp_f32(float x, float y, float least, float limit) {
    y = x >= least ? y : 0.0f;
    return x < limit ? y : x + as_float(0x7f800000u);
}

// Beside 1.5 * 2^23 a sum has no fraction, and its last bits are the integer.
float __clc_exp_flushed_f32(float x) {
    float sum = mad(x, 1.44269502f, 12582912.0f);
    float r = __clc_exp_rest_f32(x, sum - 12582912.0f);
    float y = __clc_scale_normal_f32(__clc_exp_near_f32(r), sum);
    return __clc_flushed_exp_f32(x, y, -87.3365402f, 88.7228394f);
}

float __clc_exp2_flushed_f32(float x) {
    float sum = x + 12582912.0f;
    float r = x - (sum - 12582912.0f);
    float y = __clc_scale_normal_f32(mad(r, __clc_exp2_tail_f32(r), 1.0f), sum);
    return __clc_flushed_exp_f32(x, y, -126.0f, 128.0f);
}

float __clc_exp10_flushed_f32(float x) {
    float sum = mad(x, 3.32192809f, 12582912.0f);
    float k = sum - 12582912.0f;
    float r = mad(k, -4.60503907e-06f, mad(k, -0.301025391f, x));
    float y = __clc_scale_normal_f32(__clc_exp_near_f32(r * 2.30258509f), sum);
    return __clc_flushed_exp_f32(x, y, -37.9297791f, 38.5318413f);
}

float __clc_exp10_f32(float x) {
    x = __clc_limit_f32(x, -46.0f, 39.0f);
    float k = rint(x * 3.32192809f);
    // 15 bits of log10 2.
    float r = mad(k, -4.60503907e-06f, mad(k, -0.301025391f, x));
    return __clc_scale_f32(__clc_exp_near_f32(r * 2.30258509f), (int)k);
}

float __clc_expm1_f32(float x) {
    if ((as_uint(x) & 0x7fffffffu) < 0x33000000u) {
        // Below 2^-25; keeps the sign of zero.
        return x;
    }
    x = __clc_limit_f32(x, -20.0f, 89.0f);
    float k = rint(x * 1.44269502f);
    float r = __clc_exp_rest_f32(x, k);
    float p = mad(r * r, __clc_exp_tail_f32(r), r);
    int n = (int)k;
    if (k >= 25.0f) {
        return __clc_scale_f32(1.0f + p, n);
    }
    float scale = as_float((uint)(n + 127) << 23);
    return scale * p + (scale - 1.0f);
}
