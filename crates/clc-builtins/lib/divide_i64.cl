// Division of integers of 64 bits. An NVIDIA driver (580.159) computes one of two quotients where two such instructions have
// one divisor and different dividends, so that no instruction is used but that for 32 bits, which is enough for most numbers.
// Relies on correctly rounded sums and products, and on division within 2.5 units.

// a / b, where one of them has more than 32 bits.
ulong __clc_divide_wide_u64(ulong a, ulong b) {
    // 2^64 / b, by 2^-20 of it too small before the float is rounded four times, by less than 2^-20 together: from above it
    // Newton's steps would not go on.
    float scaled = as_float(0x5f7ffff0u) / mad((float)(uint)(b >> 32), 4294967296.0f, (float)(uint)b);
    float high = floor(scaled * 0x1.0p-32f);
    ulong reciprocal = (ulong)(uint)high << 32 | (uint)(scaled - high * 4294967296.0f);
    // Each step squares what is left to 2^64 / b, in units of that, and cuts off less than one: it is at most 1.5 then.
    reciprocal += mul_hi(reciprocal, (ulong)-b * reciprocal);
    reciprocal += mul_hi(reciprocal, (ulong)-b * reciprocal);
    ulong quotient = mul_hi(a, reciprocal);
    // So that the quotient is too small by two at most.
    ulong rest = a - quotient * b;
    if (rest >= b) {
        quotient++;
        rest -= b;
    }
    return rest >= b ? quotient + 1 : quotient;
}

ulong __clc_divide_u64(ulong a, ulong b) {
    if (((a | b) >> 32) == 0) {
        return (uint)a / (uint)b;
    }
    return __clc_divide_wide_u64(a, b);
}

ulong __clc_remainder_u64(ulong a, ulong b) {
    if (((a | b) >> 32) == 0) {
        return (uint)a % (uint)b;
    }
    return a - __clc_divide_wide_u64(a, b) * b;
}

long __clc_divide_i64(long a, long b) {
    // All ones where they are negative.
    ulong a_sign = (ulong)(a >> 63);
    ulong b_sign = (ulong)(b >> 63);
    ulong sign = a_sign ^ b_sign;
    ulong quotient = __clc_divide_u64(((ulong)a ^ a_sign) - a_sign, ((ulong)b ^ b_sign) - b_sign);
    return (long)((quotient ^ sign) - sign);
}
