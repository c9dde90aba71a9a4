// Division and roots of doubles on devices whose profile says that fma is rounded once: Markstein's steps, whose last
// one rounds correctly. They are for what is neither too large nor too small for what is left to be exact and for results
// that are normal. Others are brought there by their exponents and take the same steps, in functions that are as short as can be:
// a kernel that divides often has many copies of them, which cost time even where nothing needs them.
// Relies on correctly rounded sums and products; what they begin with is of divide_f64.cl and sqrt_f64.cl.

// Whether a number is not from 2^-range to 2^range; of its upper word all bits but the sign.
bool __clc_is_far_fused_f64(uint magnitude, uint range) {
    return magnitude - ((1023u - range) << 21) >= range << 22;
}

// The bits of a number above zero, normal or not, as if its exponent had no lower end.
ulong __clc_normalised_f64(ulong bits) {
    return bits < 0x0010000000000000ul ? as_ulong((double)bits) - (1074ul << 52) : bits;
}

double __clc_rare_divide_fused_f64(double a, double b) {
    ulong sign = (as_ulong(a) ^ as_ulong(b)) & 0x8000000000000000ul;
    ulong x = as_ulong(a) & 0x7ffffffffffffffful;
    ulong y = as_ulong(b) & 0x7ffffffffffffffful;
    // Of zeros, infinities and what is no number the product of one with the reciprocal of the other.
    double reciprocal = y > 0x7ff0000000000000ul ? as_double(y) : 1.0;
    reciprocal = y == 0x7ff0000000000000ul ? 0.0 : reciprocal;
    reciprocal = y == 0ul ? INFINITY : reciprocal;
    double special = as_double(x) * reciprocal;
    bool is_special = x - 1ul >= 0x7feffffffffffffful || y - 1ul >= 0x7feffffffffffffful;
    // The others are numbers from 1 to 2 times powers of two, and so is the quotient.
    ulong u = __clc_normalised_f64(x);
    ulong v = __clc_normalised_f64(y);
    double m = as_double((u & 0x000ffffffffffffful) | 0x3ff0000000000000ul);
    double d = as_double((v & 0x000ffffffffffffful) | 0x3ff0000000000000ul);
    double r = __clc_near_reciprocal_f64(d);
    double e = fma(-d, r, 1.0);
    r = fma(r, fma(e, e, e), r);
    r = fma(r, fma(-d, r, 1.0), r);
    double q = m * r;
    q = fma(fma(-d, q, m), r, q);
    double rest = fma(-d, q, m);
    int power = (int)((long)u >> 52) - (int)((long)v >> 52);
    int exponent = power + (int)(as_ulong(q) >> 52);
    // One bit more of the mantissa, of which the last says what is left; as many go as the number is too small.
    ulong bits = (as_ulong(q) << 1 & 0x001ffffffffffffeul) | 0x0020000000000000ul;
    bits = rest > 0.0 ? bits + 1ul : rest < 0.0 ? bits - 1ul : bits;
    uint shift = (uint)min(2 - exponent, 60);
    ulong kept = (bits + (1ul << (shift - 1u)) - 1ul + (bits >> shift & 1ul)) >> shift;
    ulong number = as_ulong(q) + ((ulong)power << 52);
    number = exponent >= 2047 ? 0x7ff0000000000000ul : number;
    number = exponent <= 0 ? kept : number;
    return as_double((is_special ? as_ulong(special) : number) | sign);
}

double __clc_usual_divide_fused_f64(double a, double b) {
    // Two steps in one, and one of Newton's. Only the nearest reciprocal makes a quotient near enough: what one that is less
    // refined leaves can have a bit too many.
    double y = __clc_near_reciprocal_f64(b);
    double e = fma(-b, y, 1.0);
    y = fma(y, fma(e, e, e), y);
    y = fma(y, fma(-b, y, 1.0), y);
    double q = a * y;
    q = fma(fma(-b, q, a), y, q);
    // Zero may have lost its sign.
    uint2 quotient = as_uint2(q);
    uint sign = (as_uint2(a).y ^ as_uint2(b).y) & 0x80000000u;
    return as_double((uint2)(quotient.x, quotient.y | sign));
}

bool __clc_is_rare_divide_fused_f64(double a, double b) {
    uint2 dividend = as_uint2(a);
    bool is_zero = (dividend.y << 1 | dividend.x) == 0u;
    bool is_far = __clc_is_far_fused_f64(dividend.y << 1, 600u) && !is_zero;
    bool is_by_far = __clc_is_far_fused_f64(as_uint2(b).y << 1, 400u);
    return is_far || is_by_far;
}

double __clc_divide_fused_f64(double a, double b) {
    double q = __clc_usual_divide_fused_f64(a, b);
    if (__clc_is_rare_divide_fused_f64(a, b)) {
        return __clc_rare_divide_fused_f64(a, b);
    }
    return q;
}

// What the square of a number near 1 / sqrt x times x leaves of one.
double __clc_rest_of_root_fused_f64(double x, double y) {
    return fma(-x * y, y, 1.0);
}

// Whether a number was near, by what it leaves, which is less than 2^-17 then: nothing else must be known of x, which may be of
// any kind. Upper words are in the same order as floats.
bool __clc_is_near_fused_f64(double rest) {
    return fabs(as_float(as_uint2(rest).y)) < as_float((1023u - 17u) << 20);
}

// 1 / sqrt x by a number near it and what that leaves: a step that leaves the third power of the error.
double __clc_reciprocal_root_fused_f64(double y, double rest) {
    return fma(y * rest, fma(rest, 0.375, 0.5), y);
}

// The root by its reciprocal, and a step that rounds it.
double __clc_root_fused_f64(double x, double y) {
    double root = x * y;
    uint2 halved = as_uint2(y) - (uint2)(0u, 0x00100000u);
    return fma(fma(-root, root, x), as_double(halved), root);
}

double __clc_rare_sqrt_fused_f64(double x) {
    ulong bits = __clc_normalised_f64(as_ulong(x));
    // x is m from 1 to 4 times an even power of two.
    ulong odd = (~bits >> 52) & 1ul;
    double m = as_double((bits & 0x000ffffffffffffful) | (odd + 1023ul) << 52);
    double y = __clc_near_rsqrt_f64(m);
    y = __clc_reciprocal_root_fused_f64(y, __clc_rest_of_root_fused_f64(m, y));
    double root = __clc_root_fused_f64(m, y);
    ulong number = as_ulong(root) + ((ulong)((long)(bits - 0x3ff0000000000000ul) >> 53) << 52);
    // Of zero, infinity and what is no number itself.
    bool is_special = as_ulong(x) - 1ul >= 0x7feffffffffffffful;
    double special = as_ulong(x) > 0x8000000000000000ul ? NAN : x;
    return is_special ? special : as_double(number);
}

double __clc_sqrt_fused_f64(double x) {
    double y = __clc_near_rsqrt_f64(x);
    double rest = __clc_rest_of_root_fused_f64(x, y);
    double root = __clc_root_fused_f64(x, __clc_reciprocal_root_fused_f64(y, rest));
    // What the square of the root leaves of numbers below 2^-900 may be no number. The root of zero is zero by the same steps.
    uint2 words = as_uint2(x);
    bool is_large = as_float(words.y) > as_float((1023u - 900u) << 20);
    bool is_zero = ((words.y & 0x7fffffffu) | words.x) == 0u;
    if (is_large & __clc_is_near_fused_f64(rest) | is_zero) {
        return root;
    }
    return __clc_rare_sqrt_fused_f64(x);
}

double __clc_rare_rsqrt_fused_f64(double x) {
    ulong bits = __clc_normalised_f64(as_ulong(x));
    // x is m from 1 to 4 times an even power of two.
    ulong odd = (~bits >> 52) & 1ul;
    double m = as_double((bits & 0x000ffffffffffffful) | (odd + 1023ul) << 52);
    double y = __clc_near_rsqrt_f64(m);
    y = __clc_reciprocal_root_fused_f64(y, __clc_rest_of_root_fused_f64(m, y));
    ulong number = as_ulong(y) - ((ulong)((long)(bits - 0x3ff0000000000000ul) >> 53) << 52);
    bool is_special = as_ulong(x) - 1ul >= 0x7feffffffffffffful;
    ulong special = as_ulong(x) == 0x7ff0000000000000ul ? 0ul : 0x7ff8000000000000ul;
    special = as_ulong(x) << 1 == 0ul ? as_ulong(x) | 0x7ff0000000000000ul : special;
    return as_double(is_special ? special : number);
}

double __clc_rsqrt_fused_f64(double x) {
    double y = __clc_near_rsqrt_f64(x);
    double rest = __clc_rest_of_root_fused_f64(x, y);
    if (__clc_is_near_fused_f64(rest)) {
        return __clc_reciprocal_root_fused_f64(y, rest);
    }
    return __clc_rare_rsqrt_fused_f64(x);
}
