// A system of six equations for each work-item, by Cholesky's factors.
kernel void cholesky(global const float *numbers, global float *solutions, int n)
{
    size_t i = get_global_id(0);
    float a[6][6], x[6];
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c <= r; c++)
            a[r][c] = numbers[(r * (r + 1) / 2 + c) * n + i] + (r == c ? 6 : 0);
        x[r] = numbers[(21 + r) * n + i];
    }
    for (int c = 0; c < 6; c++) {
        for (int k = 0; k < c; k++)
            a[c][c] -= a[c][k] * a[c][k];
        a[c][c] = sqrt(a[c][c]);
        for (int r = c + 1; r < 6; r++) {
            for (int k = 0; k < c; k++)
                a[r][c] -= a[r][k] * a[c][k];
            a[r][c] /= a[c][c];
        }
    }
    for (int r = 0; r < 6; r++) {
        for (int k = 0; k < r; k++)
            x[r] -= a[r][k] * x[k];
        x[r] /= a[r][r];
    }
    for (int r = 5; r >= 0; r--) {
        for (int k = r + 1; k < 6; k++)
            x[r] -= a[k][r] * x[k];
        x[r] /= a[r][r];
    }
    for (int r = 0; r < 6; r++)
        solutions[6 * i + r] = x[r];
}
