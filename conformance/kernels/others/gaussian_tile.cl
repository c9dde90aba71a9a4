// @ gaussian_blur 512x512|4096x4096 16x16 f32:262144|16777216 >f32:262144|16777216 512u|4096u 512u|4096u

#ifndef RADIUS
#define RADIUS 4
#endif
#define TS   16
#define APRN (TS + 2 * RADIUS)

__constant float WEIGHTS[2 * RADIUS + 1] = {
    0.0276306f, 0.0662822f, 0.1238315f, 0.1801738f, 0.2041636f,
    0.1801738f, 0.1238315f, 0.0662822f, 0.0276306f
};

// Both passes in one kernel: the tile with its apron goes to local memory,
// is filtered along x into a second tile, and that one along y.
__kernel void gaussian_blur(
    __global const float* restrict input,
    __global float* restrict output,
    const uint width,
    const uint height)
{
    __local float tile[APRN][APRN + 1];
    __local float rows[APRN][TS + 1];

    const int lx = get_local_id(0), ly = get_local_id(1);
    const int gx = get_global_id(0), gy = get_global_id(1);
    const int baseX = (int)get_group_id(0) * TS - RADIUS;
    const int baseY = (int)get_group_id(1) * TS - RADIUS;

    for (int y = ly; y < APRN; y += TS) {
        const int sy = clamp(baseY + y, 0, (int)height - 1);
        for (int x = lx; x < APRN; x += TS) {
            const int sx = clamp(baseX + x, 0, (int)width - 1);
            tile[y][x] = input[sy * width + sx];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int y = ly; y < APRN; y += TS) {
        float acc = 0.0f;
        #pragma unroll
        for (int k = 0; k <= 2 * RADIUS; k++)
            acc += WEIGHTS[k] * tile[y][lx + k];
        rows[y][lx] = acc;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (gx >= width || gy >= height) return;

    float acc = 0.0f;
    #pragma unroll
    for (int k = 0; k <= 2 * RADIUS; k++)
        acc += WEIGHTS[k] * rows[ly + k][lx];
    output[gy * width + gx] = acc;
}
