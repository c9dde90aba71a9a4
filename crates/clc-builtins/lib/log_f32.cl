// log, log2, log10 and log1p: x = 2^k m with m between the square roots of 1/2 and 2, f = m - 1,
// log m = f - f^2 / 2 + f^3 P(f).
// Relies on correctly rounded sums and products, and on division within 2.5 units.

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

// Where numbers below the normal ones may be zeros. The exponent stays in its place, and is 2^23 times too large.
float __clc_log_flushed_f32(float x) {
    uint bits = as_uint(x);
    uint exponent = (bits - 0x3f3504f3u) & 0xff800000u;
    float f = as_float(bits - exponent) - 1.0f;
    // (log m - f) / f^2, with an error of 2^-25 of the logarithm.
    float p = 0.0873943046f;
    p = mad(p, f, -0.143093601f);
    p = mad(p, f, 0.149169251f);
    p = mad(p, f, -0.165701091f);
    p = mad(p, f, 0.199621513f);
    p = mad(p, f, -0.250017822f);
    p = mad(p, f, 0.333339483f);
    p = mad(p, f, -0.499999911f);
    float y = mad((float)(int)exponent, 8.26295832e-08f, mad(f * p, f, f));
    // Below the normal numbers, the bits of a zero.
    uint rare = (bits & 0x7f800000u) == 0u ? 0u : bits;
    return bits - 0x00800000u >= 0x7f000000u ? __clc_log_special_f32(as_float(rare)) : y;
}

// log m as a sum of 12 bits, whose product with 12 bits is exact, and a rest.
float2 __clc_log_pair_f32(float f) {
    float square = 0.5f * f * f;
    float high = as_float(as_uint(f - square) & 0xfffff000u);
    float low = ((f - high) - square) + __clc_log_tail_f32(f);
    return (float2)(high, low);
}

float __clc_log2_f32(float x) {
    float2 parts = __clc_log_split_f32(x);
    float2 pair = __clc_log_pair_f32(parts.x);
    // 1 / ln 2 in two parts.
    float low = pair.y * 1.44287109f + (pair.x + pair.y) * -0.000176052854f;
    return __clc_log_any_f32(x, parts.y + (pair.x * 1.44287109f + low));
}

float __clc_log10_f32(float x) {
    float2 parts = __clc_log_split_f32(x);
    float2 pair = __clc_log_pair_f32(parts.x);
    // 1 / ln 10 and log10 2 in two parts each.
    float low = pair.y * 0.434326172f + (pair.x + pair.y) * -3.16899721e-05f;
    low += parts.y * 4.60503907e-06f;
    return __clc_log_any_f32(x, parts.y * 0.301025391f + (pair.x * 0.434326172f + low));
}

float __clc_log1p_f32(float x) {
    if ((as_uint(x) & 0x7fffffffu) < 0x33000000u) {
        return x;
    }
    if (x > -0.29f && x < 0.41f) {
        return x - (0.5f * x * x - __clc_log_tail_f32(x));
    }
    if (x == -1.0f || __clc_log_is_special_f32(1.0f + x)) {
        return __clc_log_special_f32(1.0f + x);
    }
    float sum = 1.0f + x;
    // What the sum lost.
    float lost = x < 1.0f ? x - (sum - 1.0f) : 1.0f - (sum - x);
    float2 parts = __clc_log_split_f32(sum);
    float f = parts.x;
    float k = parts.y;
    float low = __clc_log_tail_f32(f) + (k * 1.42860677e-06f + lost / sum);
    return k * 0.693145752f - ((0.5f * f * f - low) - f);
}
