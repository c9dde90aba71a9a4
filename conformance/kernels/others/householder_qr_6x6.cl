// @ qr_solve6 4096|262144 128 f32:147456|9437184:-1..1 f32:24576|1572864:-1..1 >f32:24576|1572864 4.0f 4096|262144
// Solves A x = b for a batch of 6x6 systems with Householder reflections.

constant int DIM = 6;

// Reflects column k of r so that everything below the diagonal vanishes.
void reflect(float r[6][7], int k)
{
    float norm2 = 0.0f;
    for (int i = k; i < 6; i++)
        norm2 += r[i][k] * r[i][k];
    float alpha = -copysign(sqrt(norm2), r[k][k]);

    float v[6];
    for (int i = 0; i < 6; i++)
        v[i] = i < k ? 0.0f : r[i][k];
    v[k] -= alpha;

    float vtv = 0.0f;
    for (int i = k; i < 6; i++)
        vtv = fma(v[i], v[i], vtv);
    float beta = 2.0f / (vtv + 1e-30f);

    for (int j = k; j < 7; j++) {
        float s = 0.0f;
        for (int i = k; i < 6; i++)
            s = fma(v[i], r[i][j], s);
        s *= beta;
        for (int i = k; i < 6; i++)
            r[i][j] = fma(-s, v[i], r[i][j]);
    }
}

kernel void qr_solve6(global const float *restrict mats,
                      global const float *restrict rhs,
                      global float *restrict sol,
                      float diag, uint count)
{
    size_t id = get_global_id(0);
    if (id >= count) return;

    float r[6][7];          // the right-hand side rides along as column 6
    global const float *a = mats + id * 36;
    for (int i = 0; i < DIM; i++) {
        for (int j = 0; j < DIM; j++)
            r[i][j] = a[i * DIM + j];
        r[i][i] += diag;
        r[i][6] = rhs[id * DIM + i];
    }

    for (int k = 0; k < DIM - 1; k++)
        reflect(r, k);

    float x[6];
    for (int i = DIM - 1; i >= 0; i--) {
        float s = r[i][6];
        for (int j = i + 1; j < DIM; j++)
            s -= r[i][j] * x[j];
        x[i] = s / r[i][i];
    }
    for (int i = 0; i < DIM; i++)
        sol[id * DIM + i] = x[i];
}
