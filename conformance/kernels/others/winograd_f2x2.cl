// @ wino_filter 64x64|256x256 64x1 f32:36864|589824:-0.2..0.2 zeros:f32:65536|1048576 64|256 64|256
// @ wino_input 256x64|4096x256 64x1 f32:65536|4194304:-1..1 zeros:f32:262144|16777216 32|128 32|128 64|256
// @ wino_gemm 256x1024|4096x4096 16x16 #1 #3 zeros:f32:262144|16777216 64|256 64|256 256|4096
// @ wino_output 256x64|4096x256 64x1 #4 f32:64|256:-0.5..0.5 >f32:65536|4194304 32|128 32|128 64|256

// Winograd F(2x2, 3x3) convolution, padding 1, NCHW with N = 1, in four steps:
//   U = G g G'       [16][K][C]
//   V = B' d B       [16][C][tiles]
//   M = U V          16 matrix products
//   Y = A' m A       + bias, ReLU

#define TS 16

__kernel void wino_filter(__global const float *g, __global float *U, int C, int K)
{
    const int c = get_global_id(0), k = get_global_id(1);
    if (c >= C || k >= K)
        return;
    g += (k * C + c) * 9;

    float t[4][3];
    for (int j = 0; j < 3; j++) {
        const float a = g[j], b = g[3 + j], d = g[6 + j];
        t[0][j] = a;
        t[1][j] = 0.5f * (a + b + d);
        t[2][j] = 0.5f * (a - b + d);
        t[3][j] = d;
    }
    for (int i = 0; i < 4; i++) {
        const float u[4] = {
            t[i][0],
            0.5f * (t[i][0] + t[i][1] + t[i][2]),
            0.5f * (t[i][0] - t[i][1] + t[i][2]),
            t[i][2]
        };
        for (int j = 0; j < 4; j++)
            U[((i * 4 + j) * K + k) * C + c] = u[j];
    }
}

__kernel void wino_input(__global const float *in, __global float *V, int H, int W, int C)
{
    const int tile = get_global_id(0), c = get_global_id(1);
    const int tw = W / 2, tiles = tw * (H / 2);
    if (tile >= tiles)
        return;
    const int x0 = (tile % tw) * 2 - 1;
    const int y0 = (tile / tw) * 2 - 1;

    float d[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const int y = y0 + i, x = x0 + j;
            d[i][j] = (y >= 0 && y < H && x >= 0 && x < W) ? in[(c * H + y) * W + x] : 0.0f;
        }

    float t[4][4];
    for (int j = 0; j < 4; j++) {
        t[0][j] = d[0][j] - d[2][j];
        t[1][j] = d[1][j] + d[2][j];
        t[2][j] = d[2][j] - d[1][j];
        t[3][j] = d[1][j] - d[3][j];
    }
    for (int i = 0; i < 4; i++) {
        __global float *o = V + ((i * 4) * C + c) * tiles + tile;
        o[0 * C * tiles] = t[i][0] - t[i][2];
        o[1 * C * tiles] = t[i][1] + t[i][2];
        o[2 * C * tiles] = t[i][2] - t[i][1];
        o[3 * C * tiles] = t[i][1] - t[i][3];
    }
}

__kernel void wino_gemm(__global const float *U, __global const float *V, __global float *M,
                        int C, int K, int tiles)
{
    __local float us[TS][TS];
    __local float vs[TS][TS + 1];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int tile = get_global_id(0);
    const int xi = get_group_id(1) / (K / TS);              // 0..15
    const int k  = (get_group_id(1) % (K / TS)) * TS + ly;

    U += xi * K * C;
    V += xi * C * tiles;
    float acc = 0.0f;
    for (int c0 = 0; c0 < C; c0 += TS) {
        us[ly][lx] = U[k * C + c0 + lx];
        vs[ly][lx] = V[(c0 + ly) * tiles + tile];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int c = 0; c < TS; c++)
            acc = mad(us[ly][c], vs[c][lx], acc);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    M[(xi * K + k) * tiles + tile] = acc;
}

__kernel void wino_output(__global const float *M, __global const float *bias, __global float *out,
                          int H, int W, int K)
{
    const int tile = get_global_id(0), k = get_global_id(1);
    const int tw = W / 2, tiles = tw * (H / 2);
    if (tile >= tiles)
        return;

    float s[2][4];
    for (int j = 0; j < 4; j++) {
        float m[4];
        for (int i = 0; i < 4; i++)
            m[i] = M[((i * 4 + j) * K + k) * tiles + tile];
        s[0][j] = m[0] + m[1] + m[2];
        s[1][j] = m[1] - m[2] - m[3];
    }
    const float b = bias[k];
    const int x = (tile % tw) * 2, y = (tile / tw) * 2;
    for (int i = 0; i < 2; i++) {
        float2 r;
        r.x = s[i][0] + s[i][1] + s[i][2] + b;
        r.y = s[i][1] - s[i][2] - s[i][3] + b;
        vstore2(fmax(r, 0.0f), 0, out + (k * H + y + i) * W + x);
    }
}
