// log, log2, log10 and log1p: x = 2^k m with m between the square roots of 1/2 and 2, f = m - 1,
// s = f / (2 + f); log m = 2 artanh s = f - (f^2 / 2 - s (f^2 / 2 + R(s^2))).
// Relies on correctly rounded sums and products alone.

int __clc_log_is_special_f64(double x) {
    return as_ulong(x) - 1ul >= 0x7feffffffffffffful;
}

double __clc_log_special_f64(double x) {
    if ((as_ulong(x) & 0x7ffffffffffffffful) == 0ul) {
        return as_double(0xfff0000000000000ul);
    }
    if (x != x || as_ulong(x) == 0x7ff0000000000000ul) {
        return x;
    }
    return as_double(0x7ff8000000000000ul);
}

// m - 1 and k, for positive x.
double2 __clc_log_split_f64(double x) {
    ulong bits = as_ulong(x);
    int k = -1023;
    if (bits < 0x0010000000000000ul) {
        bits = as_ulong((double)bits);
        k = -2097;
    }
    bits += 0x3ff0000000000000ul - 0x3fe6a09e667f3bcdul;
    k += (int)(bits >> 52);
    double m = as_double((bits & 0x000ffffffffffffful) + 0x3fe6a09e667f3bcdul);
    return (double2)(m - 1.0, (double)k);
}

// s (f^2 / 2 + R), given f^2 / 2.
double __clc_log_tail_f64(double f, double square) {
    double s = __clc_quotient_f64(f, 2.0 + f);
    double z = s * s;
    double p = 0.066335603873298718;
    p = mad(p, z, 0.066241910622429886);
    p = mad(p, z, 0.076935838565074299);
    p = mad(p, z, 0.090908869532569492);
    p = mad(p, z, 0.11111111334380937);
    p = mad(p, z, 0.14285714284470111);
    p = mad(p, z, 0.20000000000003351);
    p = mad(p, z, 0.33333333333333331);
    return s * (square + 2.0 * z * p);
}

double __clc_log_f64(double x) {
    if (__clc_log_is_special_f64(x)) {
        return __clc_log_special_f64(x);
    }
    double2 parts = __clc_log_split_f64(x);
    double f = parts.x;
    double k = parts.y;
    double square = 0.5 * f * f;
    double tail = __clc_log_tail_f64(f, square);
    return k * 0.6931471805601177 - ((square - (tail + k * -1.7239444525614835e-13)) - f);
}

// log m as a sum of 26 bits, whose product with 26 bits is exact, and a rest.
double2 __clc_log_pair_f64(double f) {
    double square = 0.5 * f * f;
    double high = as_double(as_ulong(f - square) & 0xfffffffff8000000ul);
    double low = ((f - high) - square) + __clc_log_tail_f64(f, square);
    return (double2)(high, low);
}

double __clc_log2_f64(double x) {
    if (__clc_log_is_special_f64(x)) {
        return __clc_log_special_f64(x);
    }
    double2 parts = __clc_log_split_f64(x);
    double2 pair = __clc_log_pair_f64(parts.x);
    // 1 / ln 2 in two parts.
    double low = pair.y * 1.4426950408889634 + pair.x * -1.0542692476429138e-08;
    return parts.y + (pair.x * 1.4426950514316559 + low);
}

double __clc_log10_f64(double x) {
    if (__clc_log_is_special_f64(x)) {
        return __clc_log_special_f64(x);
    }
    double2 parts = __clc_log_split_f64(x);
    double2 pair = __clc_log_pair_f64(parts.x);
    // 1 / ln 10 and log10 2 in two parts each.
    double low = pair.y * 0.43429448190325182 + pair.x * -2.6524694553078553e-09;
    low += parts.y * -8.5323443170571066e-14;
    return parts.y * 0.30102999566406652 + (pair.x * 0.43429448455572128 + low);
}

double __clc_log1p_f64(double x) {
    if ((as_ulong(x) & 0x7ffffffffffffffful) < 0x3c90000000000000ul) {
        return x;
    }
    if (x > -0.29 && x < 0.41) {
        double square = 0.5 * x * x;
        return x - (square - __clc_log_tail_f64(x, square));
    }
    double sum = 1.0 + x;
    if (__clc_log_is_special_f64(sum)) {
        return __clc_log_special_f64(sum);
    }
    double2 parts = __clc_log_split_f64(sum);
    double f = parts.x;
    double k = parts.y;
    // What the sum lost, which is nothing that counts where the sum is large.
    double lost = x < 1.0 ? x - (sum - 1.0) : 1.0 - (sum - x);
    // It is the last bit of the sum at most, of which a few bits count.
    lost = sum < 1.0e18 ? lost * __clc_near_reciprocal_f64(sum < 1.0e18 ? sum : 1.0) : 0.0;
    double square = 0.5 * f * f;
    double low = __clc_log_tail_f64(f, square) + (k * -1.7239444525614835e-13 + lost);
    return k * 0.6931471805601177 - ((square - low) - f);
}
