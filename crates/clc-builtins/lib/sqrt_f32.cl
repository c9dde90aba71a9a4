// sqrt, rsqrt, cbrt and hypot.
// Relies on correctly rounded sums and products; rsqrt of normal numbers within 2 units; exp2 within 3 + 2
// |x| units; log2 within 3 units, or 2^-21 from 1/2 to 2.

// Of positive normal numbers, within 2 units. x * y is off by what y is off, and by its rounding; the
// product with y is one but for twice the former and once the latter, so that a step of Newton's leaves
// half of the rounding. None of the numbers on the way is too large or too small.
float __clc_root_f32(float x) {
    float y = rsqrt(x);
    float root = x * y;
    return mad(0.5f * root, mad(-root, y, 1.0f), root);
}

// Of what is neither positive nor a number, and of infinity. Numbers below the normal ones are zeros.
float __clc_rare_root_f32(float x) {
    uint bits = as_uint(x);
    float root = x < 0.0f ? as_float(0x7fc00000u) : x;
    return (bits & 0x7f800000u) == 0u ? as_float(bits & 0x80000000u) : root;
}

// Where numbers below the normal ones need not be kept (OpenCL C 7.5.3).
float __clc_sqrt_flushed_f32(float x) {
    return as_uint(x) - 0x00800000u >= 0x7f000000u ? __clc_rare_root_f32(x) : __clc_root_f32(x);
}

float __clc_sqrt_f32(float x) {
    bool is_small = x < 1.17549435e-38f;
    float m = is_small ? x * 16777216.0f : x;
    float root = __clc_sqrt_flushed_f32(m);
    return is_small ? root * 0.000244140625f : root;
}

// Of what is below the normal numbers, which are zeros: GLSL.std.450 leaves InverseSqrt undefined there.
float __clc_rare_rsqrt_f32(float x) {
    return x < 0.0f ? as_float(0x7fc00000u) : as_float((as_uint(x) & 0x80000000u) | 0x7f800000u);
}

// Within 2 units, which rsqrt has for what is not special.
float __clc_rsqrt_flushed_f32(float x) {
    return x < 1.17549435e-38f ? __clc_rare_rsqrt_f32(x) : rsqrt(x);
}

float __clc_rsqrt_f32(float x) {
    bool is_small = x < 1.17549435e-38f;
    float m = is_small ? x * 16777216.0f : x;
    float y = __clc_rsqrt_flushed_f32(m);
    return is_small ? y * 4096.0f : y;
}

// For x from 2^23 to 2^26; the step of Newton's makes up for a poor instruction.
float __clc_rsqrt_estimate_f32(float x) {
    float y = rsqrt(x);
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

// Twice the root of an eighth, of which the cube is not too large. A step of Newton's from what a
// logarithm gives, with the reciprocal of its square.
float __clc_cbrt_f32(float x) {
    float a = as_float(as_uint(x) & 0x7fffffffu);
    bool is_small = a < 8.27180613e-25f;
    float m = a * (is_small ? 35184372088832.0f : 0.125f);
    float logarithm = log2(m);
    float root = exp2(logarithm * 0.333333343f);
    float inverse = exp2(logarithm * -0.666666687f);
    float left = mad(-root * root, root, m);
    root = mad(left * 0.333333343f, inverse, root) * (is_small ? 3.05175781e-05f : 2.0f);
    // Zero, infinity and what is no number.
    root = as_uint(m) - 1u >= 0x7f7fffffu ? m : root;
    return as_float(as_uint(root) | (as_uint(x) & 0x80000000u));
}

float __clc_rare_hypot_f32(float x, float y) {
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
        uint root = (uint)rint(__clc_root_f32(sum));
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
    float root = __clc_root_f32(u * u + v * v);
    uint bits = as_uint(root) + ((exponent - 127u) << 23);
    return as_float(min(bits, 0x7f800000u));
}

float __clc_hypot_f32(float x, float y) {
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    uint large = max(a, b);
    uint exponent = large & 0x7f800000u;
    // The larger becomes a number from 1 to 2, by a power of two.
    float scale = as_float(0x7f000000u - exponent);
    float u = as_float(large) * scale;
    float v = as_float(min(a, b)) * scale;
    float root = __clc_root_f32(u * u + v * v);
    // Beside larger numbers than these, those below the normal ones may be lost.
    if (exponent - (32u << 23) >= 220u << 23) {
        return __clc_rare_hypot_f32(x, y);
    }
    return as_float(as_uint(root) + exponent - 0x3f800000u);
}
