// With -cl-unsafe-math-optimizations (OpenCL C 7.4, relaxed): powers, which may be 2^(y log2 x) with the
// errors of the instructions, and exponentials, whose results need not be right below the normal numbers.
// Relies on correctly rounded sums and products, and on division within 2.5 units; exp2 within 3 + 2
// |x| units; log2 within 3 units, or 2^-21 from 1/2 to 2.

float __clc_powr_relaxed_f32(float x, float y) {
    return exp2(y * log2(x));
}

float __clc_pow_relaxed_f32(float x, float y) {
    float power = exp2(y * log2(fabs(x)));
    // Odd only where |y| is at most 2^24, beyond which nothing is defined for negative x.
    int whole = fabs(y) <= 16777216.0f ? (int)y : 0;
    power = x < 0.0f && (whole & 1) != 0 ? -power : power;
    return y == 0.0f ? 1.0f : power;
}

float __clc_pown_relaxed_f32(float x, int n) {
    float power = exp2((float)n * log2(fabs(x)));
    power = x < 0.0f && (n & 1) != 0 ? -power : power;
    return n == 0 ? 1.0f : power;
}

float __clc_rootn_relaxed_f32(float x, int n) {
    float root = exp2(log2(fabs(x)) / (float)n);
    return x < 0.0f ? -root : root;
}

// x = k + f with f from 0 to 1, both included; and a polynomial for f with an error of 2^-28 of the
// result, exact at both ends. Within 1.8 units. 2^k is zero for k = -127 and infinite for k = 128.
float __clc_exp2_relaxed_f32(float x) {
    x = x > 128.0f ? 128.0f : x;
    x = x < -127.0f ? -127.0f : x;
    float k = floor(x);
    float f = x - k;
    float p = 0.000217150219f;
    p = mad(p, f, 0.00124408780f);
    p = mad(p, f, 0.00967806378f);
    p = mad(p, f, 0.0554841525f);
    p = mad(p, f, 0.240229513f);
    p = mad(p, f, 0.693147032f);
    p = mad(p, f, 1.0f);
    return p * as_float((uint)((int)k + 127) << 23);
}

// The product and log2(e) are rounded, which is up to 1.3 |x| units of the result.
float __clc_exp_relaxed_f32(float x) {
    return __clc_exp2_relaxed_f32(x * 1.44269502f);
}
