// log, log2, log10 and log1p: x = 2^k m with m between the square roots of 1/2 and 2, f = m - 1,
// log m = f - f^2 / 2 + f^3 P(f).
// Relies on correctly rounded sums and products alone.

// Zero, negative, infinite and NaN are what logarithms treat apart.
int __clc_log_is_special_f32(float x) {
    return as_uint(x) - 1u >= 0x7f7fffffu;
}

float __clc_log_special_f32(float x) {
    float y = x != x || as_uint(x) == 0x7f800000u ? x : as_float(0x7fc00000u);
    return (as_uint(x) & 0x7fffffffu) == 0u ? as_float(0xff800000u) : y;
}

// `y`, which is the logarithm of x if that is not special. Computed for any x, so that there is no branch.
float __clc_log_any_f32(float x, float y) {
    return __clc_log_is_special_f32(x) ? __clc_log_special_f32(x) : y;
}

// m - 1 and k, for positive x; denormals are read as integers, for a device may not compute with
// them.
float2 __clc_log_split_f32(float x) {
    uint bits = as_uint(x);
    bool is_small = bits < 0x00800000u;
    bits = is_small ? as_uint((float)bits) : bits;
    int k = is_small ? -276 : -127;
    bits += 0x3f800000u - 0x3f3504f3u;
    k += (int)(bits >> 23);
    return (float2)(as_float((bits & 0x007fffffu) + 0x3f3504f3u) - 1.0f, (float)k);
}

// f^3 P(f), with an error of 2^-27 of the logarithm.
float __clc_log_tail_f32(float f) {
    float p = -0.0763480738f;
    p = mad(p, f, 0.127615795f);
    p = mad(p, f, -0.131600618f);
    p = mad(p, f, 0.142017454f);
    p = mad(p, f, -0.166233674f);
    p = mad(p, f, 0.200012282f);
    p = mad(p, f, -0.250008196f);
    p = mad(p, f, 0.333333313f);
    return f * f * f * p;
}

float __clc_log_f32(float x) {
    float2 parts = __clc_log_split_f32(x);
    float f = parts.x;
    float k = parts.y;
    float rest = mad(k, 1.42860677e-06f, __clc_log_tail_f32(f));
    // The square is the only one of the small numbers whose rounding counts.
    return __clc_log_any_f32(x, mad(k, 0.693145752f, f - mad(f, 0.5f * f, -rest)));
}

// (log m - f) / f^2, with an error of 2^-25 of the logarithm.
float __clc_log_part_f32(float f) {
    float p = 0.0873943046f;
    p = mad(p, f, -0.143093601f);
    p = mad(p, f, 0.149169251f);
    p = mad(p, f, -0.165701091f);
    p = mad(p, f, 0.199621513f);
    p = mad(p, f, -0.250017822f);
    p = mad(p, f, 0.333339483f);
    return mad(p, f, -0.499999911f);
}

// Where numbers below the normal ones may be zeros. The exponent stays in its place, and is 2^23 times too large.
float __clc_log_flushed_f32(float x) {
    uint bits = as_uint(x);
    uint exponent = (bits - 0x3f3504f3u) & 0xff800000u;
    float f = as_float(bits - exponent) - 1.0f;
    float y = mad((float)(int)exponent, 8.26295832e-08f, mad(f * __clc_log_part_f32(f), f, f));
    // Below the normal numbers, the bits of a zero.
    uint rare = (bits & 0x7f800000u) == 0u ? 0u : bits;
    return bits - 0x00800000u >= 0x7f000000u ? __clc_log_special_f32(as_float(rare)) : y;
}


float __clc_log2_f32(float x) {
    float2 parts = __clc_log_split_f32(x);
    float f = parts.x;
    // (log2 m - f / ln 2) / f^2, with an error of 2^-25 of the logarithm.
    float p = 0.12579456f;
    p = mad(p, f, -0.20677498f);
    p = mad(p, f, 0.21549292f);
    p = mad(p, f, -0.239017f);
    p = mad(p, f, 0.28795245f);
    p = mad(p, f, -0.3607005f);
    p = mad(p, f, 0.480909f);
    p = mad(p, f, -0.7213474f);
    return __clc_log_any_f32(x, parts.y + mad(f, 1.44269502f, f * f * p));
}

float __clc_log10_f32(float x) {
    float2 parts = __clc_log_split_f32(x);
    float f = parts.x;
    float k = parts.y;
    // (log10 m - f / ln 10) / f^2, with an error of 2^-24.7 of the logarithm.
    float p = 0.038046494f;
    p = mad(p, f, -0.061839975f);
    p = mad(p, f, 0.06459775f);
    p = mad(p, f, -0.072002724f);
    p = mad(p, f, 0.08672146f);
    p = mad(p, f, -0.10857993f);
    p = mad(p, f, 0.14476638f);
    p = mad(p, f, -0.21714722f);
    // log10 2 in two parts.
    float rest = mad(k, 4.60503907e-06f, mad(f, 0.434294492f, f * f * p));
    return __clc_log_any_f32(x, mad(k, 0.301025391f, rest));
}

float __clc_log1p_f32(float x) {
    float sum = 1.0f + x;
    uint exponent = (as_uint(sum) - 0x3f3504f3u) & 0xff800000u;
    // f = 2^-k x + (2^-k - 1), of exact numbers but for what is small beside them. Four times the power is a normal number.
    float power = as_float(0x40800000u - exponent);
    float f = as_float(as_uint(x) - exponent) + mad(power, 0.25f, -1.0f);
    float y = mad((float)(int)exponent, 8.26295832e-08f, mad(f * __clc_log_part_f32(f), f, f));
    y = __clc_log_any_f32(sum, y);
    // Up to 2^-24 the square is less than half a unit.
    return (as_uint(x) & 0x7fffffffu) <= 0x33800000u ? x : y;
}
