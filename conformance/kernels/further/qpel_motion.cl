// @ predict_luma 512x256|4096x4096 8x8 u8:131072|16777216 i8:4096|524288 >u8:131072|16777216

// H.264 luma prediction of 8x8 partitions with quarter sample motion vectors. One
// work-group loads the 13x13 reference samples of a partition, and every work-item
// interpolates one sample (8.4.2.2.1; the letters are those of the standard).

#define PART    8
#define BORDER  2
#define SPAN    (PART + 5)

inline int tap6(int a, int b, int c, int d, int e, int f)
{
    return a - 5 * (b + e) + 20 * (c + d) + f;
}

inline int clip8(int v)
{
    return clamp(v, 0, 255);
}

#define AVG(p, q) (((p) + (q) + 1) >> 1)

// x and y are positions of full samples in the tile
inline int half_horizontal(__local const uchar *t, int x, int y)
{
    __local const uchar *r = t + y * SPAN + x;
    return clip8((tap6(r[-2], r[-1], r[0], r[1], r[2], r[3]) + 16) >> 5);
}

inline int half_vertical(__local const uchar *t, int x, int y)
{
    __local const uchar *r = t + y * SPAN + x;
    return clip8((tap6(r[-2 * SPAN], r[-SPAN], r[0], r[SPAN], r[2 * SPAN], r[3 * SPAN]) + 16) >> 5);
}

inline int half_centre(__local const short *m, int x, int y)
{
    __local const short *r = m + y * PART + x;
    return clip8((tap6(r[-2 * PART], r[-PART], r[0], r[PART], r[2 * PART], r[3 * PART]) + 512) >> 10);
}

__kernel void predict_luma(__global const uchar *reference,
                           __global const char2 *vectors,
                           __global uchar *prediction)
{
    __local uchar tile[SPAN * SPAN];
    __local short middle[SPAN * PART];      // unrounded horizontal half samples

    const int lx = get_local_id(0), ly = get_local_id(1);
    const int lid = ly * PART + lx;
    const int width = get_global_size(0), height = get_global_size(1);

    const char2 mv = vectors[get_group_id(1) * get_num_groups(0) + get_group_id(0)];
    const int fx = mv.x & 3, fy = mv.y & 3;
    const int left = (int)get_group_id(0) * PART + (mv.x >> 2) - BORDER;
    const int top = (int)get_group_id(1) * PART + (mv.y >> 2) - BORDER;

    for (int i = lid; i < SPAN * SPAN; i += PART * PART)
    {
        const int sx = clamp(left + i % SPAN, 0, width - 1);
        const int sy = clamp(top + i / SPAN, 0, height - 1);
        tile[i] = reference[sy * width + sx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // the centre samples come from unrounded intermediates, the rest do not need them
    const int needs_centre = (fx == 2 && fy != 0) || (fy == 2 && fx != 0);
    if (needs_centre)
    {
        for (int i = lid; i < SPAN * PART; i += PART * PART)
        {
            __local const uchar *r = tile + (i / PART) * SPAN + i % PART;
            middle[i] = (short)tap6(r[0], r[1], r[2], r[3], r[4], r[5]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    const int x = lx + BORDER, y = ly + BORDER;
    const int G = tile[y * SPAN + x];
    int v;
    switch (fy * 4 + fx)
    {
    case 0:  v = G; break;
    case 1:  v = AVG(G, half_horizontal(tile, x, y)); break;
    case 2:  v = half_horizontal(tile, x, y); break;
    case 3:  v = AVG(half_horizontal(tile, x, y), tile[y * SPAN + x + 1]); break;
    case 4:  v = AVG(G, half_vertical(tile, x, y)); break;
    case 8:  v = half_vertical(tile, x, y); break;
    case 12: v = AVG(half_vertical(tile, x, y), tile[(y + 1) * SPAN + x]); break;
    case 5:  v = AVG(half_horizontal(tile, x, y), half_vertical(tile, x, y)); break;
    case 7:  v = AVG(half_horizontal(tile, x, y), half_vertical(tile, x + 1, y)); break;
    case 13: v = AVG(half_horizontal(tile, x, y + 1), half_vertical(tile, x, y)); break;
    case 15: v = AVG(half_horizontal(tile, x, y + 1), half_vertical(tile, x + 1, y)); break;
    case 6:  v = AVG(half_horizontal(tile, x, y), half_centre(middle, lx, y)); break;
    case 14: v = AVG(half_horizontal(tile, x, y + 1), half_centre(middle, lx, y)); break;
    case 9:  v = AVG(half_vertical(tile, x, y), half_centre(middle, lx, y)); break;
    case 11: v = AVG(half_vertical(tile, x + 1, y), half_centre(middle, lx, y)); break;
    default: v = half_centre(middle, lx, y); break;     // 10
    }
    prediction[get_global_id(1) * width + get_global_id(0)] = (uchar)v;
}
