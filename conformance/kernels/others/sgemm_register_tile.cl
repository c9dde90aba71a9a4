// @ sgemm_tile 64x64|512x512 16x16 256|2048 256|2048 128|512 1.25f f32:32768|1048576 f32:32768|1048576 0.5f >f32:65536|4194304:0..1

/* C = alpha * A * B + beta * C, row major.
 * A is M x K, B is K x N.  Each work-group makes a 64x64 block of C and
 * each work-item a 4x4 register tile.  M, N multiples of 64, K of 16. */

#define TS   64
#define WPT  4
#define RTS  (TS / WPT)
#define TK   16

__kernel __attribute__((reqd_work_group_size(RTS, RTS, 1)))
void sgemm_tile(const int M, const int N, const int K,
                const float alpha,
                const __global float * restrict A,
                const __global float * restrict B,
                const float beta,
                __global float * restrict C)
{
    __local float As[TK][TS + 1];
    __local float Bs[TK][TS];

    const int tx = get_local_id(0);
    const int ty = get_local_id(1);
    const int row0 = get_group_id(1) * TS;
    const int col0 = get_group_id(0) * TS;
    const int tid = ty * RTS + tx;

    float acc[WPT][WPT];
    for (int i = 0; i < WPT; i++)
        for (int j = 0; j < WPT; j++)
            acc[i][j] = 0.0f;

    for (int k0 = 0; k0 < K; k0 += TK) {
        /* 1024 elements of each tile, 256 work-items, 4 each */
        for (int l = 0; l < (TS * TK) / (RTS * RTS); l++) {
            int idx = tid + l * RTS * RTS;
            int ar = idx / TK, ac = idx % TK;
            As[ac][ar] = A[(row0 + ar) * K + k0 + ac];
            int br = idx / TS, bc = idx % TS;
            Bs[br][bc] = B[(k0 + br) * N + col0 + bc];
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        for (int k = 0; k < TK; k++) {
            float a[WPT], b[WPT];
#pragma unroll
            for (int i = 0; i < WPT; i++) {
                a[i] = As[k][ty * WPT + i];
                b[i] = Bs[k][tx + i * RTS];
            }
#pragma unroll
            for (int i = 0; i < WPT; i++)
#pragma unroll
                for (int j = 0; j < WPT; j++)
                    acc[i][j] = mad(a[i], b[j], acc[i][j]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (int i = 0; i < WPT; i++) {
        __global float *crow = C + (row0 + ty * WPT + i) * N + col0 + tx;
        for (int j = 0; j < WPT; j++)
            crow[j * RTS] = alpha * acc[i][j] + beta * crow[j * RTS];
    }
}
