// @ bosco 256x1024|2048x8192 16x16 u8:1048576|67108864:0..2 >u8:1048576|67108864 34u 45u 34u 58u

// "Larger than Life", radius 5, on a torus: a cell is born with 34 to 45 live cells in the
// 11x11 around it, and survives with 34 to 58, itself counted (Bosco's rule). Four cells a
// work-item, as bytes of a vector. Counts are at most 121, so all sums fit into bytes.

#define RADIUS  5
#define LX      16
#define LY      16
#define PAD     2                       // vectors to the left and to the right
#define TILE_X  (LX + 2 * PAD)
#define TILE_Y  (LY + 2 * RADIUS)

__kernel __attribute__((reqd_work_group_size(LX, LY, 1)))
void bosco(__global const uchar4 *before, __global uchar4 *after,
           const uint born_min, const uint born_max,
           const uint stay_min, const uint stay_max)
{
    __local uchar4 tile[TILE_Y][TILE_X];
    __local uchar4 columns[LY][TILE_X];

    const int lx = get_local_id(0), ly = get_local_id(1);
    const int vectors = get_global_size(0), rows = get_global_size(1);
    const int x0 = (int)get_group_id(0) * LX - PAD;
    const int y0 = (int)get_group_id(1) * LY - RADIUS;

    for (int y = ly; y < TILE_Y; y += LY) {
        const int sy = (y0 + y + rows) % rows;
        for (int x = lx; x < TILE_X; x += LX)
            tile[y][x] = before[sy * vectors + (x0 + x + vectors) % vectors];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // sums of 11 cells down
    for (int x = lx; x < TILE_X; x += LX) {
        uchar4 sum = tile[ly][x];
        for (int k = 1; k <= 2 * RADIUS; k++)
            sum += tile[ly + k][x];
        columns[ly][x] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // and of 11 columns across; a window slides over the bytes of five vectors
    __local const uchar *c = (__local const uchar *)&columns[ly][lx];
    uchar window = 0;
    for (int k = 3; k < 13; k++)
        window += c[k];
    uchar4 count;
    window += c[13];  count.x = window;
    window += c[14] - c[3];  count.y = window;
    window += c[15] - c[4];  count.z = window;
    window += c[16] - c[5];  count.w = window;

    const uchar4 alive = tile[ly + RADIUS][lx + PAD];
    const uchar4 low = select((uchar4)(born_min), (uchar4)(stay_min), alive != (uchar4)(0));
    const uchar4 high = select((uchar4)(born_max), (uchar4)(stay_max), alive != (uchar4)(0));
    const char4 next = (count >= low) & (count <= high);
    after[get_global_id(1) * vectors + get_global_id(0)] = as_uchar4(next) & (uchar)1;
}
