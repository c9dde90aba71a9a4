// @ guided_self 320x240|3840x2160 16x12 f32:76800|8294400 >f32:76800|8294400 0.005f

/* Edge preserving smoothing by the guided filter of He et al., the image being its own
 * guide. All of it in one kernel: a tile with twice the radius around it is loaded, means
 * and variances of windows give coefficients a and b, whose means are applied. */

#define R       3
#define TX      16
#define TY      12
#define IN_X    (TX + 4 * R)
#define IN_Y    (TY + 4 * R)
#define AB_X    (TX + 2 * R)
#define AB_Y    (TY + 2 * R)
#define AREA    ((2 * R + 1) * (2 * R + 1))

kernel void guided_self(global const float *restrict src, global float *restrict dst, float eps)
{
    local float tile[IN_Y][IN_X];
    local float2 rows[IN_Y][AB_X];      // sums over rows of windows, then of a and b
    local float2 ab[AB_Y][AB_X];

    const int w = get_global_size(0), h = get_global_size(1);
    const int x0 = get_group_id(0) * TX - 2 * R;
    const int y0 = get_group_id(1) * TY - 2 * R;
    const int lid = get_local_id(1) * TX + get_local_id(0);

    for (int i = lid; i < IN_X * IN_Y; i += TX * TY) {
        int tx = i % IN_X, ty = i / IN_X;
        /* mirrored at the borders */
        int x = abs(x0 + tx), y = abs(y0 + ty);
        x = x < w ? x : 2 * w - 2 - x;
        y = y < h ? y : 2 * h - 2 - y;
        tile[ty][tx] = src[y * w + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = lid; i < AB_X * IN_Y; i += TX * TY) {
        int tx = i % AB_X, ty = i / AB_X;
        float s = 0, q = 0;
        for (int k = 0; k <= 2 * R; k++) {
            float v = tile[ty][tx + k];
            s += v;
            q = mad(v, v, q);
        }
        rows[ty][tx] = (float2)(s, q);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = lid; i < AB_X * AB_Y; i += TX * TY) {
        int tx = i % AB_X, ty = i / AB_X;
        float2 m = 0;
        for (int k = 0; k <= 2 * R; k++)
            m += rows[ty + k][tx];
        m /= AREA;
        float variance = fmax(m.y - m.x * m.x, 0.0f);
        float a = variance / (variance + eps);
        ab[ty][tx] = (float2)(a, m.x - a * m.x);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = lid; i < TX * AB_Y; i += TX * TY) {
        int tx = i % TX, ty = i / TX;
        float2 s = 0;
        for (int k = 0; k <= 2 * R; k++)
            s += ab[ty][tx + k];
        rows[ty][tx] = s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const int lx = get_local_id(0), ly = get_local_id(1);
    float2 m = 0;
    for (int k = 0; k <= 2 * R; k++)
        m += rows[ly + k][lx];
    dst[get_global_id(1) * w + get_global_id(0)] = (m.x * tile[ly + 2 * R][lx + 2 * R] + m.y) / AREA;
}
