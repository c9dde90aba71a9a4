// fmod, remainder and remquo: long division of the mantissas, 11 bits of the quotient at a time.
// Relies on correctly rounded sums and products alone.

// The mantissa as an integer, in the unit of the exponent or of the least normal one.
ulong __clc_mantissa_f64(ulong magnitude) {
    ulong mantissa = magnitude & 0x000ffffffffffffful;
    return magnitude >> 52 == 0ul ? mantissa : mantissa | 0x0010000000000000ul;
}

// The rest of |x| / |y| as an integer times the unit of y, and the low bits of the quotient; both
// finite, y not zero. x and y are magnitudes.
ulong2 __clc_divide_bits_f64(ulong x, ulong y) {
    int x_exponent = max((int)(x >> 52), 1);
    int y_exponent = max((int)(y >> 52), 1);
    ulong rest = __clc_mantissa_f64(x);
    ulong divisor = __clc_mantissa_f64(y);
    int left = x_exponent - y_exponent;
    ulong quotient = __clc_divide_u64(rest, divisor);
    rest -= quotient * divisor;
    while (left > 0) {
        int step = min(left, 11);
        rest <<= step;
        ulong digits = __clc_divide_u64(rest, divisor);
        rest -= digits * divisor;
        quotient = (quotient << step) + digits;
        left -= step;
    }
    return (ulong2)(rest, quotient);
}

// An integer below 2^53 times the unit of y, exactly.
ulong __clc_in_units_of_f64(ulong rest, ulong y) {
    int exponent = max((int)(y >> 52), 1);
    // 53 bits where there is room for them; zero stays zero.
    int shift = min((int)clz(rest) - 11, exponent - 1);
    rest <<= shift;
    exponent -= shift;
    return rest < 0x0010000000000000ul ? rest : ((ulong)(exponent - 1) << 52) + rest;
}

int __clc_has_no_remainder_f64(ulong x, ulong y) {
    return x >= 0x7ff0000000000000ul || y > 0x7ff0000000000000ul || y == 0ul;
}

double __clc_fmod_f64(double x, double y) {
    ulong a = as_ulong(x) & 0x7ffffffffffffffful;
    ulong b = as_ulong(y) & 0x7ffffffffffffffful;
    if (__clc_has_no_remainder_f64(a, b)) {
        return as_double(0x7ff8000000000000ul);
    }
    if (a < b) {
        return x;
    }
    ulong rest = __clc_in_units_of_f64(__clc_divide_bits_f64(a, b).x, b);
    return as_double(rest | (as_ulong(x) & 0x8000000000000000ul));
}

// The remainder, and as an integer the low bits of the quotient's magnitude.
ulong2 __clc_remainder_bits_f64(double x, double y) {
    ulong sign = as_ulong(x) & 0x8000000000000000ul;
    ulong a = as_ulong(x) & 0x7ffffffffffffffful;
    ulong b = as_ulong(y) & 0x7ffffffffffffffful;
    if (__clc_has_no_remainder_f64(a, b)) {
        return (ulong2)(0x7ff8000000000000ul, 0ul);
    }
    ulong divisor = __clc_mantissa_f64(b);
    ulong unit = b;
    ulong2 divided;
    if (a < b) {
        // In the unit of x. Below a quarter of y nothing is taken away.
        int distance = max((int)(b >> 52), 1) - max((int)(a >> 52), 1);
        if (distance > 1 || b == 0x7ff0000000000000ul) {
            return (ulong2)(as_ulong(x), 0ul);
        }
        divided = (ulong2)(__clc_mantissa_f64(a), 0ul);
        divisor <<= distance;
        unit = a;
    } else {
        divided = __clc_divide_bits_f64(a, b);
    }
    ulong rest = divided.x;
    ulong other = divisor - rest;
    if (rest > other || (rest == other && (divided.y & 1ul) != 0ul)) {
        rest = other;
        divided.y += 1ul;
        sign ^= 0x8000000000000000ul;
    }
    if (rest == 0ul) {
        sign = as_ulong(x) & 0x8000000000000000ul;
    }
    return (ulong2)(__clc_in_units_of_f64(rest, unit) | sign, divided.y);
}

double __clc_remainder_f64(double x, double y) {
    return as_double(__clc_remainder_bits_f64(x, y).x);
}

// What remquo stores: seven bits of the quotient, with its sign.
int __clc_remquo_quotient_f64(double x, double y) {
    int quotient = (int)(__clc_remainder_bits_f64(x, y).y & 0x7ful);
    return (as_ulong(x) ^ as_ulong(y)) >> 63 != 0ul ? -quotient : quotient;
}
