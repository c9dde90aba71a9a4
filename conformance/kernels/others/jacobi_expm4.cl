// @ symm4_exp 8192|262144 64 f64:81920|2621440:-1..1 >f64:81920|2621440 8192|262144
//
// Exponential of symmetric 4x4 matrices (log-strain -> strain) through the
// eigenvalues, cyclic Jacobi.  Packed upper triangle, one matrix after another:
//    0 1 2 3
//      4 5 6
//        7 8
//          9

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef double real;

#define DIM        4
#define MAX_SWEEPS 12

static void rotate(real m[DIM][DIM], real s, real tau, int i, int j, int k, int l)
{
    real g = m[i][j];
    real h = m[k][l];
    m[i][j] = g - s * (h + g * tau);
    m[k][l] = h + s * (g - h * tau);
}

/* Numerical Recipes style. a is destroyed above the diagonal. */
static int jacobi(real a[DIM][DIM], real d[DIM], real v[DIM][DIM])
{
    real b[DIM], z[DIM];
    int sweep, p, q, j;

    for (p = 0; p < DIM; p++) {
        for (q = 0; q < DIM; q++)
            v[p][q] = p == q ? 1.0 : 0.0;
        b[p] = d[p] = a[p][p];
        z[p] = 0.0;
    }

    for (sweep = 0; sweep < MAX_SWEEPS; sweep++) {
        real off = 0.0;
        for (p = 0; p < DIM - 1; p++)
            for (q = p + 1; q < DIM; q++)
                off += fabs(a[p][q]);
        if (off < 1e-14)
            break;

        for (p = 0; p < DIM - 1; p++) {
            for (q = p + 1; q < DIM; q++) {
                const real apq = a[p][q];
                if (fabs(apq) < 1e-18) {
                    a[p][q] = 0.0;
                    continue;
                }
                real h = d[q] - d[p];
                real t;
                if (fabs(h) > 1e12 * fabs(apq)) {
                    t = apq / h;
                } else {
                    real theta = 0.5 * h / apq;
                    t = 1.0 / (fabs(theta) + sqrt(1.0 + theta * theta));
                    if (theta < 0.0)
                        t = -t;
                }
                const real c = 1.0 / sqrt(1.0 + t * t);
                const real s = t * c;
                const real tau = s / (1.0 + c);
                h = t * apq;
                z[p] -= h;
                z[q] += h;
                d[p] -= h;
                d[q] += h;
                a[p][q] = 0.0;
                for (j = 0; j < p; j++)
                    rotate(a, s, tau, j, p, j, q);
                for (j = p + 1; j < q; j++)
                    rotate(a, s, tau, p, j, j, q);
                for (j = q + 1; j < DIM; j++)
                    rotate(a, s, tau, p, j, q, j);
                for (j = 0; j < DIM; j++)
                    rotate(v, s, tau, j, p, j, q);
            }
        }

        for (p = 0; p < DIM; p++) {
            b[p] += z[p];
            d[p] = b[p];
            z[p] = 0.0;
        }
    }
    return sweep;
}

__kernel void symm4_exp(__global const double *in, __global double *out, int count)
{
    const int id = get_global_id(0);
    if (id >= count)
        return;

    real a[DIM][DIM], v[DIM][DIM], d[DIM];
    int k = 0;

    in += 10 * (size_t)id;
    out += 10 * (size_t)id;
    for (int i = 0; i < DIM; i++)
        for (int j = i; j < DIM; j++)
            a[i][j] = a[j][i] = in[k++];

    jacobi(a, d, v);

    for (int i = 0; i < DIM; i++)
        d[i] = exp(d[i]);

    k = 0;
    for (int i = 0; i < DIM; i++)
        for (int j = i; j < DIM; j++) {
            real sum = 0.0;
            for (int n = 0; n < DIM; n++)
                sum += v[i][n] * d[n] * v[j][n];
            out[k++] = sum;
        }
}
