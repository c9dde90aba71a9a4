// sin, cos, tan and their pi forms: x = q pi/2 + r with |r| <= pi/4, and polynomials for r.
// Relies on correctly rounded sums and products, and on division within 2.5 units.

// Words of 2/pi, the first after the point; the word before them is zero.
uint __clc_two_over_pi_f32(int index) {
    uint low = index < 1 ? (index < 0 ? 0u : 0xa2f9836eu) : (index < 2 ? 0x4e441529u : 0xfc2757d1u);
    uint high = index < 5 ? (index < 4 ? 0xf534ddc0u : 0xdb629599u)
                          : (index < 6 ? 0x3c439041u : 0xfe5163abu);
    return index < 3 ? low : high;
}

// The bits of r, and q modulo 4, of |x| >= 4096, finite: x is an integer times a power of two, so that of 2/pi
// only the 96 bits count that are neither multiples of four after multiplication nor too small.
int2 __clc_reduce_large_f32(float x) {
    uint bits = as_uint(x);
    uint mantissa = (bits & 0x007fffffu) | 0x00800000u;
    int offset = (int)(bits >> 23 & 0xffu) - 152;
    int index = offset >> 5;
    uint shift = (uint)offset & 31u;
    ulong w0 = __clc_two_over_pi_f32(index);
    ulong w1 = __clc_two_over_pi_f32(index + 1);
    ulong w2 = __clc_two_over_pi_f32(index + 2);
    ulong w3 = __clc_two_over_pi_f32(index + 3);
    ulong f0 = (w0 << 32 | w1) << shift >> 32;
    ulong f1 = (w1 << 32 | w2) << shift >> 32;
    ulong f2 = (w2 << 32 | w3) << shift >> 32;
    ulong low = mantissa * f2;
    ulong middle = mantissa * f1 + (low >> 32);
    ulong high = mantissa * f0 + (middle >> 32);
    ulong turns = high << 32 | (middle & 0xffffffffu);
    // Two bits of quarter turns; the others are a fraction of one, rounded to nearest.
    uint quarter = (uint)(turns >> 62);
    long fraction = (long)(turns << 2) >> 1;
    quarter += fraction < 0 ? 1u : 0u;
    // pi/2 * 2^-63 in two parts.
    float near = (float)fraction;
    float rest = (float)(fraction - (long)near);
    float r = near * 1.70306084e-19f + (near * -4.73919821e-27f + rest * 1.70306084e-19f);
    if (bits >> 31 != 0u) {
        return (int2)(as_int(-r), -(int)quarter & 3);
    }
    return (int2)(as_int(r), (int)(quarter & 3u));
}

// Those of what is large, infinite or no number.
int2 __clc_reduce_rare_f32(float x) {
    return (as_uint(x) & 0x7fffffffu) >= 0x7f800000u ? (int2)(0x7fc00000, 0) : __clc_reduce_large_f32(x);
}

// The bits of r, and q modulo 4.
int2 __clc_reduce_f32(float x) {
    // Three parts of pi/2 with 11 bits each, whose products with q are exact, and a rest.
    // Beside 1.5 * 2^23 a sum has no fraction, and its last bits are the integer.
    float sum = mad(x, 0.636619747f, 12582912.0f);
    float q = sum - 12582912.0f;
    float r = mad(q, -1.5703125f, x);
    r = mad(q, -0.000483751297f, r);
    r = mad(q, -7.54953362e-08f, r);
    r = mad(q, -2.5633442e-12f, r);
    if ((as_uint(x) & 0x7fffffffu) >= 0x45800000u) {
        return __clc_reduce_rare_f32(x);
    }
    return (int2)(as_int(r), as_int(sum) & 3);
}

// For |r| <= pi/4.
float __clc_sin_kernel_f32(float r) {
    float z = r * r;
    float p = -0.000195141154f;
    p = mad(p, z, 0.00833215564f);
    p = mad(p, z, -0.166666552f);
    return mad(r * z, p, r);
}

float __clc_cos_kernel_f32(float r) {
    float z = r * r;
    float p = 2.44348939e-05f;
    p = mad(p, z, -0.00138873374f);
    p = mad(p, z, 0.0416666456f);
    return mad(z * z, p, mad(z, -0.5f, 1.0f));
}

float __clc_tan_kernel_f32(float r) {
    float z = r * r;
    float p = 0.00443039229f;
    p = mad(p, z, -1.77141483e-05f);
    p = mad(p, z, 0.0109183779f);
    p = mad(p, z, 0.0212511625f);
    p = mad(p, z, 0.0540657565f);
    p = mad(p, z, 0.133326128f);
    p = mad(p, z, 0.333333522f);
    return mad(r * z, p, r);
}

// The sine of r and q quarter turns.
float __clc_sin_quarter_f32(float r, int q) {
    float s = __clc_sin_kernel_f32(r);
    float c = __clc_cos_kernel_f32(r);
    float y = (q & 1) != 0 ? c : s;
    return (q & 2) != 0 ? -y : y;
}

// Of x, which is reduced already, so that several functions of one number share that.
float __clc_sin_f32(float x, int2 reduced) {
    float y = __clc_sin_quarter_f32(as_float(reduced.x), reduced.y);
    return (as_uint(x) & 0x7fffffffu) < 0x39000000u ? x : y;
}

float __clc_cos_f32(float x, int2 reduced) {
    return __clc_sin_quarter_f32(as_float(reduced.x), reduced.y + 1);
}

float __clc_tan_f32(float x, int2 reduced) {
    float t = __clc_tan_kernel_f32(as_float(reduced.x));
    t = (reduced.y & 1) != 0 ? -1.0f / t : t;
    return (as_uint(x) & 0x7fffffffu) < 0x39000000u ? x : t;
}

// x as quarters and a rest of at most an eighth turn, times pi; exact but for the last step.
float2 __clc_reduce_pi_f32(float x) {
    float turn = x - 2.0f * rint(x * 0.5f);
    float q = rint(2.0f * turn);
    // Infinities and NaN have no quarter, and no number that a conversion would define.
    int quarter = q == q ? (int)q & 3 : 0;
    return (float2)((turn - 0.5f * q) * 3.14159274f, (float)quarter);
}

float __clc_sinpi_f32(float x) {
    float2 reduced = __clc_reduce_pi_f32(x);
    float y = __clc_sin_quarter_f32(reduced.x, (int)reduced.y);
    // Integers keep the sign of x.
    return y == 0.0f ? as_float(as_uint(x) & 0x80000000u) : y;
}

float __clc_cospi_f32(float x) {
    float2 reduced = __clc_reduce_pi_f32(x);
    float y = __clc_sin_quarter_f32(reduced.x, (int)reduced.y + 1);
    return y == 0.0f ? 0.0f : y;
}

float __clc_tanpi_f32(float x) {
    float2 reduced = __clc_reduce_pi_f32(x);
    int q = (int)reduced.y;
    float t = __clc_tan_kernel_f32(reduced.x);
    if (reduced.x == 0.0f) {
        // OpenCL C 7.5.1: zeros take the sign of x at even integers, the other one at odd ones;
        // poles are positive after even integers.
        uint sign = as_uint(x) & 0x80000000u;
        if ((q & 1) != 0) {
            return as_float(q == 1 ? 0x7f800000u : 0xff800000u);
        }
        return as_float(q == 0 ? sign : sign ^ 0x80000000u);
    }
    return (q & 1) != 0 ? -1.0f / t : t;
}
