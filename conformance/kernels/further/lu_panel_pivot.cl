// @ lu_panel 16384|262144 128 f64:262144|4194304:-1..1 >f64:262144|4194304 zeros:i32:2048|32768
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Batched factorisation of a panel with partial pivoting (dgetf2): 128 rows by 16
 * columns, row major, in local memory. A row per work-item; the search of the pivot
 * is a reduction of (value, index). */

#define M 128
#define NB 16

kernel void lu_panel(global const double *A, global double *LU, global int *pivots)
{
    local double panel[M][NB + 1];
    local double best[M];
    local int where[M];

    const int r = get_local_id(0);
    const size_t base = get_group_id(0) * (size_t)(M * NB);

    for (int e = r; e < M * NB; e += M)
        panel[e / NB][e % NB] = A[base + e];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int c = 0; c < NB; c++) {
        best[r] = r >= c ? fabs(panel[r][c]) : -1.0;
        where[r] = r;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = M / 2; s > 0; s /= 2) {
            if (r < s && best[r + s] > best[r]) {
                best[r] = best[r + s];
                where[r] = where[r + s];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }

        const int p = where[0];
        if (r == 0)
            pivots[get_group_id(0) * NB + c] = p + 1;
        if (r < NB && p != c) {
            const double t = panel[c][r];
            panel[c][r] = panel[p][r];
            panel[p][r] = t;
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        if (r > c && panel[c][c] != 0.0) {
            const double l = panel[r][c] / panel[c][c];
            panel[r][c] = l;
            for (int j = c + 1; j < NB; j++)
                panel[r][j] -= l * panel[c][j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (int e = r; e < M * NB; e += M)
        LU[base + e] = panel[e / NB][e % NB];
}
