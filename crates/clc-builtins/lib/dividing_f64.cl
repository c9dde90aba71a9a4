// Division of doubles where fused_f64.cl can be used and the device divides doubles rightly, too: the steps of that file, which
// take less time where several divisions can go on together, and the device's own for what is rare, which needs less code.
// Relies on correctly rounded sums and products, and on division of doubles that is rounded once.

double __clc_divide_measured_f64(double a, double b) {
    double q = __clc_usual_divide_fused_f64(a, b);
    if (__clc_is_rare_divide_fused_f64(a, b)) {
        return a / b;
    }
    return q;
}
