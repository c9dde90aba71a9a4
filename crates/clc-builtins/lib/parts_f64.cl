// What takes doubles apart and puts them together, in integers: exact, and with denormals whether
// or not the device computes with them.
// Relies on correctly rounded sums and products alone.

// Of any numbers.
double __clc_rare_ldexp_f64(double x, int n) {
    ulong sign = as_ulong(x) & 0x8000000000000000ul;
    ulong bits = as_ulong(x) & 0x7ffffffffffffffful;
    if (bits == 0ul || bits >= 0x7ff0000000000000ul) {
        return x;
    }
    int exponent = 0;
    if (bits < 0x0010000000000000ul) {
        bits = as_ulong((double)bits);
        exponent = -1074;
    }
    exponent += (int)(bits >> 52) + clamp(n, -5000, 5000);
    ulong mantissa = (bits & 0x000ffffffffffffful) | 0x0010000000000000ul;
    if (exponent >= 2047) {
        return as_double(sign | 0x7ff0000000000000ul);
    }
    if (exponent > 0) {
        return as_double(sign | (((ulong)exponent - 1ul) << 52) + mantissa);
    }
    if (exponent < -53) {
        return as_double(sign);
    }
    // To nearest even.
    ulong shift = (ulong)(1 - exponent);
    ulong kept = mantissa >> shift;
    ulong lost = mantissa - (kept << shift);
    ulong middle = 1ul << (shift - 1ul);
    kept += lost > middle || (lost == middle && (kept & 1ul) != 0ul) ? 1ul : 0ul;
    return as_double(sign | kept);
}

double __clc_ldexp_f64(double x, int n) {
    // Where the exponent stays one of a normal number, whatever n is.
    uint2 words = as_uint2(x);
    uint exponent = words.y >> 20 & 0x7ffu;
    uint sum = exponent + (uint)n;
    double usual = as_double((uint2)(words.x, words.y + ((uint)n << 20)));
    if (exponent - 1u >= 2046u || sum - 1u >= 2046u) {
        return __clc_rare_ldexp_f64(x, n);
    }
    return usual;
}

// The exponent of a finite number that is not zero.
int __clc_exponent_f64(ulong magnitude) {
    int normal = (int)(magnitude >> 52) - 1023;
    int denormal = (int)(as_ulong((double)magnitude) >> 52) - 2097;
    return magnitude < 0x0010000000000000ul ? denormal : normal;
}

int __clc_ilogb_f64(double x) {
    ulong bits = as_ulong(x) & 0x7ffffffffffffffful;
    if (bits == 0ul) {
        return FP_ILOGB0;
    }
    if (bits >= 0x7ff0000000000000ul) {
        return bits == 0x7ff0000000000000ul ? INT_MAX : FP_ILOGBNAN;
    }
    return __clc_exponent_f64(bits);
}

double __clc_logb_f64(double x) {
    ulong bits = as_ulong(x) & 0x7ffffffffffffffful;
    if (bits == 0ul) {
        return as_double(0xfff0000000000000ul);
    }
    return bits >= 0x7ff0000000000000ul ? as_double(bits) : (double)__clc_exponent_f64(bits);
}

// Half way cases away from zero.
double __clc_round_away_f64(double x) {
    double whole = trunc(x);
    double one = as_double(0x3ff0000000000000ul | (as_ulong(x) & 0x8000000000000000ul));
    double up = fabs(x - whole) >= 0.5 ? whole + one : whole;
    ulong sign = as_ulong(x) & 0x8000000000000000ul;
    return as_double((as_ulong(up) & 0x7ffffffffffffffful) | sign);
}

double __clc_nextafter_f64(double x, double y) {
    ulong a = as_ulong(x) & 0x7ffffffffffffffful;
    ulong b = as_ulong(y) & 0x7ffffffffffffffful;
    if (a > 0x7ff0000000000000ul || b > 0x7ff0000000000000ul) {
        return as_double(0x7ff8000000000000ul);
    }
    if (as_ulong(x) == as_ulong(y) || (a | b) == 0ul) {
        return y;
    }
    if (a == 0ul) {
        return as_double((as_ulong(y) & 0x8000000000000000ul) | 1ul);
    }
    ulong x_negative = as_ulong(x) >> 63;
    ulong toward_zero = x_negative != as_ulong(y) >> 63 || b < a;
    return as_double(toward_zero ? as_ulong(x) - 1ul : as_ulong(x) + 1ul);
}

double __clc_fdim_f64(double x, double y) {
    if (x != x || y != y) {
        return as_double(0x7ff8000000000000ul);
    }
    return x > y ? x - y : 0.0;
}

double __clc_fmax_f64(double x, double y) {
    return x != x ? y : (x < y ? y : x);
}

double __clc_fmin_f64(double x, double y) {
    return x != x ? y : (y < x ? y : x);
}

double __clc_maxmag_f64(double x, double y) {
    ulong a = as_ulong(x) & 0x7ffffffffffffffful;
    ulong b = as_ulong(y) & 0x7ffffffffffffffful;
    if (a > 0x7ff0000000000000ul || b > 0x7ff0000000000000ul) {
        return __clc_fmax_f64(x, y);
    }
    // Of two that differ in sign only; a comparison of floats may take both for zero.
    if (a == b) {
        return as_ulong(x) >> 63 != 0ul ? y : x;
    }
    return a > b ? x : y;
}

double __clc_minmag_f64(double x, double y) {
    ulong a = as_ulong(x) & 0x7ffffffffffffffful;
    ulong b = as_ulong(y) & 0x7ffffffffffffffful;
    if (a > 0x7ff0000000000000ul || b > 0x7ff0000000000000ul) {
        return __clc_fmin_f64(x, y);
    }
    // Of two that differ in sign only; a comparison of floats may take both for zero.
    if (a == b) {
        return as_ulong(x) >> 63 != 0ul ? x : y;
    }
    return a < b ? x : y;
}

double __clc_nan_f64(ulong payload) {
    return as_double(0x7ff8000000000000ul | (payload & 0x0007fffffffffffful));
}
