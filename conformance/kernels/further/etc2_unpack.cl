// @ etc2_rgb8 256x256|2048x2048 32x2 u32:131072|8388608 >u32:1048576|67108864

// Unpacks ETC2 RGB8 textures, one block of 4x4 texels for a work-item, into RGBA8.
// Words of blocks are big-endian in the file.

__constant int intensity[8][4] = {
    {  2,   8,  -2,   -8 },
    {  5,  17,  -5,  -17 },
    {  9,  29,  -9,  -29 },
    { 13,  42, -13,  -42 },
    { 18,  60, -18,  -60 },
    { 24,  80, -24,  -80 },
    { 33, 106, -33, -106 },
    { 47, 183, -47, -183 }
};

__constant int distances[8] = { 3, 6, 11, 16, 23, 32, 41, 64 };

static uint big_endian(uint w)
{
    return as_uint(as_uchar4(w).wzyx);
}

#define BITS(word, high, count) (((word) >> ((high) - (count) + 1)) & ((1u << (count)) - 1u))

static int extend4(uint v) { return (int)(v << 4 | v); }
static int extend5(uint v) { return (int)(v << 3 | v >> 2); }
static int extend6(uint v) { return (int)(v << 2 | v >> 4); }
static int extend7(uint v) { return (int)(v << 1 | v >> 6); }

static uint pack(int3 c)
{
    const uchar3 b = convert_uchar3_sat(c);
    return as_uint((uchar4)(b, 255));
}

// index of texel (x, y): two bits, stored in columns
static uint selector(uint low, int x, int y)
{
    const int k = x * 4 + y;
    return (low >> (k + 16) & 1) << 1 | (low >> k & 1);
}

static void unpack_planar(uint hi, uint lo, __global uint *out, int pitch)
{
    const int3 o = (int3)(extend6(BITS(hi, 30, 6)),
                          extend7(BITS(hi, 24, 1) << 6 | BITS(hi, 22, 6)),
                          extend6(BITS(hi, 16, 1) << 5 | BITS(hi, 12, 2) << 3 | BITS(hi, 9, 3)));
    const int3 h = (int3)(extend6(BITS(hi, 6, 5) << 1 | BITS(hi, 0, 1)),
                          extend7(BITS(lo, 31, 7)),
                          extend6(BITS(lo, 24, 6)));
    const int3 v = (int3)(extend6(BITS(lo, 18, 6)),
                          extend7(BITS(lo, 12, 7)),
                          extend6(BITS(lo, 5, 6)));
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            out[y * pitch + x] = pack((x * (h - o) + y * (v - o) + 4 * o + 2) >> 2);
}

static void unpack_paint(const int3 *paint, uint lo, __global uint *out, int pitch)
{
    uint colours[4];
    for (int i = 0; i < 4; i++)
        colours[i] = pack(paint[i]);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            out[y * pitch + x] = colours[selector(lo, x, y)];
}

static void unpack_halves(int3 a, int3 b, uint hi, uint lo, __global uint *out, int pitch)
{
    const int flip = hi & 1;
    __constant int *ta = intensity[BITS(hi, 7, 3)];
    __constant int *tb = intensity[BITS(hi, 4, 3)];
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 4; x++) {
            const int second = (flip ? y : x) >= 2;
            const uint s = selector(lo, x, y);
            out[y * pitch + x] = pack(second ? b + tb[s] : a + ta[s]);
        }
    }
}

__kernel void etc2_rgb8(__global const uint2 *blocks, __global uint *texels)
{
    const int bx = get_global_id(0), by = get_global_id(1);
    const int pitch = get_global_size(0) * 4;
    const uint2 block = blocks[by * get_global_size(0) + bx];
    const uint hi = big_endian(block.x), lo = big_endian(block.y);
    __global uint *out = texels + by * 4 * pitch + bx * 4;

    if (!(hi & 2)) {
        const int3 a = (int3)(extend4(BITS(hi, 31, 4)), extend4(BITS(hi, 23, 4)), extend4(BITS(hi, 15, 4)));
        const int3 b = (int3)(extend4(BITS(hi, 27, 4)), extend4(BITS(hi, 19, 4)), extend4(BITS(hi, 11, 4)));
        unpack_halves(a, b, hi, lo, out, pitch);
        return;
    }

    // base colour and signed differences of three bits
    const int3 base = (int3)(BITS(hi, 31, 5), BITS(hi, 23, 5), BITS(hi, 15, 5));
    const int3 diff = ((int3)(BITS(hi, 26, 3), BITS(hi, 18, 3), BITS(hi, 10, 3)) ^ 4) - 4;
    const int3 other = base + diff;

    if (other.x < 0 || other.x > 31) {              // T mode
        const int3 c1 = (int3)(extend4(BITS(hi, 28, 2) << 2 | BITS(hi, 25, 2)),
                               extend4(BITS(hi, 23, 4)), extend4(BITS(hi, 19, 4)));
        const int3 c2 = (int3)(extend4(BITS(hi, 15, 4)), extend4(BITS(hi, 11, 4)), extend4(BITS(hi, 7, 4)));
        const int d = distances[BITS(hi, 3, 2) << 1 | (hi & 1)];
        int3 paint[4];
        paint[0] = c1;
        paint[1] = c2 + d;
        paint[2] = c2;
        paint[3] = c2 - d;
        unpack_paint(paint, lo, out, pitch);
    } else if (other.y < 0 || other.y > 31) {       // H mode
        const uint3 r1 = (uint3)(BITS(hi, 30, 4), BITS(hi, 26, 3) << 1 | BITS(hi, 20, 1),
                                 BITS(hi, 19, 1) << 3 | BITS(hi, 17, 3));
        const uint3 r2 = (uint3)(BITS(hi, 14, 4), BITS(hi, 10, 4), BITS(hi, 6, 4));
        const uint v1 = r1.x << 8 | r1.y << 4 | r1.z, v2 = r2.x << 8 | r2.y << 4 | r2.z;
        const int d = distances[BITS(hi, 2, 1) << 2 | BITS(hi, 0, 1) << 1 | (v1 >= v2 ? 1 : 0)];
        const int3 c1 = convert_int3(r1 * 17u), c2 = convert_int3(r2 * 17u);
        int3 paint[4];
        paint[0] = c1 + d;
        paint[1] = c1 - d;
        paint[2] = c2 + d;
        paint[3] = c2 - d;
        unpack_paint(paint, lo, out, pitch);
    } else if (other.z < 0 || other.z > 31) {
        unpack_planar(hi, lo, out, pitch);
    } else {
        const int3 a = base << 3 | base >> 2, b = other << 3 | other >> 2;
        unpack_halves(a, b, hi, lo, out, pitch);
    }
}
