// Division of doubles. Vulkan asks no more of the instruction for double than of that for float;
// here it is not used at all.
// Relies on correctly rounded sums and products, and on division within 2.5 units.

// Steps of Newton's begin in float, with 23 bits of a number whose exponent is left out: that of the result is
// the integer's difference. Moving bits takes less time than a conversion.

// The words of a normal float as a double, but for the sign.
uint2 __clc_widened_f64(float x) {
    uint bits = as_uint(x);
    return (uint2)(bits << 29, (bits >> 3) + 0x38000000u);
}

// 1 / b with 19 bits, where both are normal: of the upper word's mantissa. It is a little too large for the largest mantissa,
// whose reciprocal is half way between two numbers, nearly: what refines it is then rounded to the nearer one.
double __clc_near_reciprocal_f64(double b) {
    uint high = as_uint2(b).y;
    // Above the mantissa are the exponents of one in the result and what a float's differs by.
    uint mantissa = (high & 0x000fffffu) | 0x77f00000u;
    float y = 1.0f / as_float(mantissa * 8u - 0x80000000u);
    // The sign goes with the exponent.
    return as_double((uint2)(0xffffffffu, (as_uint(y) >> 3) + mantissa - high));
}

// 1 / b for such b, within 1.5 units: two steps of Newton's.
double __clc_reciprocal_f64(double b) {
    double y = __clc_near_reciprocal_f64(b);
    y = mad(y, mad(-b, y, 1.0), y);
    return mad(y, mad(-b, y, 1.0), y);
}

// a / b for such b, within 2 units.
double __clc_quotient_f64(double a, double b) {
    double y = __clc_reciprocal_f64(b);
    double q = a * y;
    return mad(mad(-q, b, a), y, q);
}

// Of any numbers, by a quotient of 55 bits.
double __clc_rare_divide_f64(double a, double b) {
    ulong sign = (as_ulong(a) ^ as_ulong(b)) & 0x8000000000000000ul;
    ulong x = as_ulong(a) & 0x7ffffffffffffffful;
    ulong y = as_ulong(b) & 0x7ffffffffffffffful;
    if (x > 0x7ff0000000000000ul || y > 0x7ff0000000000000ul || (x == 0ul && y == 0ul)
        || (x == 0x7ff0000000000000ul && y == 0x7ff0000000000000ul)) {
        return as_double(0x7ff8000000000000ul);
    }
    if (x == 0x7ff0000000000000ul || y == 0ul) {
        return as_double(sign | 0x7ff0000000000000ul);
    }
    if (x == 0ul || y == 0x7ff0000000000000ul) {
        return as_double(sign);
    }
    int exponent = 1023;
    if (x < 0x0010000000000000ul) {
        x = as_ulong((double)x);
        exponent -= 1074;
    }
    if (y < 0x0010000000000000ul) {
        y = as_ulong((double)y);
        exponent += 1074;
    }
    exponent += (int)(x >> 52) - (int)(y >> 52);
    ulong m = (x & 0x000ffffffffffffful) | 0x0010000000000000ul;
    ulong d = (y & 0x000ffffffffffffful) | 0x0010000000000000ul;
    if (m < d) {
        m <<= 1;
        exponent -= 1;
    }
    // The quotient with 55 bits, from 2^54.
    double reciprocal = __clc_reciprocal_f64((double)d * 0x1.0p-52) * 0x1.0p-52;
    ulong quotient = (ulong)((double)m * reciprocal * 0x1.0p54);
    long rest = (long)((m << 54) - quotient * d);
    long step = (long)floor((double)rest * reciprocal);
    quotient += (ulong)step;
    rest -= step * (long)d;
    if (rest < 0) {
        quotient -= 1ul;
        rest += (long)d;
    }
    if (rest >= (long)d) {
        quotient += 1ul;
        rest -= (long)d;
    }
    // The last bit says whether something is left.
    quotient = quotient << 1 | (rest != 0 ? 1ul : 0ul);
    if (exponent >= 2047) {
        return as_double(sign | 0x7ff0000000000000ul);
    }
    int shift = 3;
    if (exponent <= 0) {
        shift = min(4 - exponent, 60);
        exponent = 1;
    }
    ulong kept = quotient >> shift;
    ulong lost = quotient - (kept << shift);
    ulong middle = 1ul << (shift - 1);
    kept += lost > middle || (lost == middle && (kept & 1ul) != 0ul) ? 1ul : 0ul;
    return as_double(sign | (((ulong)exponent - 1ul) << 52) + kept);
}

// Correctly rounded: what the product of the quotient and the divisor leaves is small, so that the low
// 64 bits of integers are enough to mend the quotient. Not of what is special, and for quotients that are not normal.
double __clc_divide_f64(double a, double b) {
    uint x_exponent = (uint)(as_ulong(a) >> 52) & 0x7ffu;
    uint y_exponent = (uint)(as_ulong(b) >> 52) & 0x7ffu;
    ulong m = (as_ulong(a) & 0x000ffffffffffffful) | 0x0010000000000000ul;
    ulong d = (as_ulong(b) & 0x000ffffffffffffful) | 0x0010000000000000ul;
    bool is_less = m < d;
    uint exponent = x_exponent - y_exponent + (is_less ? 1021u : 1022u);
    double dividend = as_double(m + (is_less ? 0x3ff0000000000000ul : 0x3fe0000000000000ul));
    m <<= is_less ? 1 : 0;
    // From 1 to 2, as an integer times 2^-52; no quotient is half way between two.
    double estimate = __clc_quotient_f64(dividend, as_double(d + 0x3fe0000000000000ul));
    ulong quotient = as_ulong(estimate) - 0x3fe0000000000000ul;
    // Twice the rest, and a divisor, so that it is from zero to two divisors if the quotient is nearest. One step is
    // enough, but for a rounding.
    ulong twice = 2ul * d;
    ulong rest = 2ul * ((m << 52) - quotient * d) + d;
    bool is_off = rest >= twice;
    bool is_above = rest >> 63 != 0ul;
    quotient += is_off ? (is_above ? -1ul : 1ul) : 0ul;
    rest += is_off ? (is_above ? twice : -twice) : 0ul;
    ulong sign = (as_ulong(a) ^ as_ulong(b)) & 0x8000000000000000ul;
    bool is_zero = (as_ulong(a) & 0x7ffffffffffffffful) == 0ul;
    double result = as_double(sign | (is_zero ? 0ul : quotient + ((ulong)exponent << 52)));
    bool is_special = (x_exponent - 1u >= 2046u || exponent >= 2045u) && !is_zero;
    bool is_by_special = y_exponent - 1u >= 2046u;
    bool is_farther = rest >= twice;
    if (is_special || is_by_special || is_farther) {
        return __clc_rare_divide_f64(a, b);
    }
    return result;
}
