// @ clahe_build_luts 16384|1048576 256 u8:262144|16777216:20..180 zeros:u8:16384|1048576 512|4096 8|64 40
// @ clahe_apply 512x512|4096x4096 32x8 #0 #1 >u8:262144|16777216 512|4096 8|64 8|64
/*
 * Contrast limited adaptive histogram equalisation with 64x64 tiles.
 *   1. clahe_build_luts: one work-group per tile -> 256-byte lookup table
 *   2. clahe_apply:      bilinear blend of the four closest tables
 */
#define TILE 64
#define BINS 256

__kernel __attribute__((reqd_work_group_size(BINS, 1, 1)))
void clahe_build_luts(__global const uchar *image,
                      __global uchar *luts,
                      int pitch,
                      int tiles_x,
                      int clip_limit)
{
    __local int hist[BINS];
    __local int excess;
    int lid = get_local_id(0);
    int tile = get_group_id(0);
    int tx = tile % tiles_x;
    int ty = tile / tiles_x;

    hist[lid] = 0;
    if (lid == 0)
        excess = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    /* 4 rows of 64 pixels at a time */
    __global const uchar *p = image + (ty * TILE + (lid >> 6)) * pitch + tx * TILE + (lid & 63);
    for (int y = 0; y < TILE; y += 4) {
        atomic_inc(&hist[*p]);
        p += 4 * pitch;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    int over = hist[lid] - clip_limit;
    if (over > 0) {
        atomic_add(&excess, over);
        hist[lid] = clip_limit;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    int share = excess / BINS;
    int rest = excess - share * BINS;
    hist[lid] += share + (lid < rest ? 1 : 0);
    barrier(CLK_LOCAL_MEM_FENCE);

    /* inclusive scan */
    for (int d = 1; d < BINS; d <<= 1) {
        int t = lid >= d ? hist[lid - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        hist[lid] += t;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    luts[tile * BINS + lid] = convert_uchar_sat((hist[lid] * 255 + TILE * TILE / 2) / (TILE * TILE));
}

__kernel void clahe_apply(__global const uchar *image,
                          __global const uchar *luts,
                          __global uchar *result,
                          int pitch,
                          int tiles_x,
                          int tiles_y)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int v = image[y * pitch + x];

    /* position relative to the tile centres */
    int fx = x - TILE / 2;
    int fy = y - TILE / 2;
    int tx = fx >> 6;
    int ty = fy >> 6;
    int wx = fx & (TILE - 1);
    int wy = fy & (TILE - 1);

    int tx0 = max(tx, 0), tx1 = min(tx + 1, tiles_x - 1);
    int ty0 = max(ty, 0), ty1 = min(ty + 1, tiles_y - 1);

    int a = luts[(ty0 * tiles_x + tx0) * BINS + v];
    int b = luts[(ty0 * tiles_x + tx1) * BINS + v];
    int c = luts[(ty1 * tiles_x + tx0) * BINS + v];
    int d = luts[(ty1 * tiles_x + tx1) * BINS + v];

    int top = mul24(a, TILE - wx) + mul24(b, wx);
    int bot = mul24(c, TILE - wx) + mul24(d, wx);
    int out = mul24(top, TILE - wy) + mul24(bot, wy);
    result[y * pitch + x] = (uchar)((out + TILE * TILE / 2) >> 12);
}
