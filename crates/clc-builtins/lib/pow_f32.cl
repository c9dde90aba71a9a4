// pow, pown, powr and rootn: 2^(y log2 x), with the logarithm and the product as sums of two
// floats. The first part of a sum that is multiplied has 12 bits, so that products are exact.
// Relies on correctly rounded sums and products, and on division within 2.5 units.

float __clc_first_bits_f32(float x) {
    return as_float(as_uint(x) & 0xfffff000u);
}

// log2 of a positive finite number.
float2 __clc_log2_pair_f32(float x) {
    float2 parts = __clc_log_split_f32(x);
    float f = parts.x;
    // s = f / (2 + f): log m = 2 artanh s.
    float d = f + 2.0f;
    float d_lost = f - (d - 2.0f);
    float inverse = 1.0f / d;
    float s_high = __clc_first_bits_f32(f * inverse);
    float d_high = __clc_first_bits_f32(d);
    float d_low = (d - d_high) + d_lost;
    float s_low = mad(-s_high, d_low, mad(-s_high, d_high, f)) * inverse;
    float s = s_high + s_low;
    float z = s * s;
    float p = 0.117981099f;
    p = mad(p, z, 0.142683044f);
    p = mad(p, z, 0.200001732f);
    p = mad(p, z, 0.333333313f);
    float rest = mad(s * z, p, s_low);
    float high = __clc_first_bits_f32(s_high + rest);
    float low = (s_high - high) + rest;
    // 2 / ln 2 in two parts.
    float first = high * 2.88574219f;
    float second = mad(high, -0.000352105708f, low * 2.88539008f);
    float sum = parts.y + first;
    float lost = parts.y == 0.0f ? 0.0f : first - (sum - parts.y);
    return (float2)(sum, lost + second);
}

// x^(y_high + y_low) for positive finite x; y_high has 12 bits. With `flushes`, results below the normal
// numbers are zeros.
float __clc_power_f32(float x, float y_high, float y_low, bool flushes) {
    float2 log = __clc_log2_pair_f32(x);
    float y = y_high + y_low;
    float high = __clc_first_bits_f32(log.x + log.y);
    float low = (log.x - high) + log.y;
    // Too large for the rest of this, or none, where the result is zero or infinite.
    float product = y_high * high;
    float rest = mad(y_low, high, y * low);
    // Beside 1.5 * 2^23 a sum has no fraction, and its last bits are the integer.
    float sum = (product + rest) + 12582912.0f;
    float k = sum - 12582912.0f;
    float r = (product - k) + rest;
    float near = mad(r, __clc_exp2_tail_f32(r), 1.0f);
    float estimate = y * log.x;
    if (flushes) {
        float power = product + rest >= -126.0f ? __clc_scale_normal_f32(near, sum) : 0.0f;
        power = product + rest < 128.0f ? power : as_float(0x7f800000u);
        return fabs(estimate) < 160.0f ? power : estimate < 0.0f ? 0.0f : as_float(0x7f800000u);
    }
    if (estimate > 130.0f) {
        return as_float(0x7f800000u);
    }
    if (estimate < -152.0f) {
        return 0.0f;
    }
    return __clc_scale_f32(near, (int)k);
}

// 2 if y is an odd integer, 1 if it is an even one, 0 otherwise.
int __clc_integer_kind_f32(float y) {
    uint bits = as_uint(y) & 0x7fffffffu;
    int exponent = (int)(bits >> 23) - 127;
    if (exponent < 0) {
        return bits == 0u;
    }
    if (exponent > 23) {
        return 1;
    }
    uint mantissa = (bits & 0x007fffffu) | 0x00800000u;
    uint fraction = mantissa << (exponent + 8) << 1;
    // For exponent 23 both shifts move everything out, in two steps.
    if (exponent == 23) {
        fraction = 0u;
    }
    if (fraction != 0u) {
        return 0;
    }
    return (mantissa >> (23 - exponent) & 1u) != 0u ? 2 : 1;
}

// Where one of both is zero, infinite or NaN.
float __clc_rare_pow_f32(float x, float y) {
    uint x_bits = as_uint(x) & 0x7fffffffu;
    uint y_bits = as_uint(y) & 0x7fffffffu;
    if (y_bits == 0u || as_uint(x) == 0x3f800000u) {
        return 1.0f;
    }
    if (x_bits > 0x7f800000u || y_bits > 0x7f800000u) {
        return as_float(0x7fc00000u);
    }
    uint y_negative = as_uint(y) >> 31;
    if (y_bits == 0x7f800000u) {
        if (x_bits == 0x3f800000u) {
            return 1.0f;
        }
        return (x_bits > 0x3f800000u) != (y_negative != 0u) ? as_float(0x7f800000u) : 0.0f;
    }
    uint sign = __clc_integer_kind_f32(y) == 2 ? as_uint(x) & 0x80000000u : 0u;
    uint large = (x_bits != 0u) != (y_negative != 0u) ? 0x7f800000u : 0u;
    return as_float(large | sign);
}

float __clc_pow_any_f32(float x, float y, bool flushes) {
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
    float y_high = __clc_first_bits_f32(y);
    float power = __clc_power_f32(as_float(x_bits), y_high, y - y_high, flushes);
    return as_float(as_uint(power) | sign);
}

float __clc_pow_f32(float x, float y) {
    return __clc_pow_any_f32(x, y, false);
}

float __clc_pow_flushed_f32(float x, float y) {
    return __clc_pow_any_f32(x, y, true);
}

float __clc_powr_any_f32(float x, float y, bool flushes) {
    uint x_bits = as_uint(x) & 0x7fffffffu;
    uint y_bits = as_uint(y) & 0x7fffffffu;
    int is_nan = x_bits > 0x7f800000u || y_bits > 0x7f800000u;
    int is_negative = x_bits != 0u && as_uint(x) >> 31 != 0u;
    int is_zero_power = y_bits == 0u && (x_bits == 0u || x_bits == 0x7f800000u);
    int is_one = x_bits == 0x3f800000u && y_bits == 0x7f800000u;
    if (is_nan || is_negative || is_zero_power || is_one) {
        return as_float(0x7fc00000u);
    }
    return __clc_pow_any_f32(as_float(x_bits), y, flushes);
}

float __clc_powr_f32(float x, float y) {
    return __clc_powr_any_f32(x, y, false);
}

float __clc_powr_flushed_f32(float x, float y) {
    return __clc_powr_any_f32(x, y, true);
}

float __clc_pown_f32(float x, int n) {
    uint x_bits = as_uint(x) & 0x7fffffffu;
    if (n == 0) {
        return 1.0f;
    }
    if (x_bits > 0x7f800000u) {
        return x;
    }
    uint sign = (n & 1) != 0 ? as_uint(x) & 0x80000000u : 0u;
    if (x_bits == 0u || x_bits == 0x7f800000u) {
        return as_float(((x_bits != 0u) != (n < 0) ? 0x7f800000u : 0u) | sign);
    }
    float y_high = __clc_first_bits_f32((float)n);
    float y_low = (float)((long)n - (long)y_high);
    return as_float(as_uint(__clc_power_f32(as_float(x_bits), y_high, y_low, false)) | sign);
}

float __clc_rootn_f32(float x, int n) {
    uint x_bits = as_uint(x) & 0x7fffffffu;
    int is_odd = n & 1;
    int is_negative = x_bits != 0u && as_uint(x) >> 31 != 0u;
    if (n == 0 || x_bits > 0x7f800000u || (is_negative && !is_odd)) {
        return as_float(0x7fc00000u);
    }
    uint sign = is_odd ? as_uint(x) & 0x80000000u : 0u;
    if (x_bits == 0u || x_bits == 0x7f800000u) {
        return as_float(((x_bits != 0u) != (n < 0) ? 0x7f800000u : 0u) | sign);
    }
    // The reciprocal in two parts. Where n has more than 12 bits, one part would do.
    float divisor = (float)n;
    float y_high = __clc_first_bits_f32(1.0f / divisor);
    float y_low = (1.0f - y_high * divisor) / divisor;
    return as_float(as_uint(__clc_power_f32(as_float(x_bits), y_high, y_low, false)) | sign);
}
