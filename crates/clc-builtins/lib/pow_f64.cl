// pow, pown, powr and rootn: 2^(y log2 x), with the logarithm and the product as sums of two
// doubles. The first part of a sum that is multiplied has 26 bits, so that products are exact.
// Relies on correctly rounded sums and products alone.

double __clc_first_bits_f64(double x) {
    return as_double(as_ulong(x) & 0xfffffffff8000000ul);
}

// log2 of a positive finite number.
double2 __clc_log2_pair_f64(double x) {
    double2 parts = __clc_log_split_f64(x);
    double f = parts.x;
    // s = f / (2 + f): log m = 2 artanh s = 2 (s + s^3 / 3 + ...).
    double d = f + 2.0;
    double d_lost = f - (d - 2.0);
    double reciprocal = __clc_reciprocal_f64(d);
    double s_high = __clc_first_bits_f64(f * reciprocal);
    double d_high = __clc_first_bits_f64(d);
    double d_low = (d - d_high) + d_lost;
    double s_low = ((f - s_high * d_high) - s_high * d_low) * reciprocal;
    double s = s_high + s_low;
    // The cube, and a third of it.
    double square = s_high * s_high;
    double z_high = __clc_first_bits_f64(square);
    double z_low = (square - z_high) + s_low * (s_high + s);
    double cube = z_high * s_high;
    double cube_low = z_low * s + z_high * s_low;
    double cube_high = __clc_first_bits_f64(cube);
    cube_low += cube - cube_high;
    double third = cube_high * 0.3333333283662796;
    double third_low = cube_high * 4.967053731282552e-09 + cube_low * 0.33333333333333331;
    double z = z_high + z_low;
    double p = 0.059934962042820644;
    p = mad(p, z, 0.058376483620325846);
    p = mad(p, z, 0.066681397395520703);
    p = mad(p, z, 0.076922791657038664);
    p = mad(p, z, 0.090909094199119397);
    p = mad(p, z, 0.11111111108942744);
    p = mad(p, z, 0.14285714285721543);
    p = mad(p, z, 0.1999999999999999);
    double rest = s_low + (third_low + s * z * z * p);
    double sum = s_high + third;
    rest += third - (sum - s_high);
    double high = __clc_first_bits_f64(sum + rest);
    double low = (sum - high) + rest;
    // 2 / ln 2 in two parts.
    double first = high * 2.8853901028633118;
    double second = high * -2.1085384952858276e-08 + low * 2.8853900817779268;
    double total = parts.y + first;
    double lost = parts.y == 0.0 ? 0.0 : first - (total - parts.y);
    return (double2)(total, lost + second);
}

// 2^(high + low).
double __clc_exp2_pair_f64(double high, double low) {
    double sum = (high + low) + 0x1.8p52;
    double r = (high - (sum - 0x1.8p52)) + low;
    return __clc_scale_f64(mad(__clc_exp2_tail_f64(r), r, 1.0), as_int2(sum).x);
}

// x^(y_high + y_low) for positive finite x; y_high has 26 bits.
double __clc_power_f64(double x, double y_high, double y_low) {
    double2 log = __clc_log2_pair_f64(x);
    double y = y_high + y_low;
    double estimate = y * log.x;
    if (estimate > 1026.0) {
        return as_double(0x7ff0000000000000ul);
    }
    if (estimate < -1078.0) {
        return 0.0;
    }
    double high = __clc_first_bits_f64(log.x + log.y);
    double low = (log.x - high) + log.y;
    return __clc_exp2_pair_f64(y_high * high, y_low * high + y * low);
}

// 2 if y is an odd integer, 1 if it is an even one, 0 otherwise.
int __clc_integer_kind_f64(double y) {
    if (rint(y) != y) {
        return 0;
    }
    double half_y = 0.5 * y;
    return rint(half_y) != half_y ? 2 : 1;
}

double __clc_pow_f64(double x, double y) {
    ulong x_bits = as_ulong(x) & 0x7ffffffffffffffful;
    ulong y_bits = as_ulong(y) & 0x7ffffffffffffffful;
    if (y_bits == 0ul || as_ulong(x) == 0x3ff0000000000000ul) {
        return 1.0;
    }
    if (x_bits > 0x7ff0000000000000ul || y_bits > 0x7ff0000000000000ul) {
        return as_double(0x7ff8000000000000ul);
    }
    ulong y_negative = as_ulong(y) >> 63;
    if (y_bits == 0x7ff0000000000000ul) {
        if (x_bits == 0x3ff0000000000000ul) {
            return 1.0;
        }
        int large = (x_bits > 0x3ff0000000000000ul) != (y_negative != 0ul);
        return large ? as_double(0x7ff0000000000000ul) : 0.0;
    }
    int kind = __clc_integer_kind_f64(y);
    ulong sign = kind == 2 ? as_ulong(x) & 0x8000000000000000ul : 0ul;
    if (x_bits == 0ul || x_bits == 0x7ff0000000000000ul) {
        ulong large = (x_bits != 0ul) != (y_negative != 0ul) ? 0x7ff0000000000000ul : 0ul;
        return as_double(large | sign);
    }
    if (as_ulong(x) >> 63 != 0ul && kind == 0) {
        return as_double(0x7ff8000000000000ul);
    }
    double y_high = __clc_first_bits_f64(y);
    double power = __clc_power_f64(as_double(x_bits), y_high, y - y_high);
    return as_double(as_ulong(power) | sign);
}

double __clc_powr_f64(double x, double y) {
    ulong x_bits = as_ulong(x) & 0x7ffffffffffffffful;
    ulong y_bits = as_ulong(y) & 0x7ffffffffffffffful;
    int is_nan = x_bits > 0x7ff0000000000000ul || y_bits > 0x7ff0000000000000ul;
    int is_negative = x_bits != 0ul && as_ulong(x) >> 63 != 0ul;
    int is_zero_power = y_bits == 0ul && (x_bits == 0ul || x_bits == 0x7ff0000000000000ul);
    int is_one = x_bits == 0x3ff0000000000000ul && y_bits == 0x7ff0000000000000ul;
    if (is_nan || is_negative || is_zero_power || is_one) {
        return as_double(0x7ff8000000000000ul);
    }
    return __clc_pow_f64(as_double(x_bits), y);
}

double __clc_pown_f64(double x, int n) {
    ulong x_bits = as_ulong(x) & 0x7ffffffffffffffful;
    if (n == 0) {
        return 1.0;
    }
    if (x_bits > 0x7ff0000000000000ul) {
        return x;
    }
    ulong sign = (n & 1) != 0 ? as_ulong(x) & 0x8000000000000000ul : 0ul;
    if (x_bits == 0ul || x_bits == 0x7ff0000000000000ul) {
        return as_double(((x_bits != 0ul) != (n < 0) ? 0x7ff0000000000000ul : 0ul) | sign);
    }
    double y_high = __clc_first_bits_f64((double)n);
    double y_low = (double)n - y_high;
    return as_double(as_ulong(__clc_power_f64(as_double(x_bits), y_high, y_low)) | sign);
}

double __clc_rootn_f64(double x, int n) {
    ulong x_bits = as_ulong(x) & 0x7ffffffffffffffful;
    int is_odd = n & 1;
    int is_negative = x_bits != 0ul && as_ulong(x) >> 63 != 0ul;
    if (n == 0 || x_bits > 0x7ff0000000000000ul || (is_negative && !is_odd)) {
        return as_double(0x7ff8000000000000ul);
    }
    ulong sign = is_odd ? as_ulong(x) & 0x8000000000000000ul : 0ul;
    if (x_bits == 0ul || x_bits == 0x7ff0000000000000ul) {
        return as_double(((x_bits != 0ul) != (n < 0) ? 0x7ff0000000000000ul : 0ul) | sign);
    }
    // The reciprocal in two parts. Where n has more than 26 bits, one part would do.
    double divisor = (double)n;
    double reciprocal = __clc_reciprocal_f64(divisor);
    double y_high = __clc_first_bits_f64(reciprocal);
    double y_low = (1.0 - y_high * divisor) * reciprocal;
    return as_double(as_ulong(__clc_power_f64(as_double(x_bits), y_high, y_low)) | sign);
}
