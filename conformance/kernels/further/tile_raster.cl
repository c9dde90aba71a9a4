// @ raster_tiles 128x128|512x512 16x16 u16:3072|196608:0..8192 i16:3072|196608:-640..640 u16:3072|196608 >u32:16384|262144 1024|65536

// A software rasteriser's visibility pass: tiles of 16x16 pixels, triangles in fixed point
// with four fractional bits. Triangles go through a work-group in batches: each work-item
// culls one of them against the tile, then each shades its pixel by those that are left.
// The result is the nearest triangle, depth in the upper half of a word and number below.

#define TILE   16
#define BATCH  (TILE * TILE)
#define SUB    16               // units of a pixel

typedef struct {
    int a, b;                   // the edge function is a * x + b * y + c
    int c;
} Edge;

typedef struct {
    Edge e[3];
    int z[3];
    int area;
    uint id;
} Setup;

inline Edge make_edge(int2 p, int2 q)
{
    Edge e;
    e.a = p.y - q.y;
    e.b = q.x - p.x;
    e.c = -(e.a * p.x + e.b * p.y);
    // top-left rule: samples on other edges are out
    const bool top_left = e.a > 0 || (e.a == 0 && e.b < 0);
    e.c -= top_left ? 0 : 1;
    return e;
}

inline int eval(const Edge *e, int x, int y)
{
    return e->a * x + e->b * y + e->c;
}

__kernel void raster_tiles(__global const ushort *anchors,      // x, y, unused
                           __global const short *offsets,       // of three corners, which share them
                           __global const ushort *depths,       // of three corners
                           __global uint *visible,
                           const uint count)
{
    __local Setup batch[BATCH];
    __local uint kept;

    const int lid = get_local_id(1) * TILE + get_local_id(0);
    const int width = get_global_size(0), height = get_global_size(1);
    const int2 tile_lo = (int2)(get_group_id(0), get_group_id(1)) * (TILE * SUB);
    const int2 tile_hi = tile_lo + (TILE * SUB - 1);
    const int px = (int)get_global_id(0) * SUB + SUB / 2;
    const int py = (int)get_global_id(1) * SUB + SUB / 2;

    uint nearest = 0xffffffffu;

    for (uint start = 0; start < count; start += BATCH)
    {
        if (lid == 0)
            kept = 0;
        barrier(CLK_LOCAL_MEM_FENCE);

        const uint t = start + lid;
        if (t < count)
        {
            const int2 anchor = (int2)((anchors[t * 3] * width) >> 9, (anchors[t * 3 + 1] * height) >> 9);
            const int o0 = offsets[t * 3], o1 = offsets[t * 3 + 1], o2 = offsets[t * 3 + 2];
            int2 p0 = anchor + (int2)(o0, o1);
            int2 p1 = anchor + (int2)(o1, o2);
            int2 p2 = anchor + (int2)(o2, o0);
            int z1 = depths[t * 3 + 1], z2 = depths[t * 3 + 2];

            int area = (p1.x - p0.x) * (p2.y - p0.y) - (p1.y - p0.y) * (p2.x - p0.x);
            if (area < 0)
            {
                const int2 swap = p1; p1 = p2; p2 = swap;
                const int z = z1; z1 = z2; z2 = z;
                area = -area;
            }
            const int2 lo = min(p0, min(p1, p2)), hi = max(p0, max(p1, p2));
            if (area > 0 && all(lo <= tile_hi) && all(hi >= tile_lo))
            {
                Setup s;
                s.e[0] = make_edge(p1, p2);
                s.e[1] = make_edge(p2, p0);
                s.e[2] = make_edge(p0, p1);
                // reject if the best corner of the tile is outside of an edge
                bool out = false;
                for (int k = 0; k < 3; k++)
                    out |= eval(&s.e[k], s.e[k].a > 0 ? tile_hi.x : tile_lo.x,
                                         s.e[k].b > 0 ? tile_hi.y : tile_lo.y) < 0;
                if (!out)
                {
                    s.z[0] = depths[t * 3];
                    s.z[1] = z1;
                    s.z[2] = z2;
                    s.area = area;
                    s.id = t;
                    batch[atomic_inc(&kept)] = s;
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        const uint n = kept;
        for (uint i = 0; i < n; i++)
        {
            const Setup s = batch[i];
            const int w0 = eval(&s.e[0], px, py);
            const int w1 = eval(&s.e[1], px, py);
            const int w2 = eval(&s.e[2], px, py);
            if ((w0 | w1 | w2) >= 0)
            {
                const long z = ((long)w0 * s.z[0] + (long)w1 * s.z[1] + (long)w2 * s.z[2]) / s.area;
                nearest = min(nearest, (uint)min(z, 65535L) << 16 | s.id);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    visible[get_global_id(1) * width + get_global_id(0)] = nearest;
}
