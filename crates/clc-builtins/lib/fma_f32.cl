// fma, exact: of most numbers by sums that lose what is exact too, of any in integers: a product has
// 48 bits, and a sum of two numbers in 62 bits each, of which one may have been shifted far down, keeps
// in its last bit whether something was lost.
// Relies on correctly rounded sums and products alone.

// A finite number as an integer times 2^exponent.
int2 __clc_fma_parts_f32(uint magnitude) {
    int exponent = (int)(magnitude >> 23);
    int mantissa = (int)(magnitude & 0x007fffffu);
    return exponent == 0 ? (int2)(mantissa, -149)
                         : (int2)(mantissa | 0x00800000, exponent - 150);
}

ulong __clc_shift_jam_u64(ulong x, int count) {
    if (count > 63) {
        return x != 0ul;
    }
    ulong kept = x >> count;
    return kept | (ulong)(kept << count != x);
}

// The float nearest to magnitude * 2^exponent, whose last bit stands for all below it.
float __clc_round_f32(ulong magnitude, int exponent, uint sign) {
    int shift = (int)clz(magnitude);
    magnitude <<= shift;
    exponent += 63 + 127 - shift;
    if (exponent >= 255) {
        return as_float(0x7f800000u | sign);
    }
    if (exponent <= 0) {
        magnitude = __clc_shift_jam_u64(magnitude, 1 - exponent);
        exponent = 1;
    }
    uint mantissa = (uint)(magnitude >> 40);
    ulong rest = magnitude << 24;
    uint up = rest > 1ul << 63 || (rest == 1ul << 63 && (mantissa & 1u) != 0u) ? 1u : 0u;
    return as_float((((uint)exponent - 1u) << 23) + mantissa + up | sign);
}

// Of any numbers.
float __clc_rare_fma_f32(float a, float b, float c) {
    uint x = as_uint(a) & 0x7fffffffu;
    uint y = as_uint(b) & 0x7fffffffu;
    uint z = as_uint(c) & 0x7fffffffu;
    if (x == 0u || y == 0u || x >= 0x7f800000u || y >= 0x7f800000u) {
        return z != 0u && x < 0x7f800000u && y < 0x7f800000u ? c : a * b + c;
    }
    if (z >= 0x7f800000u) {
        return c;
    }
    uint product_sign = (as_uint(a) ^ as_uint(b)) & 0x80000000u;
    uint sign = as_uint(c) & 0x80000000u;
    int2 p = __clc_fma_parts_f32(x);
    int2 q = __clc_fma_parts_f32(y);
    int2 r = __clc_fma_parts_f32(z);
    ulong product = (ulong)p.x * (ulong)q.x << 14;
    int exponent = p.y + q.y - 14;
    ulong addend = (ulong)r.x << 38;
    int distance = exponent - (r.y - 38);
    if (addend == 0ul) {
        distance = 0;
    }
    if (distance > 0) {
        addend = __clc_shift_jam_u64(addend, distance);
    } else if (distance < 0) {
        product = __clc_shift_jam_u64(product, -distance);
        exponent = r.y - 38;
    }
    if (sign == product_sign) {
        return __clc_round_f32(product + addend, exponent, sign);
    }
    if (product == addend) {
        return 0.0f;
    }
    return product > addend ? __clc_round_f32(product - addend, exponent, product_sign)
                            : __clc_round_f32(addend - product, exponent, sign);
}

// What a product loses is found by the low words of integers, which is enough for what is that small; the sum, and the sum of
// what both lose, lose what is exact as well. The latter is made odd where it is not exact, so that adding it rounds once
// (Boldo and Melquiond, Emulation of FMA and correctly rounded sums). Not of what is special, and what is so small that
// something would be lost below the normal numbers.
float __clc_fma_f32(float a, float b, float c) {
    float product = a * b;
    uint x = as_uint(a);
    uint y = as_uint(b);
    uint z = as_uint(c);
    uint p = as_uint(product);
    // Exponents stay where they are in the words.
    uint x_exponent = x & 0x7f800000u;
    uint y_exponent = y & 0x7f800000u;
    uint exponents = x_exponent + y_exponent;
    uint m = (x & 0x007fffffu) | 0x00800000u;
    uint n = (y & 0x007fffffu) | 0x00800000u;
    uint q = (p & 0x007fffffu) | 0x00800000u;
    uint shift = ((p & 0x7f800000u) - exponents + (150u << 23)) >> 23;
    int rest = (int)(m * n - (q << (shift & 31u)));
    uint unit = (exponents - (173u << 23)) | (p & 0x80000000u);
    bool is_zero = min(x << 1, y << 1) == 0u;
    float low = (float)rest * as_float(is_zero ? 0u : unit);
    float sum = product + c;
    float part = sum - product;
    float lost = (product - (sum - part)) + (c - part);
    float both = lost + low;
    float low_part = both - lost;
    float over = (lost - (both - low_part)) + (low - low_part);
    uint w = as_uint(both);
    int step = (int)(as_uint(over) ^ w) >> 31 | 1;
    bool is_exact = over == 0.0f || (w & 1u) != 0u;
    float result = sum + as_float(w + (is_exact ? 0u : (uint)step));
    // What is lost is no smaller than the smallest normal number, and no sum is a zero below zero.
    bool is_product_near = (p & 0x7fffffffu) - (50u << 23) < 203u << 23
        && min(x_exponent, y_exponent) != 0u;
    bool is_addend_near = (z & 0x7fffffffu) - (50u << 23) < 203u << 23 || z == 0u;
    if ((!is_product_near && !is_zero) || !is_addend_near) {
        return __clc_rare_fma_f32(a, b, c);
    }
    return result;
}

// For half: a float that becomes the right half when it is rounded again. The product is exact;
// where the sum is not, its last bit is made odd, which says so.
float __clc_fma_f16(float a, float b, float c) {
    float product = a * b;
    float sum = product + c;
    float part = sum - product;
    float lost = (product - (sum - part)) + (c - part);
    uint bits = as_uint(sum);
    if ((lost > 0.0f || lost < 0.0f) && (bits & 1u) == 0u) {
        bits += (lost > 0.0f) == (sum > 0.0f) ? 1u : -1u;
    }
    return as_float(bits);
}
