// sqrt, rsqrt, cbrt and hypot.

// What x is multiplied with, so that it is a normal number and no result overflows: a power of four.
float __clc_root_scale_f32(float x) {
    float scale = x > 1.0e30f ? 5.4210108624e-20f : 1.0f;
    return x < 1.0e-30f ? 1.8446744074e+19f : scale;
}

// Within 3 units: native_rsqrt, and a step of Newton's.
float __clc_sqrt_f32(float x) {
    float scale = __clc_root_scale_f32(x);
    float m = x * scale;
    float y = native_rsqrt(m);
    float root = m * y;
    root += 0.5f * y * (m - root * root);
    root *= scale > 1.0f ? 2.3283064365e-10f : (scale < 1.0f ? 4294967296.0f : 1.0f);
    root = m == 0.0f || m == as_float(0x7f800000u) ? x : root;
    return x < 0.0f ? as_float(0x7fc00000u) : root;
}

// Within 2 units, which native_rsqrt has for what is not special.
float __clc_rsqrt_f32(float x) {
    float scale = __clc_root_scale_f32(x);
    float m = x * scale;
    float y = native_rsqrt(m);
    y *= scale > 1.0f ? 4294967296.0f : (scale < 1.0f ? 2.3283064365e-10f : 1.0f);
    y = m == 0.0f ? as_float((as_uint(x) & 0x80000000u) | 0x7f800000u) : y;
    return x < 0.0f ? as_float(0x7fc00000u) : y;
}

// For x from 2^23 to 2^26; the step of Newton's makes up for a poor instruction.
float __clc_rsqrt_estimate_f32(float x) {
    float y = native_rsqrt(x);
    return y * (1.5f - 0.5f * x * y * y);
}

// Correctly rounded, for -cl-fp32-correctly-rounded-divide-sqrt.
float __clc_sqrt_rounded_f32(float x) {
    uint bits = as_uint(x);
    int exponent = -127;
    if (bits - 0x00800000u >= 0x7f000000u) {
        if ((bits & 0x7fffffffu) == 0u || bits == 0x7f800000u || x != x) {
            return x;
        }
        if (bits >> 31 != 0u) {
            return as_float(0x7fc00000u);
        }
        bits = as_uint((float)bits);
        exponent = -276;
    }
    exponent += (int)(bits >> 23);
    // x is the mantissa times 2^(exponent - 23), with an even exponent.
    uint mantissa = ((bits & 0x007fffffu) | 0x00800000u) << (exponent & 1);
    float m = (float)mantissa;
    float y = __clc_rsqrt_estimate_f32(m);
    // The root of mantissa * 2^23, an integer of 24 bits, nearly; what its square leaves is small,
    // so that its low word is enough.
    uint root = (uint)(m * y * 2896.30932f);
    int rest = (int)((mantissa << 23) - root * root);
    int step = (int)rint((float)rest * y * 0.000172633492f);
    root += (uint)step;
    rest = (int)((mantissa << 23) - root * root);
    // Nearest: a half more would have the square root * (root + 1) + 1/4.
    if (rest > (int)root) {
        root += 1u;
    } else if (rest <= -(int)root) {
        root -= 1u;
    }
    return as_float(((uint)((exponent >> 1) + 126) << 23) + root);
}

float __clc_cbrt_f32(float x) {
    uint sign = as_uint(x) & 0x80000000u;
    uint bits = as_uint(x) & 0x7fffffffu;
    if (bits == 0u || bits >= 0x7f800000u) {
        return x;
    }
    int exponent = -127;
    if (bits < 0x00800000u) {
        bits = as_uint((float)bits);
        exponent = -276;
    }
    exponent += (int)(bits >> 23);
    // exponent = 3 third + rest
    int third = (exponent + 300) / 3 - 100;
    int rest = exponent - 3 * third;
    float m = as_float((bits & 0x007fffffu) | (uint)(127 + rest) << 23);
    // A line through the exponents, then steps of Newton's for m from 1 to 8. The last one has a
    // square of 12 bits, which is exact.
    float y = as_float(as_uint(m) / 3u + 0x2a514067u);
    y = 0.333333343f * (2.0f * y + m / (y * y));
    y = 0.333333343f * (2.0f * y + m / (y * y));
    y = as_float((as_uint(y) + 0x800u) & 0xfffff000u);
    float quotient = m / (y * y);
    y += (quotient - y) * 0.333333343f;
    return as_float((as_uint(y) + ((uint)third << 23)) | sign);
}

float __clc_hypot_f32(float x, float y) {
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    uint large = max(a, b);
    uint small = min(a, b);
    if (large >= 0x7f800000u) {
        // Infinity wins over NaN.
        return as_float(a == 0x7f800000u || b == 0x7f800000u ? 0x7f800000u : 0x7fc00000u);
    }
    if (large == 0u) {
        return 0.0f;
    }
    if (large < 0x00800000u) {
        // Both are integers times 2^-149.
        float sum = (float)large * (float)large + (float)small * (float)small;
        uint root = (uint)rint(__clc_sqrt_f32(sum));
        return as_float(root);
    }
    // The larger becomes a number from 1 to 2; a smaller one that vanishes beside it may be lost.
    uint exponent = large >> 23;
    uint distance = exponent - (small >> 23);
    if (distance > 26u) {
        return as_float(large);
    }
    float u = as_float((large & 0x007fffffu) | 0x3f800000u);
    float v = small < 0x00800000u ? (float)small * as_float((105u - exponent) << 23)
                                  : as_float(small + ((127u - exponent) << 23));
    float root = __clc_sqrt_f32(u * u + v * v);
    uint bits = as_uint(root) + ((exponent - 127u) << 23);
    return as_float(min(bits, 0x7f800000u));
}
