// @ bc1_compress 128x128|1024x1024 8x8 u8:1048576|67108864 >u32:32768|2097152 512|4096
//
// DXT1 / BC1 texture compression, one work-item per 4x4 block.
// Two sets of end points are tried (inset bounding box along the dominant
// diagonal, and the darkest / brightest pixel), the better one is written.
// All integer, so that the files are the same on every machine.

typedef struct {
    ushort c0, c1;
    uint   bits;
    uint   error;
} bc1_block;

static inline ushort pack565(int3 c)
{
    int r = (c.x * 31 + 127) / 255;
    int g = (c.y * 63 + 127) / 255;
    int b = (c.z * 31 + 127) / 255;
    return (ushort)((r << 11) | (g << 5) | b);
}

static inline int3 unpack565(ushort v)
{
    int r = v >> 11;
    int g = (v >> 5) & 63;
    int b = v & 31;
    return (int3)((r << 3) | (r >> 2), (g << 2) | (g >> 4), (b << 3) | (b >> 2));
}

static inline uint dist2(int3 a, int3 b)
{
    int3 d = a - b;
    // green counts double
    return (uint)(d.x * d.x + 2 * d.y * d.y + d.z * d.z);
}

static bc1_block fit(const uchar4 px[16], ushort e0, ushort e1)
{
    bc1_block r;
    // four colour mode needs c0 > c1
    r.c0 = max(e0, e1);
    r.c1 = min(e0, e1);
    r.bits = 0;
    r.error = 0;

    int3 pal[4];
    pal[0] = unpack565(r.c0);
    pal[1] = unpack565(r.c1);
    pal[2] = (2 * pal[0] + pal[1]) / 3;
    pal[3] = (pal[0] + 2 * pal[1]) / 3;

    const int usable = r.c0 == r.c1 ? 1 : 4;
    for (int i = 0; i < 16; i++) {
        int3 c = convert_int3(px[i].xyz);
        uint best = dist2(c, pal[0]);
        uint pick = 0;
        for (int k = 1; k < usable; k++) {
            uint d = dist2(c, pal[k]);
            if (d < best) {
                best = d;
                pick = k;
            }
        }
        r.bits |= pick << (2 * i);
        r.error += best;
    }
    return r;
}

__kernel void bc1_compress(__global const uchar4 *image,
                           __global uint2 *blocks,
                           int width)
{
    const int bx = get_global_id(0);
    const int by = get_global_id(1);
    uchar4 px[16];

    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            px[y * 4 + x] = image[(by * 4 + y) * width + bx * 4 + x];

    // bounding box, mean and luma extremes
    int3 lo = (int3)(255), hi = (int3)(0), sum = (int3)(0);
    int dark = 0, bright = 0, lmin = 1 << 20, lmax = -1;
    for (int i = 0; i < 16; i++) {
        int3 c = convert_int3(px[i].xyz);
        int luma = 77 * c.x + 150 * c.y + 29 * c.z;
        lo = min(lo, c);
        hi = max(hi, c);
        sum += c;
        if (luma < lmin) { lmin = luma; dark = i; }
        if (luma > lmax) { lmax = luma; bright = i; }
    }

    // which diagonal of the box?
    int3 mean = (sum + 8) / 16;
    int covRG = 0, covBG = 0;
    for (int i = 0; i < 16; i++) {
        int3 d = convert_int3(px[i].xyz) - mean;
        covRG += d.x * d.y;
        covBG += d.z * d.y;
    }
    int3 inset = (hi - lo) / 16;
    lo = min(lo + inset, 255);
    hi = max(hi - inset, 0);
    if (covRG < 0) { int t = lo.x; lo.x = hi.x; hi.x = t; }
    if (covBG < 0) { int t = lo.z; lo.z = hi.z; hi.z = t; }

    bc1_block a = fit(px, pack565(hi), pack565(lo));
    bc1_block b = fit(px, pack565(convert_int3(px[bright].xyz)), pack565(convert_int3(px[dark].xyz)));
    if (b.error < a.error)
        a = b;

    blocks[by * (width / 4) + bx] = (uint2)((uint)a.c0 | ((uint)a.c1 << 16), a.bits);
}
