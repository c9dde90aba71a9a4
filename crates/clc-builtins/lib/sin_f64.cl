// sin, cos, tan and their pi forms: x = q pi/2 + r with |r| <= pi/4, and polynomials for r. The whole number q is the lower word
// of a sum with 1.5 * 2^52.
// Relies on correctly rounded sums and products alone.

// Words of 2/pi, the first after the point; the word before them is zero.
ulong __clc_two_over_pi_f64(int index) {
    switch (index) {
    case 0:
        return 0xa2f9836e4e441529ul;
    case 1:
        return 0xfc2757d1f534ddc0ul;
    case 2:
        return 0xdb6295993c439041ul;
    case 3:
        return 0xfe5163abdebbc561ul;
    case 4:
        return 0xb7246e3a424dd2e0ul;
    case 5:
        return 0x06492eea09d1921cul;
    case 6:
        return 0xfe1deb1cb129a73eul;
    case 7:
        return 0xe88235f52ebb4484ul;
    case 8:
        return 0xe99c7026b45f7e41ul;
    case 9:
        return 0x3991d639835339f4ul;
    case 10:
        return 0x9c845f8bbdf9283bul;
    case 11:
        return 0x1ff897ffde05980ful;
    case 12:
        return 0xef2f118b5a0a6d1ful;
    case 13:
        return 0x6d367ecf27cb09b7ul;
    case 14:
        return 0x4f463f669e5fea2dul;
    case 15:
        return 0x7527bac7ebe5f17bul;
    case 16:
        return 0x3d0739f78a5292eaul;
    case 17:
        return 0x6bfb5fb11f8d5d08ul;
    case 18:
        return 0x56033046fc7b6babul;
    default:
        return 0ul;
    }
}

// 64 bits of 2/pi, `shift` bits after the beginning of a word.
ulong __clc_two_over_pi_bits_f64(ulong word, ulong next, uint shift) {
    return shift == 0u ? word : word << shift | next >> (64u - shift);
}

// r and q as one value, and q of such a value: its bits are moved, since conversions take time.
double2 __clc_reduced_f64(double r, uint q) {
    return (double2)(r, as_double((uint2)(q, 0u)));
}

int __clc_quarters_f64(double2 reduced) {
    return as_int2(reduced.y).x;
}

// r and q of large finite x, which is an integer times a power of two: of 2/pi only the
// 192 bits count that are neither multiples of four after multiplication nor too small.
double2 __clc_reduce_large_f64(double x) {
    ulong bits = as_ulong(x);
    ulong mantissa = (bits & 0x000ffffffffffffful) | 0x0010000000000000ul;
    int offset = (int)(bits >> 52 & 0x7fful) - 1077;
    int index = offset >> 6;
    uint shift = (uint)offset & 63u;
    ulong w0 = __clc_two_over_pi_f64(index);
    ulong w1 = __clc_two_over_pi_f64(index + 1);
    ulong w2 = __clc_two_over_pi_f64(index + 2);
    ulong w3 = __clc_two_over_pi_f64(index + 3);
    ulong f0 = __clc_two_over_pi_bits_f64(w0, w1, shift);
    ulong f1 = __clc_two_over_pi_bits_f64(w1, w2, shift);
    ulong f2 = __clc_two_over_pi_bits_f64(w2, w3, shift);
    ulong low = mantissa * f1;
    ulong high = mantissa * f0 + mul_hi(mantissa, f1);
    ulong carry = mul_hi(mantissa, f2);
    low += carry;
    high += low < carry ? 1ul : 0ul;
    // Two bits of quarter turns; the others are a fraction of one, rounded to nearest.
    uint quarter = (uint)(high >> 62);
    high = high << 2 | low >> 62;
    low <<= 2;
    int is_negative = high >> 63 != 0ul;
    if (is_negative) {
        quarter += 1u;
        high = ~high + (low == 0ul ? 1ul : 0ul);
        low = -low;
    }
    int zeros = (int)clz(high);
    if (zeros > 63) {
        high = low;
        low = 0ul;
        zeros = 64 + (int)clz(high | 1ul);
    }
    high = __clc_two_over_pi_bits_f64(high, low, (uint)zeros & 63u);
    // Two parts of 53 and 11 bits, times pi/2 in two parts.
    double first = (double)(high >> 11);
    double second = (double)(high & 0x7fful);
    double scale = as_double((ulong)(1023 - 53 - zeros) << 52);
    double r = first * 1.5707963267948966
        + (first * 6.123233995736766e-17 + second * 0.00076699039394282056);
    r *= scale;
    r = is_negative ? -r : r;
    return bits >> 63 != 0ul ? __clc_reduced_f64(-r, -quarter) : __clc_reduced_f64(r, quarter);
}

// r and q, to which multiples of four may be added.
double2 __clc_reduce_f64(double x) {
    ulong bits = as_ulong(x) & 0x7ffffffffffffffful;
    if (bits >= 0x4130000000000000ul) {
        if (bits >= 0x7ff0000000000000ul) {
            return __clc_reduced_f64(as_double(0x7ff8000000000000ul), 0u);
        }
        return __clc_reduce_large_f64(x);
    }
    // Three parts of pi/2 with 33 bits each, whose products with q are exact, and a rest.
    double sum = mad(x, 0.63661977236758138, 0x1.8p52);
    double q = sum - 0x1.8p52;
    double r = mad(q, -1.5707963267341256, x);
    r = mad(q, -6.077100506303966e-11, r);
    r = mad(q, -2.0222662487111665e-21, r);
    r = mad(q, -8.4784276603688996e-32, r);
    return __clc_reduced_f64(r, as_uint2(sum).x);
}

// For |r| <= pi/4.
double __clc_sin_kernel_f64(double r) {
    double z = r * r;
    double p = -7.5780815969514174e-13;
    p = mad(p, z, 1.6058354363199265e-10);
    p = mad(p, z, -2.5052104816723635e-08);
    p = mad(p, z, 2.7557319213832005e-06);
    p = mad(p, z, -0.00019841269841254389);
    p = mad(p, z, 0.0083333333333333228);
    p = mad(p, z, -0.16666666666666666);
    return mad(r * z, p, r);
}

double __clc_cos_kernel_f64(double r) {
    double z = r * r;
    double p = -1.1358571073290274e-11;
    p = mad(p, z, 2.0875703092204195e-09);
    p = mad(p, z, -2.7557314208685332e-07);
    p = mad(p, z, 2.4801587289002892e-05);
    p = mad(p, z, -0.0013888888888873387);
    p = mad(p, z, 0.041666666666666595);
    return mad(z * z, p, mad(z, -0.5, 1.0));
}

// The sine of r and q quarter turns.
double __clc_sin_quarter_f64(double r, int q) {
    double y = (q & 1) != 0 ? __clc_cos_kernel_f64(r) : __clc_sin_kernel_f64(r);
    return (q & 2) != 0 ? -y : y;
}

// The tangent.
double __clc_tan_quarter_f64(double r, int q) {
    double s = __clc_sin_kernel_f64(r);
    double c = __clc_cos_kernel_f64(r);
    return (q & 1) != 0 ? -__clc_quotient_f64(c, s) : __clc_quotient_f64(s, c);
}

// Of x, which is reduced already, so that several functions of one number share that.
double __clc_sin_f64(double x, double2 reduced) {
    if ((as_ulong(x) & 0x7ffffffffffffffful) < 0x3e40000000000000ul) {
        return x;
    }
    return __clc_sin_quarter_f64(reduced.x, __clc_quarters_f64(reduced));
}

double __clc_cos_f64(double x, double2 reduced) {
    return __clc_sin_quarter_f64(reduced.x, __clc_quarters_f64(reduced) + 1);
}

double __clc_tan_f64(double x, double2 reduced) {
    if ((as_ulong(x) & 0x7ffffffffffffffful) < 0x3e40000000000000ul) {
        return x;
    }
    return __clc_tan_quarter_f64(reduced.x, __clc_quarters_f64(reduced));
}

// x as quarters and a rest of at most an eighth turn, times pi; exact but for the last step.
double2 __clc_reduce_pi_f64(double x) {
    double turn = x - 2.0 * rint(x * 0.5);
    double sum = mad(2.0, turn, 0x1.8p52);
    double r = (turn - 0.5 * (sum - 0x1.8p52)) * 3.1415926535897931;
    return __clc_reduced_f64(r, as_uint2(sum).x & 3u);
}

double __clc_sinpi_f64(double x) {
    double2 reduced = __clc_reduce_pi_f64(x);
    double y = __clc_sin_quarter_f64(reduced.x, __clc_quarters_f64(reduced));
    // Integers keep the sign of x.
    return y == 0.0 ? as_double(as_ulong(x) & 0x8000000000000000ul) : y;
}

double __clc_cospi_f64(double x) {
    double2 reduced = __clc_reduce_pi_f64(x);
    double y = __clc_sin_quarter_f64(reduced.x, __clc_quarters_f64(reduced) + 1);
    return y == 0.0 ? 0.0 : y;
}

double __clc_tanpi_f64(double x) {
    double2 reduced = __clc_reduce_pi_f64(x);
    int q = __clc_quarters_f64(reduced);
    if (fabs(reduced.x) < 0x1.0p-60) {
        // OpenCL C 7.5.1: zeros take the sign of x at even integers, the other one at odd ones;
        // poles are positive after even integers. Near zero the tangent is its argument.
        if (reduced.x != 0.0 && (q & 1) == 0) {
            return reduced.x;
        }
        ulong sign = as_ulong(x) & 0x8000000000000000ul;
        if ((q & 1) != 0) {
            return as_double(q == 1 ? 0x7ff0000000000000ul : 0xfff0000000000000ul);
        }
        return as_double(q == 0 ? sign : sign ^ 0x8000000000000000ul);
    }
    return __clc_tan_quarter_f64(reduced.x, q);
}
