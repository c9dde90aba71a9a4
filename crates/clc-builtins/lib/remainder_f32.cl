// fmod, remainder and remquo: long division of the mantissas, eight bits of the quotient at a time.
// Relies on correctly rounded sums and products, and on division within 2.5 units.

// The mantissa as an integer, in the unit of the exponent or of the least normal one.
uint __clc_mantissa_f32(uint magnitude) {
    return (magnitude & 0x007fffffu) | (magnitude >> 23 != 0u ? 0x00800000u : 0u);
}

// The rest of |x| / |y| as an integer times the unit of y, and the low bits of the quotient; both
// finite, y not zero. x and y are magnitudes.
uint2 __clc_divide_bits_f32(uint x, uint y) {
    uint rest = __clc_mantissa_f32(x);
    uint divisor = __clc_mantissa_f32(y);
    // The divisor gets 24 bits.
    int room = (int)clz(divisor) - 8;
    divisor <<= room;
    int left = max((int)(x >> 23), 1) - max((int)(y >> 23), 1) + room;
    uint quotient = 0u;
    float reciprocal = 1.0f / (float)divisor;
    do {
        int step = min(left, 8);
        rest <<= step;
        // Nine bits at most, and off by one.
        uint digits = (uint)((float)rest * reciprocal);
        rest -= digits * divisor;
        bool is_above = (int)rest < 0;
        digits -= is_above ? 1u : 0u;
        rest += is_above ? divisor : 0u;
        bool is_below = rest >= divisor;
        digits += is_below ? 1u : 0u;
        rest -= is_below ? divisor : 0u;
        quotient = (quotient << step) + digits;
        left -= step;
    } while (left > 0);
    return (uint2)(rest >> room, quotient);
}

// An integer below 2^24 times the unit of y, exactly.
uint __clc_in_units_of_f32(uint rest, uint y) {
    int exponent = max((int)(y >> 23), 1);
    // 24 bits where there is room for them; zero stays zero.
    int shift = min((int)clz(rest) - 8, exponent - 1);
    rest <<= shift;
    exponent -= shift;
    return rest < 0x00800000u ? rest : ((uint)(exponent - 1) << 23) + rest;
}

int __clc_has_no_remainder_f32(uint x, uint y) {
    return x >= 0x7f800000u || y > 0x7f800000u || y == 0u;
}

float __clc_rare_fmod_f32(float x, float y) {
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    if (__clc_has_no_remainder_f32(a, b)) {
        return as_float(0x7fc00000u);
    }
    if (a < b) {
        return x;
    }
    uint rest = __clc_in_units_of_f32(__clc_divide_bits_f32(a, b).x, b);
    return as_float(rest | (as_uint(x) & 0x80000000u));
}

float __clc_fmod_f32(float x, float y) {
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    uint exponent = b & 0x7f800000u;
    // The unit of divisors from 2^-103 on is a normal number.
    if (a >= 0x7f800000u || exponent - 0x0c000000u >= 0x73800000u) {
        return __clc_rare_fmod_f32(x, y);
    }
    float unit = as_float(exponent - 0x0b800000u);
    float rest = (float)__clc_divide_bits_f32(max(a, b), b).x * unit;
    return a < b ? x : as_float(as_uint(rest) | (as_uint(x) & 0x80000000u));
}

// The remainder, and as an integer the low bits of the quotient's magnitude.
uint2 __clc_remainder_bits_f32(float x, float y) {
    uint sign = as_uint(x) & 0x80000000u;
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    if (__clc_has_no_remainder_f32(a, b)) {
        return (uint2)(0x7fc00000u, 0u);
    }
    uint divisor = __clc_mantissa_f32(b);
    uint unit = b;
    uint2 divided;
    if (a < b) {
        // In the unit of x. Below a quarter of y nothing is taken away.
        int distance = max((int)(b >> 23), 1) - max((int)(a >> 23), 1);
        if (distance > 1 || b == 0x7f800000u) {
            return (uint2)(as_uint(x), 0u);
        }
        divided = (uint2)(__clc_mantissa_f32(a), 0u);
        divisor <<= distance;
        unit = a;
    } else {
        divided = __clc_divide_bits_f32(a, b);
    }
    uint rest = divided.x;
    uint other = divisor - rest;
    if (rest > other || (rest == other && (divided.y & 1u) != 0u)) {
        rest = other;
        divided.y += 1u;
        sign ^= 0x80000000u;
    }
    if (rest == 0u) {
        sign = as_uint(x) & 0x80000000u;
    }
    return (uint2)(__clc_in_units_of_f32(rest, unit) | sign, divided.y);
}

float __clc_remainder_f32(float x, float y) {
    return as_float(__clc_remainder_bits_f32(x, y).x);
}

// What remquo stores: seven bits of the quotient, with its sign.
int __clc_remquo_quotient_f32(float x, float y) {
    int quotient = (int)(__clc_remainder_bits_f32(x, y).y & 0x7fu);
    return (as_uint(x) ^ as_uint(y)) >> 31 != 0u ? -quotient : quotient;
}
