// @ propagate 512|32768 32 f64:1536|98304:0..1 >f64:3072|196608 1.0e-8 512|32768
//
// Satellite orbits about an oblate planet with a thin atmosphere, integrated
// by Runge-Kutta-Fehlberg 4(5) with step control.  Units: radius of the
// planet = 1, GM = 1.  Elements come as three knobs in 0..1 (size,
// eccentricity, inclination); result is the state at a fixed time.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define J2        1.08263e-3
#define DRAG      2.0e-6
#define SCALE_H   0.05
#define T_END     25.0
#define MAX_TRIES 2000

typedef struct { double3 r; double3 v; } State;

typedef struct {
    double size, ecc, incl;
} Elements;

static State deriv(State s)
{
    State f;
    const double r2 = dot(s.r, s.r);
    const double inv_r = rsqrt(r2);
    const double inv_r2 = inv_r * inv_r;
    const double inv_r3 = inv_r * inv_r2;
    const double z2 = s.r.z * s.r.z * inv_r2;
    const double k = 1.5 * J2 * inv_r2;

    f.r = s.v;
    f.v.x = -s.r.x * inv_r3 * (1.0 + k * (1.0 - 5.0 * z2));
    f.v.y = -s.r.y * inv_r3 * (1.0 + k * (1.0 - 5.0 * z2));
    f.v.z = -s.r.z * inv_r3 * (1.0 + k * (3.0 - 5.0 * z2));

    const double height = 1.0 / inv_r - 1.0;
    if (height < 0.6) {
        const double rho = DRAG * exp(-height / SCALE_H);
        f.v -= rho * length(s.v) * s.v;
    }
    return f;
}

static State axpy(State y, double h, State k)
{
    y.r += h * k.r;
    y.v += h * k.v;
    return y;
}

static State initial(Elements e)
{
    State s;
    const double a = 2.0 + e.size;              // semi-major axis
    const double ecc = 0.45 * e.ecc;
    const double inc = 1.5 * e.incl;
    const double rp = a * (1.0 - ecc);          // start in the pericentre
    const double vp = sqrt((1.0 + ecc) / rp);
    s.r = (double3)(rp, 0.0, 0.0);
    s.v = (double3)(0.0, vp * cos(inc), vp * sin(inc));
    return s;
}

__kernel void propagate(__global const Elements *elements,
                        __global double *result,
                        const double tol,
                        const int count)
{
    const int id = get_global_id(0);
    if (id >= count) return;

    State y = initial(elements[id]);
    double t = 0.0, h = 0.1;

    for (int tries = 0; tries < MAX_TRIES && t < T_END; tries++) {
        if (t + h > T_END)
            h = T_END - t;

        State k1 = deriv(y);
        State s = axpy(y, h / 4.0, k1);
        State k2 = deriv(s);
        s = axpy(axpy(y, h * 3.0 / 32.0, k1), h * 9.0 / 32.0, k2);
        State k3 = deriv(s);
        s = axpy(axpy(axpy(y, h * 1932.0 / 2197.0, k1), -h * 7200.0 / 2197.0, k2),
                 h * 7296.0 / 2197.0, k3);
        State k4 = deriv(s);
        s = axpy(axpy(axpy(axpy(y, h * 439.0 / 216.0, k1), -h * 8.0, k2),
                      h * 3680.0 / 513.0, k3), -h * 845.0 / 4104.0, k4);
        State k5 = deriv(s);
        s = axpy(axpy(axpy(axpy(axpy(y, -h * 8.0 / 27.0, k1), h * 2.0, k2),
                           -h * 3544.0 / 2565.0, k3), h * 1859.0 / 4104.0, k4),
                 -h * 11.0 / 40.0, k5);
        State k6 = deriv(s);

        double3 er = h * (k1.r / 360.0 - k3.r * (128.0 / 4275.0) - k4.r * (2197.0 / 75240.0)
                          + k5.r / 50.0 + k6.r * (2.0 / 55.0));
        double3 ev = h * (k1.v / 360.0 - k3.v * (128.0 / 4275.0) - k4.v * (2197.0 / 75240.0)
                          + k5.v / 50.0 + k6.v * (2.0 / 55.0));
        const double err = sqrt(dot(er, er) + dot(ev, ev));

        if (err <= tol) {
            t += h;
            y.r += h * (k1.r * (16.0 / 135.0) + k3.r * (6656.0 / 12825.0)
                        + k4.r * (28561.0 / 56430.0) - k5.r * (9.0 / 50.0) + k6.r * (2.0 / 55.0));
            y.v += h * (k1.v * (16.0 / 135.0) + k3.v * (6656.0 / 12825.0)
                        + k4.v * (28561.0 / 56430.0) - k5.v * (9.0 / 50.0) + k6.v * (2.0 / 55.0));
        }

        double grow = err > 0.0 ? 0.9 * pow(tol / err, 0.2) : 4.0;
        h *= clamp(grow, 0.2, 4.0);
    }

    vstore3(y.r, 2 * id, result);
    vstore3(y.v, 2 * id + 1, result);
}
