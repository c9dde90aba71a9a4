// @ lu_factor_batch 4096|262144 64 >f32:262144|16777216:-1..1 4096|262144 8.5f
// LU without pivoting of many 8x8 matrices (shifted to be diagonally dominant).
// Interleaved storage: element (i,j) of matrix b is at a[(i*N + j)*batch + b].

#ifndef N
#define N 8
#endif
#define ELEM(i, j) a[((i) * N + (j)) * batch + b]

kernel void lu_factor_batch(global float *a, int batch, float shift)
{
    int b = get_global_id(0);
    if (b >= batch)
        return;

    float m[N][N];
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            m[i][j] = ELEM(i, j) + (i == j ? shift : 0.0f);

    for (int k = 0; k < N - 1; ++k) {
        float inv = 1.0f / m[k][k];
        for (int i = k + 1; i < N; ++i) {
            float l = m[i][k] * inv;
            m[i][k] = l;
            for (int j = k + 1; j < N; ++j)
                m[i][j] -= l * m[k][j];
        }
    }

    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            ELEM(i, j) = m[i][j];
}
