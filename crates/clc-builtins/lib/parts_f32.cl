// What takes floats apart and puts them together, in integers: exact, and with denormals whether or
// not the device computes with them.

float __clc_ldexp_f32(float x, int n) {
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

float __clc_frexp_f32(float x) {
    uint bits = as_uint(x) & 0x7fffffffu;
    if (bits == 0u || bits >= 0x7f800000u) {
        return x;
    }
    uint normal = bits < 0x00800000u ? as_uint((float)bits) : bits;
    return as_float((normal & 0x007fffffu) | 0x3f000000u | (as_uint(x) & 0x80000000u));
}

int __clc_frexp_exponent_f32(float x) {
    uint bits = as_uint(x) & 0x7fffffffu;
    return bits == 0u || bits >= 0x7f800000u ? 0 : __clc_exponent_f32(bits) + 1;
}

// Half way cases away from zero.
float __clc_round_away_f32(float x) {
    float whole = trunc(x);
    float one = as_float(0x3f800000u | (as_uint(x) & 0x80000000u));
    float up = fabs(x - whole) >= 0.5f ? whole + one : whole;
    return as_float((as_uint(up) & 0x7fffffffu) | (as_uint(x) & 0x80000000u));
}

float __clc_modf_f32(float x) {
    uint sign = as_uint(x) & 0x80000000u;
    if ((as_uint(x) & 0x7fffffffu) == 0x7f800000u) {
        return as_float(sign);
    }
    float fraction = x - trunc(x);
    return x != x ? x : as_float((as_uint(fraction) & 0x7fffffffu) | sign);
}

// trunc; NaN stays what it is.
float __clc_modf_whole_f32(float x) {
    return trunc(x);
}

float __clc_fract_f32(float x) {
    if ((as_uint(x) & 0x7fffffffu) == 0x7f800000u) {
        return as_float(as_uint(x) & 0x80000000u);
    }
    if ((as_uint(x) & 0x7fffffffu) == 0u || x != x) {
        return x;
    }
    float fraction = x - floor(x);
    return fraction < 1.0f ? fraction : 0.99999994f;
}

float __clc_fract_whole_f32(float x) {
    return floor(x);
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

float __clc_copysign_f32(float x, float y) {
    return as_float((as_uint(x) & 0x7fffffffu) | (as_uint(y) & 0x80000000u));
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
    if (a > 0x7f800000u || b > 0x7f800000u || a == b) {
        return __clc_fmax_f32(x, y);
    }
    return a > b ? x : y;
}

float __clc_minmag_f32(float x, float y) {
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    if (a > 0x7f800000u || b > 0x7f800000u || a == b) {
        return __clc_fmin_f32(x, y);
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
