// sqrt, correctly rounded, rsqrt, cbrt and hypot.
// Relies on correctly rounded sums and products; rsqrt of normal numbers within 2 units.

// 1 / sqrt x for normal x above zero, with 19 bits: of the upper word's mantissa. It is a little too small for the largest
// mantissa, whose root is half way between two numbers, nearly: what refines it is then rounded to the nearer one.
double __clc_near_rsqrt_f64(double x) {
    uint high = as_uint2(x).y;
    // With the last bit of the exponent: mantissas of even exponents are from 1 to 2, those of odd ones from 1/2 to 1.
    uint mantissa = high & 0x001fffffu;
    uint2 y = __clc_widened_f64(rsqrt(as_float(mantissa * 8u + 0x3f000000u)));
    return as_double((uint2)(y.x, y.y + 0x1fefffffu - ((high - mantissa) >> 1)));
}

// 1 / sqrt x for x from 1 to 4, within 2 units: two steps of Newton's from float.
double __clc_rsqrt_estimate_f64(double x) {
    double y = __clc_near_rsqrt_f64(x);
    y = mad(0.5 * y, mad(-x * y, y, 1.0), y);
    return mad(0.5 * y, mad(-x * y, y, 1.0), y);
}

// sqrt x for normal x above zero, or zero, within a unit: a step that leaves the third power of the error, and one of Newton's.
double __clc_root_f64(double x) {
    double y = __clc_near_rsqrt_f64(x);
    double e = mad(-x * y, y, 1.0);
    y = mad(y * e, mad(e, 0.375, 0.5), y);
    double root = x * y;
    return mad(mad(-root, root, x), 0.5 * y, root);
}

// The integer nearest to the root of m * 2^104, for m from 1 to 4, nearly.
ulong __clc_root_estimate_f64(double m) {
    double y = __clc_rsqrt_estimate_f64(m);
    double root = m * y;
    return as_ulong(mad(mad(-root, root, m), 0.5 * y, root)) - 0x3fe0000000000000ul;
}

// Of any numbers.
double __clc_rare_sqrt_f64(double x) {
    ulong bits = as_ulong(x);
    int exponent = -1023;
    if (bits - 0x0010000000000000ul >= 0x7fe0000000000000ul) {
        if ((bits & 0x7ffffffffffffffful) == 0ul || bits == 0x7ff0000000000000ul || x != x) {
            return x;
        }
        if (bits >> 63 != 0ul) {
            return as_double(0x7ff8000000000000ul);
        }
        bits = as_ulong((double)bits);
        exponent = -2097;
    }
    exponent += (int)(bits >> 52);
    // x is m times 2^exponent, and m from 1 to 4 with an even exponent.
    ulong odd = (ulong)(exponent & 1);
    ulong mantissa = bits & 0x000ffffffffffffful;
    ulong root = __clc_root_estimate_f64(as_double(mantissa | (odd + 1023ul) << 52));
    ulong rest = (mantissa << 52 << odd) - root * root + root - 1ul;
    while (rest >= 2ul * root) {
        if (rest >> 63 != 0ul) {
            root -= 1ul;
            rest += 2ul * root;
        } else {
            rest -= 2ul * root;
            root += 1ul;
        }
    }
    return as_double(((ulong)((exponent >> 1) + 1022) << 52) + root);
}

// Correctly rounded: what the square of the root leaves of m * 2^104 is small, so that the low 64 bits of integers are
// enough to mend the root.
double __clc_sqrt_f64(double x) {
    ulong bits = as_ulong(x);
    // x is m from 1 to 4 times an even power of two.
    ulong odd = (~bits >> 52) & 1ul;
    ulong mantissa = bits & 0x000ffffffffffffful;
    ulong root = __clc_root_estimate_f64(as_double(mantissa | (odd + 1023ul) << 52));
    // A half more would have the square root * (root + 1) + 1/4: this is from zero to two roots if the root is nearest.
    // One step is enough, but for a rounding.
    ulong rest = (mantissa << 52 << odd) - root * root + root - 1ul;
    bool is_off = rest >= 2ul * root;
    bool is_above = rest >> 63 != 0ul;
    rest += is_off ? (is_above ? 2ul * root - 2ul : -(2ul * root)) : 0ul;
    root += is_off ? (is_above ? -1ul : 1ul) : 0ul;
    ulong result = ((((bits >> 52) + 1021ul) >> 1) << 52) + root;
    result = bits == 0ul ? 0ul : result;
    bool is_special = bits - 0x0010000000000000ul >= 0x7fe0000000000000ul && bits != 0ul;
    bool is_farther = rest >= 2ul * root;
    if (is_special || is_farther) {
        return __clc_rare_sqrt_f64(x);
    }
    return as_double(result);
}

double __clc_rsqrt_f64(double x) {
    ulong bits = as_ulong(x);
    int exponent = -1023;
    if (bits - 0x0010000000000000ul >= 0x7fe0000000000000ul) {
        if ((bits & 0x7ffffffffffffffful) == 0ul) {
            return as_double(bits | 0x7ff0000000000000ul);
        }
        if (x != x) {
            return x;
        }
        if (bits == 0x7ff0000000000000ul) {
            return 0.0;
        }
        if (bits >> 63 != 0ul) {
            return as_double(0x7ff8000000000000ul);
        }
        bits = as_ulong((double)bits);
        exponent = -2097;
    }
    exponent += (int)(bits >> 52);
    // x is m times 2^exponent, and m from 1 to 4 with an even exponent.
    ulong m = (bits & 0x000ffffffffffffful) | (ulong)(1023 + (exponent & 1)) << 52;
    return __clc_rsqrt_estimate_f64(as_double(m)) * as_double((ulong)(1023 - (exponent >> 1)) << 52);
}

double __clc_cbrt_f64(double x) {
    ulong sign = as_ulong(x) & 0x8000000000000000ul;
    ulong bits = as_ulong(x) & 0x7ffffffffffffffful;
    if (bits == 0ul || bits >= 0x7ff0000000000000ul) {
        return x;
    }
    int exponent = -1023;
    if (bits < 0x0010000000000000ul) {
        bits = as_ulong((double)bits);
        exponent = -2097;
    }
    exponent += (int)(bits >> 52);
    // exponent = 3 third + rest
    int third = (exponent + 3000) / 3 - 1000;
    int rest = exponent - 3 * third;
    double m = as_double((bits & 0x000ffffffffffffful) | (ulong)(1023 + rest) << 52);
    // The reciprocal of the root of m, from 1 to 8: steps of Newton's in float, then one of third order.
    float seed = (float)m;
    float near = as_float(0x54a2fa8cu - as_uint(seed) / 3u);
    seed *= 0.333333343f;
    near *= 1.33333337f - seed * near * near * near;
    near *= 1.33333337f - seed * near * near * near;
    double r = (double)near;
    double error = mad(-m * r, r * r, 1.0);
    r = mad(r * error, mad(0.22222222222222221, error, 0.33333333333333331), r);
    // The first bits of the root, whose cube is exact in two parts, so that the last step is, too.
    double square = r * r;
    double y = as_double((as_ulong(m * square) + 0x4000000ul) & 0xfffffffff8000000ul);
    double high = as_double(as_ulong(y * y) & 0xfffffffff8000000ul);
    double left = (m - high * y) - (y * y - high) * y;
    y = mad(left * square, 0.33333333333333331, y);
    return as_double((as_ulong(y) + ((ulong)third << 52)) | sign);
}

double __clc_hypot_f64(double x, double y) {
    ulong a = as_ulong(x) & 0x7ffffffffffffffful;
    ulong b = as_ulong(y) & 0x7ffffffffffffffful;
    double large = as_double(max(a, b));
    double small = as_double(min(a, b));
    // Squares are finite, and do not vanish where they count.
    double down = large > 0x1.0p500 ? 0x1.0p-600 : 1.0;
    down = large < 0x1.0p-400 ? 0x1.0p600 : down;
    double up = large > 0x1.0p500 ? 0x1.0p600 : 1.0;
    up = large < 0x1.0p-400 ? 0x1.0p-600 : up;
    large *= down;
    small *= down;
    double root = __clc_root_f64(large * large + small * small) * up;
    // Infinity wins over NaN.
    bool is_infinite = a == 0x7ff0000000000000ul || b == 0x7ff0000000000000ul;
    return is_infinite ? as_double(0x7ff0000000000000ul) : root;
}
