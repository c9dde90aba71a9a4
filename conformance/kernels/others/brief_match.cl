// @ describe 1024|16384 64 u8:262144|4194304 u16:2048|32768:24..488|2024 i8:1024:-15..16 zeros:u32:8192|131072 512|2048
// @ describe 1024|16384 64 u8:262144|4194304:0..251 u16:2048|32768:24..487|2019 #2 zeros:u32:8192|131072 512|2048
// @ match 1024|16384 64 #3 #6 >u32:2048|32768 1024u|16384u

// Oriented BRIEF: 256 bit binary descriptors at given corners and brute force
// matching with Hamming distance. The orientation is only a quarter turn, from
// the intensity centroid, so the sampling pattern stays on integers.

#define WORDS 8
#define HALF_PATCH 7
#define TILE 64

typedef struct { uint w[WORDS]; } Descriptor;

/* 3x3 box, not normalised */
static inline int smooth(__global const uchar *p, int stride)
{
    int s = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            s += p[dy * stride + dx];
    return s;
}

static inline int2 turn(int2 v, int quarter)
{
    switch (quarter) {
    case 1:  return (int2)(-v.y, v.x);
    case 2:  return -v;
    case 3:  return (int2)(v.y, -v.x);
    default: return v;
    }
}

int orientation(__global const uchar *centre, int stride)
{
    int m10 = 0, m01 = 0;
    for (int y = -HALF_PATCH; y <= HALF_PATCH; ++y)
        for (int x = -HALF_PATCH; x <= HALF_PATCH; ++x) {
            if (x * x + y * y > HALF_PATCH * HALF_PATCH)
                continue;
            int v = centre[y * stride + x];
            m10 += x * v;
            m01 += y * v;
        }
    if (abs(m10) >= abs(m01))
        return m10 >= 0 ? 0 : 2;
    return m01 >= 0 ? 1 : 3;
}

__kernel void describe(__global const uchar *image,
                       __global const ushort2 *corners,
                       __global const char4 *pattern,
                       __global Descriptor *desc,
                       int stride)
{
    int i = get_global_id(0);
    int2 at = convert_int2(corners[i]);
    __global const uchar *centre = image + at.y * stride + at.x;
    int quarter = orientation(centre, stride);

    for (int w = 0; w < WORDS; ++w) {
        uint bits = 0;
        for (int b = 0; b < 32; ++b) {
            int4 test = convert_int4(pattern[w * 32 + b]);
            int2 p = turn(test.xy, quarter);
            int2 q = turn(test.zw, quarter);
            int vp = smooth(centre + p.y * stride + p.x, stride);
            int vq = smooth(centre + q.y * stride + q.x, stride);
            bits |= (uint)(vp < vq) << b;
        }
        desc[i].w[w] = bits;
    }
}

// Per query: index of the nearest, and (second nearest << 16 | nearest) distance
// for the ratio test on the host.
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1)))
void match(__global const Descriptor *query,
           __global const Descriptor *train,
           __global uint2 *matches,
           uint train_count)
{
    __local Descriptor tile[TILE];
    uint i = get_global_id(0);
    uint lid = get_local_id(0);
    Descriptor q = query[i];
    uint best = 1000, second = 1000, who = 0;

    for (uint base = 0; base < train_count; base += TILE) {
        tile[lid] = train[base + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = 0; j < TILE; ++j) {
            uint d = 0;
            for (int w = 0; w < WORDS; ++w)
                d += popcount(q.w[w] ^ tile[j].w[w]);
            if (d < best) {
                second = best;
                best = d;
                who = base + j;
            } else if (d < second) {
                second = d;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    matches[i] = (uint2)(who, second << 16 | best);
}
