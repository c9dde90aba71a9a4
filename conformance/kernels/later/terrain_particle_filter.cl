// @ terrain_filter 4096|1048576 128 u8:65536|1048576:0..200 i16:512|131072:-700..700 u8:256|65536:40..160 u32:32|8192 >i32:256|65536 8|10 8

/*
 * Terrain aided navigation with a bootstrap particle filter, in fixed point
 * (positions 24.8, weights 0.16) as it runs on the vehicle.
 *
 * One vehicle per work-group, a particle per work-item. The map is a square of
 * 2^log2_side cells that wraps around; each step has an odometer reading (dx, dy)
 * and an altimeter reading.
 */

#define PARTICLES 128

/* exp(-d^2 / 2 / 18^2) in 0.16 for differences 0, 4, 8, ... of the height */
__constant ushort likelihood[16] = {
    65535, 63938, 59375, 52482, 44158, 35365, 26960, 19561,
    13510, 8882, 5558, 3311, 1878, 1014, 521, 255,
};

int2 wander(uint *lcg)
{
    uint a = *lcg * 1664525u + 1013904223u;
    uint b = a * 1664525u + 1013904223u;
    *lcg = b;
    /* triangular, two cells either way */
    int2 n;
    n.x = (int)(a >> 24) + (int)((a >> 16) & 255u) - 255;
    n.y = (int)(b >> 24) + (int)((b >> 16) & 255u) - 255;
    return n;
}

/* bilinear height in 1/16 of a unit */
int height(__global const uchar *map, int2 p, uint log2_side)
{
    const int mask = (1 << log2_side) - 1;
    const int2 c = (p >> 8) & mask;
    const int2 d = (c + 1) & mask;
    const int2 f = (p & 255) >> 4;
    const int h00 = map[(c.y << log2_side) + c.x];
    const int h10 = map[(c.y << log2_side) + d.x];
    const int h01 = map[(d.y << log2_side) + c.x];
    const int h11 = map[(d.y << log2_side) + d.x];
    const int top = mad24(h10 - h00, f.x, h00 << 4);
    const int low = mad24(h11 - h01, f.x, h01 << 4);
    return ((top << 4) + (low - top) * f.y) >> 4;
}

__kernel __attribute__((reqd_work_group_size(PARTICLES, 1, 1)))
void terrain_filter(__global const uchar *map,
                    __global const short2 *odometer,
                    __global const uchar *altimeter,
                    __global const uint *seeds,
                    __global int8 *tracks,
                    const uint log2_side,
                    const int steps)
{
    __local int2 swarm[PARTICLES];
    __local uint cdf[PARTICLES];
    __local int moved;

    const uint me = get_local_id(0);
    const uint vehicle = get_group_id(0);
    uint lcg = seeds[vehicle] ^ (me * 0x9e3779b9u);

    int2 pos = wander(&lcg) * 8 + (1 << (log2_side + 7));
    if (me == 0)
        moved = 0;

    for (int step = 0; step < steps; step++) {
        const short2 move = odometer[vehicle * steps + step];
        pos += convert_int2(move) + wander(&lcg);

        const int seen = (int)altimeter[vehicle * steps + step] << 4;
        const uint miss = abs_diff(height(map, pos, log2_side), seen) >> 4;
        /* a floor, so that no swarm dies */
        const uint weight = 64u + likelihood[min(miss >> 2, 15u)];

        /* inclusive scan */
        cdf[me] = weight;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint offset = 1; offset < PARTICLES; offset <<= 1) {
            const uint below = me >= offset ? cdf[me - offset] : 0u;
            barrier(CLK_LOCAL_MEM_FENCE);
            cdf[me] += below;
            barrier(CLK_LOCAL_MEM_FENCE);
        }

        /* systematic resampling */
        swarm[me] = pos;
        const uint total = cdf[PARTICLES - 1];
        const uint comb = (seeds[vehicle] >> (step & 15)) & 0xffffu;
        const uint want = (uint)(((ulong)total * ((me << 16) + comb)) / ((ulong)PARTICLES << 16));
        barrier(CLK_LOCAL_MEM_FENCE);

        uint lo = 0, hi = PARTICLES - 1;
        while (lo < hi) {
            const uint mid = (lo + hi) >> 1;
            if (cdf[mid] > want)
                hi = mid;
            else
                lo = mid + 1;
        }
        pos = swarm[lo];
        if (lo != me)
            atomic_inc(&moved);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    /* Where the swarm is: sums of positions and extent, by the first work-item */
    swarm[me] = pos;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0) {
        int2 lo = pos, hi = pos, sum = (int2)(0);
        for (int i = 0; i < PARTICLES; i++) {
            sum += swarm[i] >> 4;
            lo = min(lo, swarm[i]);
            hi = max(hi, swarm[i]);
        }
        tracks[vehicle] = (int8)(sum, lo, hi, moved, (int)cdf[PARTICLES - 1]);
    }
}
