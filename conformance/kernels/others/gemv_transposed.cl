// @ gemv_t 2048x8|65536x8 32x8 512|1024 2048|65536 1.0f f32:1048576|67108864 2048|65536 f32:512|1024 0.25f >f32:2048|65536:0..1
// y := alpha * A^T x + beta * y,  A is m x n row major with leading dimension lda.

#define BX 32
#define BY 8

__kernel void gemv_t(int m, int n, float alpha,
                     __global const float *A, int lda,
                     __global const float *x,
                     float beta,
                     __global float *y)
{
    __local float partial[BY][BX];

    int col = get_global_id(0);
    int lx = get_local_id(0);
    int ly = get_local_id(1);

    float sum = 0;
    if (col < n) {
        __global const float *p = A + ly * lda + col;
        for (int row = ly; row < m; row += BY) {
            sum += *p * x[row];
            p += BY * lda;
        }
    }
    partial[ly][lx] = sum;

    for (int half_y = BY / 2; half_y > 0; half_y >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (ly < half_y)
            partial[ly][lx] += partial[ly + half_y][lx];
    }

    if (ly == 0 && col < n)
        y[col] = alpha * partial[0][lx] + beta * y[col];
}
