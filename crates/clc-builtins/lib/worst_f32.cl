// For tests only: division and the building blocks of bodies with the largest errors that bodies must
// bear, upwards where __CLC_IS_UP of the operands' bits says so, and mad, rounded once or twice. Relies on double arithmetic as OpenCL
// has it, which is more precise by 29 bits.

// The float with the largest, or the smallest, magnitude that is at most so many units from `exact`. A
// device may give zero for what is below the normal numbers.
float __clc_worst_f32(double exact, double units, bool is_up) {
    ulong bits = as_ulong(exact) & 0x7ffffffffffffffful;
    uint sign = (uint)(as_ulong(exact) >> 32) & 0x80000000u;
    if (bits < 0x3810000000000000ul) {
        return as_float(sign);
    }
    if (bits >= 0x47f0000000000000ul) {
        // Too large for a float, infinite or no number.
        return as_float(bits > 0x7ff0000000000000ul ? 0x7fc00000u : sign | 0x7f800000u);
    }
    double unit = as_double((bits & 0x7ff0000000000000ul) - (23ul << 52));
    double limit = as_double(bits) + (is_up ? units : -units) * unit;
    ulong limit_bits = as_ulong(limit);
    if (limit < 0x1.0p-126) {
        return as_float(sign);
    }
    // Towards `exact`.
    uint result = (uint)((limit_bits >> 29) - (896ul << 23));
    result += !is_up && (limit_bits & 0x1ffffffful) != 0ul ? 1u : 0u;
    return as_float(min(result, 0x7f800000u) | sign);
}

// Nothing is said of divisors beyond 2^126, of which some devices have no reciprocal, nor of those below
// the normal numbers, which a device may take for zeros.
float __clc_worst_divide_f32(float a, float b) {
    uint sign = (as_uint(a) ^ as_uint(b)) & 0x80000000u;
    uint x = as_uint(a) & 0x7fffffffu;
    uint y = as_uint(b) & 0x7fffffffu;
    y = y < 0x00800000u ? 0u : y;
    if (x > 0x7f800000u || y > 0x7f800000u || (x == 0u && y == 0u)
        || (x == 0x7f800000u && y == 0x7f800000u)) {
        return as_float(0x7fc00000u);
    }
    if (x == 0x7f800000u || y == 0u) {
        return as_float(sign | 0x7f800000u);
    }
    if (x == 0u || y > 0x7e800000u) {
        return as_float(sign);
    }
    uint bits = x ^ (y << 9 | y >> 23);
    float quotient = __clc_worst_f32((double)as_float(x) / (double)as_float(y), 2.5, __CLC_IS_UP(bits));
    return as_float(as_uint(quotient) | sign);
}

// Nothing is said of zeros, of negative numbers, nor of those below the normal ones.
float __clc_worst_rsqrt_f32(float x) {
    uint bits = as_uint(x);
    if (bits - 0x00800000u >= 0x7f000000u) {
        return bits == 0x7f800000u ? 0.0f : x != x ? x : 1.0f;
    }
    return __clc_worst_f32(1.0 / sqrt((double)x), 2.0, __CLC_IS_UP(bits));
}

float __clc_worst_exp2_f32(float x) {
    double units = 3.0 + 2.0 * (double)fabs(x);
    return __clc_worst_f32(exp2((double)x), units, __CLC_IS_UP(as_uint(x)));
}

// Nothing is said of negative numbers. The logarithm of zero is relied upon.
float __clc_worst_log2_f32(float x) {
    uint bits = as_uint(x);
    if (bits - 0x00800000u >= 0x7f000000u) {
        uint is_zero = (bits & 0x7fffffffu) < 0x00800000u;
        return is_zero != 0u ? as_float(0xff800000u) : bits == 0x7f800000u || x != x ? x : 1.0f;
    }
    double exact = log2((double)x);
    bool is_up = __CLC_IS_UP(bits);
    if (x < 0.5f || x > 2.0f) {
        return __clc_worst_f32(exact, 3.0, is_up);
    }
    return (float)(exact + (is_up ? 0x1.0p-21 : -0x1.0p-21));
}

float __clc_worst_mad_f32(float a, float b, float c) {
    return __CLC_IS_UP(as_uint(a) ^ as_uint(b)) ? fma(a, b, c) : a * b + c;
}

double __clc_worst_mad_f64(double a, double b, double c) {
    uint bits = (uint)(as_ulong(a) ^ as_ulong(b));
    return __CLC_IS_UP(bits) ? fma(a, b, c) : a * b + c;
}
