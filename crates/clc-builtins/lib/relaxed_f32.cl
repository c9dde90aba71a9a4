// Powers where -cl-unsafe-math-optimizations allows 2^(y log2 x) with the errors of the instructions
// (OpenCL C 7.4, relaxed).
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
