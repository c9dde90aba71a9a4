// fma where a kernel has asked its device whether Fma rounds once: only where the answer is yes is it
// relied upon that fma is rounded once.
// Relies on correctly rounded sums and products.

float __clc_fma_asking_f32(float a, float b, float c, int rounds_once) {
    return rounds_once != 0 ? fma(a, b, c) : __clc_fma_f32(a, b, c);
}
