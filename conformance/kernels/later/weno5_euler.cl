// @ interface_fluxes 256x128|2048x1024 64x1 f64:131072|8388608:0.7..1.3 zeros:f64:131072|8388608 256|2048 (0.0,1.0,1.0,0.0)
// @ advance_rows 256x128|2048x1024 64x1 #0 #1 >f64:131072|8388608 256|2048 0.2 (0.0,1.0,1.0,0.0)

// Fifth order WENO (Jiang & Shu) for the x sweep of the 2D Euler equations with global
// Lax-Friedrichs splitting, component-wise.  Rows are periodic.  Cells hold the
// primitive variables (rho, u, v, p) as seen in a frame that moves with `frame`.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define GAMMA   1.4
#define EPS     1.0e-6

static double4 conserved(double4 w)
{
  double4 q;
  q.x = w.x;
  q.y = w.x * w.y;
  q.z = w.x * w.z;
  q.w = w.w / (GAMMA - 1.0) + 0.5 * w.x * (w.y * w.y + w.z * w.z);
  return q;
}

static double4 flux(double4 w, double4 q)
{
  return (double4)(q.y, q.y * w.y + w.w, q.y * w.z, (q.w + w.w) * w.y);
}

// Value at the right face of cell c out of the cells a b c d e.
static double4 weno5(double4 a, double4 b, double4 c, double4 d, double4 e)
{
  const double4 q0 = (2.0 * a - 7.0 * b + 11.0 * c) / 6.0;
  const double4 q1 = (-b + 5.0 * c + 2.0 * d) / 6.0;
  const double4 q2 = (2.0 * c + 5.0 * d - e) / 6.0;

  double4 s0 = a - 2.0 * b + c, t0 = a - 4.0 * b + 3.0 * c;
  double4 s1 = b - 2.0 * c + d, t1 = b - d;
  double4 s2 = c - 2.0 * d + e, t2 = 3.0 * c - 4.0 * d + e;
  s0 = 13.0 / 12.0 * s0 * s0 + 0.25 * t0 * t0 + EPS;
  s1 = 13.0 / 12.0 * s1 * s1 + 0.25 * t1 * t1 + EPS;
  s2 = 13.0 / 12.0 * s2 * s2 + 0.25 * t2 * t2 + EPS;

  const double4 w0 = 0.1 / (s0 * s0);
  const double4 w1 = 0.6 / (s1 * s1);
  const double4 w2 = 0.3 / (s2 * s2);
  return (w0 * q0 + w1 * q1 + w2 * q2) / (w0 + w1 + w2);
}

static int wrap(int i, int n)
{
  return i < 0 ? i + n : (i >= n ? i - n : i);
}

// Flux through the face between the cells i and i + 1.
__kernel void interface_fluxes(__global const double4 *prim,
                               __global double4 *faces,
                               int nx,
                               double4 frame)
{
  const int i = get_global_id(0);
  const int row = get_global_id(1) * nx;

  double4 q[6], f[6];
  double speed = 0.0;
  for (int k = 0; k < 6; ++k) {
    const double4 w = prim[row + wrap(i + k - 2, nx)] - frame;
    q[k] = conserved(w);
    f[k] = flux(w, q[k]);
    speed = fmax(speed, fabs(w.y) + sqrt(GAMMA * w.w / w.x));
  }

  double4 plus[6], minus[6];
  for (int k = 0; k < 6; ++k) {
    plus[k] = 0.5 * (f[k] + speed * q[k]);
    minus[k] = 0.5 * (f[k] - speed * q[k]);
  }
  faces[row + i] = weno5(plus[0], plus[1], plus[2], plus[3], plus[4])
                 + weno5(minus[5], minus[4], minus[3], minus[2], minus[1]);
}

__kernel void advance_rows(__global const double4 *prim,
                           __global const double4 *faces,
                           __global double4 *next,
                           int nx,
                           double lambda,
                           double4 frame)
{
  const int i = get_global_id(0);
  const int row = get_global_id(1) * nx;
  const double4 q = conserved(prim[row + i] - frame);
  next[row + i] = q - lambda * (faces[row + i] - faces[row + wrap(i - 1, nx)]);
}
