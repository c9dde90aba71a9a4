// fma, quotients and roots of doubles where a kernel has asked its device whether Fma rounds once: only
// where the answer is yes is it relied upon that fma is rounded once.
// Relies on correctly rounded sums and products.

double __clc_fma_asking_f64(double a, double b, double c, int rounds_once) {
    return rounds_once != 0 ? fma(a, b, c) : __clc_fma_f64(a, b, c);
}

double __clc_divide_asking_f64(double a, double b, int rounds_once) {
    return rounds_once != 0 ? __clc_divide_fused_f64(a, b) : __clc_divide_f64(a, b);
}

double __clc_sqrt_asking_f64(double x, int rounds_once) {
    return rounds_once != 0 ? __clc_sqrt_fused_f64(x) : __clc_sqrt_f64(x);
}

double __clc_rsqrt_asking_f64(double x, int rounds_once) {
    return rounds_once != 0 ? __clc_rsqrt_fused_f64(x) : __clc_rsqrt_f64(x);
}
