// @ wave_step 512x512|4096x4096 16x16 f32:262144|16777216:-1..1 f32:262144|16777216:-1..1 f32:262144|16777216:0.05..0.3 >f32:262144|16777216 512|4096 512|4096 20 0.015f

#define TILE 16
#define RAD  2
#define TW   (TILE + 2 * RAD)

#define C0 (-2.5f)
#define C1 (1.33333333f)
#define C2 (-0.08333333f)

// u_next = 2u - u_prev + (c dt/dx)^2 Lap4(u), with a sponge at the rim
__kernel void wave_step(__global const float *u,
                        __global const float *uprev,
                        __global const float *courant2,
                        __global float *unext,
                        int nx, int ny,
                        int sponge, float decay)
{
    __local float t[TW][TW];
    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int gx = get_global_id(0);
    const int gy = get_global_id(1);
    const int bx = get_group_id(0) * TILE - RAD;
    const int by = get_group_id(1) * TILE - RAD;

    for (int j = ly; j < TW; j += TILE)
        for (int i = lx; i < TW; i += TILE) {
            int x = bx + i, y = by + j;
            int inside = x >= 0 && x < nx && y >= 0 && y < ny;
            t[j][i] = inside ? u[y * nx + x] : 0.0f;
        }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (gx >= nx || gy >= ny)
        return;

    const int cx = lx + RAD, cy = ly + RAD;
    float uc = t[cy][cx];
    float lap = 2.0f * C0 * uc;
    lap += C1 * (t[cy][cx - 1] + t[cy][cx + 1] + t[cy - 1][cx] + t[cy + 1][cx]);
    lap += C2 * (t[cy][cx - 2] + t[cy][cx + 2] + t[cy - 2][cx] + t[cy + 2][cx]);

    int edge = min(min(gx, nx - 1 - gx), min(gy, ny - 1 - gy));
    float damp = 1.0f;
    if (edge < sponge) {
        float d = decay * (float)(sponge - edge);
        damp = exp(-d * d);
    }

    int at = gy * nx + gx;
    unext[at] = damp * (2.0f * uc - damp * uprev[at] + courant2[at] * lap);
}
