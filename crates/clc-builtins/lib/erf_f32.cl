// erf and erfc.
// Relies on correctly rounded sums and products, and on division within 2.5 units; exp2 within 3 + 2
// |x| units.

// For |x| <= 1.
float __clc_erf_kernel_f32(float x) {
    float z = x * x;
    float p = 7.85644079e-05f;
    p = mad(p, z, -0.000801182759f);
    p = mad(p, z, 0.00518861087f);
    p = mad(p, z, -0.0268540122f);
    p = mad(p, z, 0.112835914f);
    p = mad(p, z, -0.37612626f);
    return x * (p * z + 1.12837911f);
}

// For x from 0.9 to 10.3: e^(-x^2) / (1 + 2x) times a polynomial in (x - 2) / (x + 2).
float __clc_erfc_kernel_f32(float x) {
    float t = (x - 2.0f) / (x + 2.0f);
    float p = -0.00151133502f;
    p = mad(p, t, 0.00110569957f);
    p = mad(p, t, 0.00876270793f);
    p = mad(p, t, -0.0080120964f);
    p = mad(p, t, -0.0542253889f);
    p = mad(p, t, 0.164050132f);
    p = mad(p, t, -0.166030183f);
    p = mad(p, t, -0.0927638113f);
    p = mad(p, t, 1.27697837f);
    p = p / (1.0f + 2.0f * x);
    // The square of the first bits of x is exact; the rest of the exponent is small.
    float high = as_float(as_uint(x) & 0xfffff000u);
    float rest = (high - x) * (high + x);
    return __clc_exp_f32(-high * high) * (__clc_exp_f32(rest) * p);
}

float __clc_erf_f32(float x) {
    float a = fabs(x);
    float small = __clc_erf_kernel_f32(x);
    // log2 (1 - erf x) from 0.9 to 4, beyond which it is one.
    float b = a > 4.0f ? 4.0f : a;
    float p = -0.001819778f;
    p = mad(p, b, 0.022581827f);
    p = mad(p, b, -0.13175091f);
    p = mad(p, b, -0.93840635f);
    p = mad(p, b, -1.6163925f);
    p = mad(p, b, -0.0026289232f);
    float y = 1.0f - exp2(p);
    return a >= 0.9f ? as_float(as_uint(y) | (as_uint(x) & 0x80000000u)) : small;
}

float __clc_erfc_f32(float x) {
    float a = fabs(x);
    if (a < 0.95f || x != x) {
        return 1.0f - __clc_erf_kernel_f32(x);
    }
    float y = a < 10.25f ? __clc_erfc_kernel_f32(a) : 0.0f;
    return x < 0.0f ? 2.0f - y : y;
}
