// fma, exact: of most numbers by sums that lose what is exact too, of any in integers: a product has
// 106 bits, and a sum of two numbers in 126 bits each, of which one may have been shifted far down, keeps
// in its last bit whether something was lost.
// Relies on correctly rounded sums and products alone.

// A finite number as an integer and an exponent.
ulong __clc_fma_mantissa_f64(ulong magnitude) {
    ulong mantissa = magnitude & 0x000ffffffffffffful;
    return magnitude >> 52 == 0ul ? mantissa : mantissa | 0x0010000000000000ul;
}

int __clc_fma_exponent_f64(ulong magnitude) {
    return max((int)(magnitude >> 52), 1) - 1075;
}

// The first word is the high one.
ulong2 __clc_shift_jam_u128(ulong2 x, int count) {
    if (count > 127) {
        return (ulong2)(0ul, (x.x | x.y) != 0ul ? 1ul : 0ul);
    }
    if (count > 63) {
        x = (ulong2)(0ul, x.x | (x.y != 0ul ? 1ul : 0ul));
        count -= 64;
    }
    if (count == 0) {
        return x;
    }
    ulong lost = x.y << (64 - count) != 0ul ? 1ul : 0ul;
    return (ulong2)(x.x >> count, x.x << (64 - count) | x.y >> count | lost);
}

// The double nearest to magnitude * 2^exponent.
double __clc_round_f64(ulong2 magnitude, int exponent, ulong sign) {
    if (magnitude.x == 0ul) {
        magnitude = (ulong2)(magnitude.y, 0ul);
        exponent -= 64;
    }
    int shift = (int)clz(magnitude.x);
    ulong high = magnitude.x << shift;
    high |= shift == 0 ? 0ul : magnitude.y >> (64 - shift);
    high |= magnitude.y << shift != 0ul ? 1ul : 0ul;
    exponent += 64 + 63 + 1023 - shift;
    if (exponent >= 2047) {
        return as_double(0x7ff0000000000000ul | sign);
    }
    if (exponent <= 0) {
        high = __clc_shift_jam_u128((ulong2)(0ul, high), 1 - exponent).y;
        exponent = 1;
    }
    ulong mantissa = high >> 11;
    ulong rest = high & 0x7fful;
    ulong up = rest > 0x400ul || (rest == 0x400ul && (mantissa & 1ul) != 0ul) ? 1ul : 0ul;
    return as_double((((ulong)exponent - 1ul) << 52) + mantissa + up | sign);
}

// Of any numbers.
double __clc_rare_fma_f64(double a, double b, double c) {
    ulong x = as_ulong(a) & 0x7ffffffffffffffful;
    ulong y = as_ulong(b) & 0x7ffffffffffffffful;
    ulong z = as_ulong(c) & 0x7ffffffffffffffful;
    ulong infinity = 0x7ff0000000000000ul;
    if (x == 0ul || y == 0ul || x >= infinity || y >= infinity) {
        return z != 0ul && x < infinity && y < infinity ? c : a * b + c;
    }
    if (z >= infinity) {
        return c;
    }
    ulong product_sign = (as_ulong(a) ^ as_ulong(b)) & 0x8000000000000000ul;
    ulong sign = as_ulong(c) & 0x8000000000000000ul;
    // Both with 20 bits of room below the product.
    ulong p = __clc_fma_mantissa_f64(x);
    ulong q = __clc_fma_mantissa_f64(y) << 10;
    p <<= 10;
    ulong2 product = (ulong2)(mul_hi(p, q), p * q);
    int exponent = __clc_fma_exponent_f64(x) + __clc_fma_exponent_f64(y) - 20;
    ulong2 addend = (ulong2)(__clc_fma_mantissa_f64(z) << 9, 0ul);
    int addend_exponent = __clc_fma_exponent_f64(z) - 73;
    int distance = z == 0ul ? 0 : exponent - addend_exponent;
    if (distance > 0) {
        addend = __clc_shift_jam_u128(addend, distance);
    } else if (distance < 0) {
        product = __clc_shift_jam_u128(product, -distance);
        exponent = addend_exponent;
    }
    if (sign == product_sign) {
        ulong low = product.y + addend.y;
        ulong carry = low < addend.y ? 1ul : 0ul;
        return __clc_round_f64((ulong2)(product.x + addend.x + carry, low), exponent, sign);
    }
    if (product.x == addend.x && product.y == addend.y) {
        return 0.0;
    }
    int is_product = product.x > addend.x || (product.x == addend.x && product.y > addend.y);
    ulong2 large = is_product ? product : addend;
    ulong2 small = is_product ? addend : product;
    ulong borrow = large.y < small.y ? 1ul : 0ul;
    ulong2 rest = (ulong2)(large.x - small.x - borrow, large.y - small.y);
    return __clc_round_f64(rest, exponent, is_product ? product_sign : sign);
}

// As for float.
double __clc_fma_f64(double a, double b, double c) {
    double product = a * b;
    uint2 x = as_uint2(a);
    uint2 y = as_uint2(b);
    uint2 z = as_uint2(c);
    uint2 p = as_uint2(product);
    // Exponents stay where they are in the words.
    uint x_exponent = x.y & 0x7ff00000u;
    uint y_exponent = y.y & 0x7ff00000u;
    uint exponents = x_exponent + y_exponent;
    ulong m = as_ulong((uint2)(x.x, (x.y & 0x000fffffu) | 0x00100000u));
    ulong n = as_ulong((uint2)(y.x, (y.y & 0x000fffffu) | 0x00100000u));
    uint shift = ((p.y & 0x7ff00000u) - exponents + (1043u << 20)) >> 20;
    long rest = (long)(m * n - as_ulong((uint2)(0u, p.x << (shift & 31u))));
    uint unit = (exponents - (1127u << 20)) | (p.y & 0x80000000u);
    bool is_zero = min(x.y << 1 | x.x, y.y << 1 | y.x) == 0u;
    double low = (double)rest * as_double((uint2)(0u, is_zero ? 0u : unit));
    double sum = product + c;
    double part = sum - product;
    double lost = (product - (sum - part)) + (c - part);
    double both = lost + low;
    double low_part = both - lost;
    double over = (lost - (both - low_part)) + (low - low_part);
    uint2 w = as_uint2(both);
    uint2 o = as_uint2(over);
    int step = (int)(o.y ^ w.y) >> 31 | 1;
    bool is_exact = o.y << 1 == 0u || (w.x & 1u) != 0u;
    double result = sum + as_double(as_ulong(both) + (ulong)(long)(is_exact ? 0 : step));
    bool is_product_near = (p.y & 0x7fffffffu) - (200u << 20) < 1845u << 20
        && min(x_exponent, y_exponent) != 0u;
    bool is_addend_near = (z.y & 0x7fffffffu) - (200u << 20) < 1845u << 20 || (z.y | z.x) == 0u;
    if ((!is_product_near && !is_zero) || !is_addend_near) {
        return __clc_rare_fma_f64(a, b, c);
    }
    return result;
}
