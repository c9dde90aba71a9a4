// Division of doubles. Vulkan asks no more of the instruction for double than of that for float;
// here it is not used at all.
// Relies on correctly rounded sums and products, and on division within 2.5 units.

// 1 / b for |b| from 2^-120 to 2^120, within 1.5 units: two steps of Newton's from float.
double __clc_reciprocal_f64(double b) {
    double y = (double)(1.0f / (float)b);
    y = mad(y, mad(-b, y, 1.0), y);
    return mad(y, mad(-b, y, 1.0), y);
}

// a / b for such b, within 2 units.
double __clc_quotient_f64(double a, double b) {
    double y = __clc_reciprocal_f64(b);
    double q = a * y;
    return mad(mad(-q, b, a), y, q);
}

// Correctly rounded, in integers: what the product of the quotient and the divisor leaves is small,
// so that its low 64 bits are enough.
double __clc_divide_f64(double a, double b) {
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
