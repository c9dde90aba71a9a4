// sinh, cosh, tanh and their inverses.
// Relies on correctly rounded sums and products alone.

// Half of e^a, and half of e^-a.
double2 __clc_half_exps_f64(double a) {
    double grown = __clc_exp_shifted_f64(a, -1);
    // Where the other half counts, the first is small enough for its reciprocal.
    double shrunk = a < 40.0 ? 0.25 * __clc_reciprocal_f64(a < 40.0 ? grown : 1.0) : 0.0;
    return (double2)(grown, shrunk);
}

double __clc_sinh_f64(double x) {
    double a = fabs(x);
    if (a < 1.0) {
        double z = x * x;
        double p = 7.7604403007139475e-13;
        p = mad(p, z, 1.6057203959857652e-10);
        p = mad(p, z, 2.5052123854598025e-08);
        p = mad(p, z, 2.7557319152544521e-06);
        p = mad(p, z, 0.00019841269841446252);
        p = mad(p, z, 0.0083333333333331268);
        p = mad(p, z, 0.16666666666666669);
        return x + x * z * p;
    }
    double2 halves = __clc_half_exps_f64(a);
    double y = halves.x - halves.y;
    return x < 0.0 ? -y : y;
}

double __clc_cosh_f64(double x) {
    double2 halves = __clc_half_exps_f64(fabs(x));
    return halves.x + halves.y;
}

double __clc_tanh_f64(double x) {
    double a = fabs(x);
    if (a > 20.0) {
        return x < 0.0 ? -1.0 : 1.0;
    }
    double t = __clc_expm1_f64(2.0 * a);
    double y = __clc_quotient_f64(t, t + 2.0);
    return x != x ? x : as_double(as_ulong(y) | (as_ulong(x) & 0x8000000000000000ul));
}

double __clc_asinh_f64(double x) {
    double a = fabs(x);
    double y;
    if (a < 0.5) {
        double z = x * x;
        double p = 0.0017188873609661314;
        p = mad(p, z, -0.0047487656250275439);
        p = mad(p, z, 0.0074664522203986778);
        p = mad(p, z, -0.0095344744375349885);
        p = mad(p, z, 0.011513065701243308);
        p = mad(p, z, -0.01396024545794957);
        p = mad(p, z, 0.017352388372876403);
        p = mad(p, z, -0.022372138457920125);
        p = mad(p, z, 0.030381943720798676);
        p = mad(p, z, -0.044642857127944642);
        p = mad(p, z, 0.074999999999845621);
        p = mad(p, z, -0.1666666666666661);
        return x * (1.0 + z * p);
    }
    if (a < 0x1.0p28) {
        double square = a * a;
        double root = __clc_root_f64(1.0 + square);
        y = __clc_log1p_f64(a + __clc_quotient_f64(square, 1.0 + root));
    } else {
        y = __clc_log_f64(a) + 0.69314718055994529;
    }
    return x < 0.0 ? -y : y;
}

double __clc_acosh_f64(double x) {
    if (x < 1.0) {
        return as_double(0x7ff8000000000000ul);
    }
    if (x < 0x1.0p28) {
        double t = x - 1.0;
        return __clc_log1p_f64(t + __clc_root_f64(t * (2.0 + t)));
    }
    return __clc_log_f64(x) + 0.69314718055994529;
}

double __clc_atanh_f64(double x) {
    double a = fabs(x);
    if (a < 0.5) {
        double z = x * x;
        double p = 0.24138178209162781;
        p = mad(p, z, -0.1965990215958606);
        p = mad(p, z, 0.17534338167099839);
        p = mad(p, z, -0.00553330540811509);
        p = mad(p, z, 0.059628237784593863);
        p = mad(p, z, 0.050566397702852983);
        p = mad(p, z, 0.059076363563585886);
        p = mad(p, z, 0.066644653639452045);
        p = mad(p, z, 0.076924419924286433);
        p = mad(p, z, 0.090909035203157032);
        p = mad(p, z, 0.11111111260308384);
        p = mad(p, z, 0.14285714283348927);
        p = mad(p, z, 0.20000000000018933);
        p = mad(p, z, 0.33333333333333282);
        return x + x * z * p;
    }
    if (a >= 1.0) {
        return as_double(a == 1.0 ? as_ulong(x) | 0x7ff0000000000000ul : 0x7ff8000000000000ul);
    }
    double y = 0.5 * __clc_log1p_f64(__clc_quotient_f64(2.0 * a, 1.0 - a));
    return x < 0.0 ? -y : y;
}
