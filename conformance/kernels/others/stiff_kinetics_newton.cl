// @ react_cells 1024|65536 64 f64:1024|65536:0.8..1.2 f64:1024|65536:50..400 >f64:3072|196608
//
// Operator-split chemistry: Robertson's problem in every cell of a flow, with
// the rate constants scaled by the temperature of the cell and a reaction time
// of its own. Implicit Euler with growing steps, Newton with an analytical
// Jacobian, 3x3 LU with partial pivoting.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define NSPEC 3

struct Rates { double k1, k2, k3; };

void chem_rhs(const double *y, const struct Rates *k, double *f)
{
  double r1 = k->k1 * y[0];
  double r2 = k->k2 * y[1] * y[1];
  double r3 = k->k3 * y[1] * y[2];
  f[0] = -r1 + r3;
  f[1] = r1 - r2 - r3;
  f[2] = r2;
}

/* A = I - h df/dy, row major */
void newton_matrix(const double *y, const struct Rates *k, double h, double *A)
{
  A[0] = 1.0 + h * k->k1;
  A[1] = -h * k->k3 * y[2];
  A[2] = -h * k->k3 * y[1];
  A[3] = -h * k->k1;
  A[4] = 1.0 + h * (2.0 * k->k2 * y[1] + k->k3 * y[2]);
  A[5] = h * k->k3 * y[1];
  A[6] = 0.0;
  A[7] = -h * 2.0 * k->k2 * y[1];
  A[8] = 1.0;
}

void solve(double *A, double *b)
{
  int piv[NSPEC];
  for (int c = 0; c < NSPEC; ++c) {
    int p = c;
    for (int r = c + 1; r < NSPEC; ++r)
      if (fabs(A[r * NSPEC + c]) > fabs(A[p * NSPEC + c]))
        p = r;
    piv[c] = p;
    if (p != c)
      for (int j = 0; j < NSPEC; ++j) {
        double t = A[c * NSPEC + j];
        A[c * NSPEC + j] = A[p * NSPEC + j];
        A[p * NSPEC + j] = t;
      }
    for (int r = c + 1; r < NSPEC; ++r) {
      double m = A[r * NSPEC + c] / A[c * NSPEC + c];
      A[r * NSPEC + c] = m;
      for (int j = c + 1; j < NSPEC; ++j)
        A[r * NSPEC + j] -= m * A[c * NSPEC + j];
    }
  }
  for (int c = 0; c < NSPEC; ++c) {
    double t = b[piv[c]];
    b[piv[c]] = b[c];
    b[c] = t;
  }
  for (int r = 1; r < NSPEC; ++r)
    for (int j = 0; j < r; ++j)
      b[r] -= A[r * NSPEC + j] * b[j];
  for (int r = NSPEC - 1; r >= 0; --r) {
    for (int j = r + 1; j < NSPEC; ++j)
      b[r] -= A[r * NSPEC + j] * b[j];
    b[r] /= A[r * NSPEC + r];
  }
}

kernel void react_cells(global const double *temperature,
                        global const double *duration,
                        global double *y_out)
{
  const size_t cell = get_global_id(0);
  const size_t n = get_global_size(0);

  const double T = temperature[cell];
  struct Rates k;
  k.k1 = 0.04 * exp(4.0 * (1.0 - 1.0 / T));
  k.k2 = 3.0e7;
  k.k3 = 1.0e4 * sqrt(T);

  double y[NSPEC] = { 1.0, 0.0, 0.0 };
  double t = 0.0, h = 1.0e-4;
  const double t_end = duration[cell];

  while (t < t_end) {
    double step = fmin(h, t_end - t);
    double x[NSPEC], f[NSPEC], A[NSPEC * NSPEC], dx[NSPEC];
    for (int s = 0; s < NSPEC; ++s)
      x[s] = y[s];

    for (int it = 0; it < 12; ++it) {
      chem_rhs(x, &k, f);
      for (int s = 0; s < NSPEC; ++s)
        dx[s] = y[s] + step * f[s] - x[s];
      newton_matrix(x, &k, step, A);
      solve(A, dx);

      double err = 0.0;
      for (int s = 0; s < NSPEC; ++s) {
        x[s] += dx[s];
        err = fmax(err, fabs(dx[s]) / (fabs(x[s]) + 1e-9));
      }
      if (err < 1e-9)
        break;
    }

    for (int s = 0; s < NSPEC; ++s)
      y[s] = x[s];
    t += step;
    h *= 1.25;
  }

  for (int s = 0; s < NSPEC; ++s)
    y_out[s * n + cell] = y[s];
}
