// @ fill_impedance 128x128|2048x2048 16x4 f64:387|6147:-0.001..0.001 >f64:32768|8388608 0.0004 0.35 0.01|0.0015

// Method of moments: impedance matrix of a thin helical wire antenna, pulse basis
// functions with point-matched scalar potential (Harrington's mixed potential form).
// Lengths are in wavelengths. Node k of the wire is on a helix and is moved by a
// manufacturing error of three numbers.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define K0    6.283185307179586      // 2 pi / lambda
#define ETA0  376.730313668
#define PI4   12.566370614359172

__constant double gauss_x[4] = { -0.861136311594052575, -0.339981043584856265,
                                  0.339981043584856265,  0.861136311594052575 };
__constant double gauss_w[4] = {  0.347854845137453857,  0.652145154862546143,
                                  0.652145154862546143,  0.347854845137453857 };

static inline double2 cmul(double2 a, double2 b)
{
    return (double2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

double3 wire_node(__global const double *err, double k, double step)
{
    const double angle = k * 0.21;
    const int below = (int)k;
    const double part = k - (double)below;
    const double3 e = (1.0 - part) * vload3(below, err) + part * vload3(below + (part > 0.0 ? 1 : 0), err);
    return (double3)(0.03 * cos(angle), 0.03 * sin(angle), k * step) + e;
}

/* (1 / length) times the integral of exp(-jkR) / (4 pi R) over a segment */
double2 potential(double3 from, double3 to, double3 at, double radius)
{
    const double3 mid = 0.5 * (from + to);
    const double3 half_edge = 0.5 * (to - from);
    double2 sum = (double2)(0.0, 0.0);
    for (int g = 0; g < 4; ++g) {
        const double3 d = mid + gauss_x[g] * half_edge - at;
        const double R = sqrt(dot(d, d) + radius * radius);
        double c;
        const double s = sincos(-K0 * R, &c);
        sum += gauss_w[g] / R * (double2)(c, s);
    }
    return sum * (0.5 / PI4);
}

__kernel void fill_impedance(__global const double *err,
                             __global double2 *Z,
                             double radius,
                             double loss,
                             double step)
{
    const int n = get_global_id(0);
    const int m = get_global_id(1);
    const int N = get_global_size(0);

    const double3 n0 = wire_node(err, n, step), n1 = wire_node(err, n + 1, step);
    const double3 m0 = wire_node(err, m, step), m1 = wire_node(err, m + 1, step);
    const double3 dn = n1 - n0, dm = m1 - m0;
    const double3 centre = 0.5 * (m0 + m1);

    /* vector potential: j k eta * (dm . dn) psi */
    const double2 psi = potential(n0, n1, centre, radius);
    double2 z = cmul((double2)(0.0, K0 * ETA0 * dot(dm, dn)), psi);

    /* scalar potential: (eta / jk) * difference of the charge elements */
    const double2 charges = potential(n0, n1, m1, radius) - potential(n0, n1, m0, radius);
    z += cmul((double2)(0.0, -ETA0 / K0), charges) * length(dn);

    if (m == n)
        z += (double2)(loss * length(dn) / (2.0 * M_PI * radius), 0.0);
    Z[m * N + n] = z;
}
