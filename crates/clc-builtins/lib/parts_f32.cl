// What takes floats apart and puts them together, in integers: exact, and with denormals whether or
// not the device computes with them.
// Relies on correctly rounded sums and products, and on division within 2.5 units.

// Of any numbers.
float __clc_rare_ldexp_f32(float x, int n) {
    uint sign = as_uint(x) & 0x80000000u;
    uint bits = as_uint(x) & 0x7fffffffu;
    if (bits == 0u || bits >= 0x7f800000u) {
        return x;
    }
    int exponent = 0;
    if (bits < 0x00800000u) {
        bits = as_uint((float)bits);
        exponent = -149;
    }
    exponent += (int)(bits >> 23) + clamp(n, -1000, 1000);
    uint mantissa = (bits & 0x007fffffu) | 0x00800000u;
    if (exponent >= 255) {
        return as_float(sign | 0x7f800000u);
    }
    if (exponent > 0) {
        return as_float(sign | (((uint)exponent - 1u) << 23) + mantissa);
    }
    if (exponent < -24) {
        return as_float(sign);
    }
    // To nearest even.
    uint shift = (uint)(1 - exponent);
    uint kept = mantissa >> shift;
    uint lost = mantissa - (kept << shift);
    uint middle = 1u << (shift - 1u);
    kept += lost > middle || (lost == middle && (kept & 1u) != 0u) ? 1u : 0u;
    return as_float(sign | kept);
}

float __clc_ldexp_f32(float x, int n) {
    // Where the exponent stays one of a normal number, whatever n is.
    uint exponent = as_uint(x) >> 23 & 0xffu;
    uint sum = exponent + (uint)n;
    float usual = as_float(as_uint(x) + ((uint)n << 23));
    if (exponent - 1u >= 254u || sum - 1u >= 254u) {
        return __clc_rare_ldexp_f32(x, n);
    }
    return usual;
}

// The exponent of a finite number that is not zero.
int __clc_exponent_f32(uint magnitude) {
    int normal = (int)(magnitude >> 23) - 127;
    int denormal = (int)(as_uint((float)magnitude) >> 23) - 276;
    return magnitude < 0x00800000u ? denormal : normal;
}

int __clc_ilogb_f32(float x) {
    uint bits = as_uint(x) & 0x7fffffffu;
    if (bits == 0u) {
        return FP_ILOGB0;
    }
    if (bits >= 0x7f800000u) {
        return bits == 0x7f800000u ? INT_MAX : FP_ILOGBNAN;
    }
    return __clc_exponent_f32(bits);
}

float __clc_logb_f32(float x) {
    uint bits = as_uint(x) & 0x7fffffffu;
    if (bits == 0u) {
        return as_float(0xff800000u);
    }
    return bits >= 0x7f800000u ? as_float(bits) : (float)__clc_exponent_f32(bits);
}

// Half way cases away from zero.
float __clc_round_away_f32(float x) {
    float whole = trunc(x);
    float one = as_float(0x3f800000u | (as_uint(x) & 0x80000000u));
    float up = fabs(x - whole) >= 0.5f ? whole + one : whole;
    return as_float((as_uint(up) & 0x7fffffffu) | (as_uint(x) & 0x80000000u));
}

float __clc_nextafter_f32(float x, float y) {
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    if (a > 0x7f800000u || b > 0x7f800000u) {
        return as_float(0x7fc00000u);
    }
    if (as_uint(x) == as_uint(y) || (a | b) == 0u) {
        return y;
    }
    if (a == 0u) {
        return as_float((as_uint(y) & 0x80000000u) | 1u);
    }
    uint x_negative = as_uint(x) >> 31;
    uint toward_zero = x_negative != as_uint(y) >> 31 || b < a;
    return as_float(toward_zero ? as_uint(x) - 1u : as_uint(x) + 1u);
}

// For half, in numbers that are halves.
float __clc_nextafter_f16(float x, float y) {
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    if (a > 0x7f800000u || b > 0x7f800000u) {
        return as_float(0x7fc00000u);
    }
    if (as_uint(x) == as_uint(y) || (a | b) == 0u) {
        return y;
    }
    if (a == 0u) {
        return as_float((as_uint(y) & 0x80000000u) | 0x33800000u);
    }
    uint sign = as_uint(x) & 0x80000000u;
    int toward_zero = sign != (as_uint(y) & 0x80000000u) || b < a;
    // 2^-24 between subnormal numbers and up to 2^-14, then 10 bits of the fraction.
    if (a < 0x38800000u || (toward_zero && a == 0x38800000u)) {
        float step = as_float(0x33800000u);
        float next = as_float(a) + (toward_zero ? -step : step);
        return as_float(as_uint(next) | sign);
    }
    if (a == 0x7f800000u) {
        return as_float(0x477fe000u | sign);
    }
    return as_float(toward_zero ? as_uint(x) - 0x2000u : as_uint(x) + 0x2000u);
}

float __clc_fdim_f32(float x, float y) {
    if (x != x || y != y) {
        return as_float(0x7fc00000u);
    }
    return x > y ? x - y : 0.0f;
}

float __clc_fmax_f32(float x, float y) {
    return x != x ? y : (x < y ? y : x);
}

float __clc_fmin_f32(float x, float y) {
    return x != x ? y : (y < x ? y : x);
}

float __clc_maxmag_f32(float x, float y) {
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    if (a > 0x7f800000u || b > 0x7f800000u) {
        return __clc_fmax_f32(x, y);
    }
    // Of two that differ in sign only; a comparison of floats may take both for zero.
    if (a == b) {
        return as_uint(x) >> 31 != 0u ? y : x;
    }
    return a > b ? x : y;
}

float __clc_minmag_f32(float x, float y) {
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    if (a > 0x7f800000u || b > 0x7f800000u) {
        return __clc_fmin_f32(x, y);
    }
    // Of two that differ in sign only; a comparison of floats may take both for zero.
    if (a == b) {
        return as_uint(x) >> 31 != 0u ? x : y;
    }
    return a < b ? x : y;
}

float __clc_nan_f32(uint payload) {
    return as_float(0x7fc00000u | (payload & 0x003fffffu));
}

// For half, whose quotients are rounded from these.
float __clc_divide_f32(float x, float y) {
    return x / y;
}

// The instruction for divisors up to 2^126: of larger ones the reciprocal is below the normal numbers,
// and devices may flush it. For where they may flush arguments and results, too.
float __clc_divide_flushed_f32(float x, float y) {
    float scale = fabs(y) > 0x1p+126f ? 0x1p-4f : 1.0f;
    return x / (y * scale) * scale;
}

// Correctly rounded, for -cl-fp32-correctly-rounded-divide-sqrt, in integers: what the product of the
// quotient and the divisor leaves is small, so that its low 32 bits are enough.
float __clc_divide_rounded_f32(float a, float b) {
    uint sign = (as_uint(a) ^ as_uint(b)) & 0x80000000u;
    uint x = as_uint(a) & 0x7fffffffu;
    uint y = as_uint(b) & 0x7fffffffu;
    if (x > 0x7f800000u || y > 0x7f800000u || (x == 0u && y == 0u)
        || (x == 0x7f800000u && y == 0x7f800000u)) {
        return as_float(0x7fc00000u);
    }
    if (x == 0x7f800000u || y == 0u) {
        return as_float(sign | 0x7f800000u);
    }
    if (x == 0u || y == 0x7f800000u) {
        return as_float(sign);
    }
    int exponent = 127;
    if (x < 0x00800000u) {
        x = as_uint((float)x);
        exponent -= 149;
    }
    if (y < 0x00800000u) {
        y = as_uint((float)y);
        exponent += 149;
    }
    exponent += (int)(x >> 23) - (int)(y >> 23);
    uint m = (x & 0x007fffffu) | 0x00800000u;
    uint d = (y & 0x007fffffu) | 0x00800000u;
    if (m < d) {
        m <<= 1;
        exponent -= 1;
    }
    // The quotient with 26 bits, from 2^25.
    uint quotient = (uint)((float)m / (float)d * 33554432.0f);
    int rest = (int)((m << 25) - quotient * d);
    int step = (int)floor((float)rest / (float)d);
    quotient += (uint)step;
    rest -= step * (int)d;
    if (rest < 0) {
        quotient -= 1u;
        rest += (int)d;
    }
    if (rest >= (int)d) {
        quotient += 1u;
        rest -= (int)d;
    }
    // The last bit says whether something is left.
    quotient = quotient << 1 | (rest != 0 ? 1u : 0u);
    if (exponent >= 255) {
        return as_float(sign | 0x7f800000u);
    }
    int shift = 3;
    if (exponent <= 0) {
        shift = min(4 - exponent, 31);
        exponent = 1;
    }
    uint kept = quotient >> shift;
    uint lost = quotient - (kept << shift);
    uint middle = 1u << (shift - 1);
    kept += lost > middle || (lost == middle && (kept & 1u) != 0u) ? 1u : 0u;
    return as_float(sign | (((uint)exponent - 1u) << 23) + kept);
}

// Within 2.5 units, and right where the instruction gives nothing or zero: below the normal numbers,
// which it may flush, and for divisors whose reciprocals are there, or whose reciprocals are too large.
float __clc_divide_denormal_f32(float a, float b) {
    float quotient = a / b;
    uint q = as_uint(quotient) & 0x7fffffffu;
    uint y = as_uint(b) & 0x7fffffffu;
    // From 2^-125 on and finite; from 2^-126 to 2^126.
    if (q - 0x01000000u < 0x7e800000u && y - 0x00800000u <= 0x7e000000u) {
        return quotient;
    }
    return __clc_divide_rounded_f32(a, b);
}
