// @ and_containers 32768|1048576 64 u64:524288|16777216 u8:262144|8388608:1..128 u8:512|16384 >u32:1049088|33570816

// Intersections of Roaring bitmap containers (65536 values each). On the left is always
// a bitmap; on the right, by type, an array of 512 sorted values (stored as gaps) or 256
// runs (gap and length). The result is a bitmap and its cardinality.

#define WORDS  1024             // of 64 bits
#define GROUP  64
#define BYTES  512

typedef enum { ARRAY_CONTAINER, RUN_CONTAINER } container_type;

// Exclusive prefix sum of a value of each work-item
uint exclusive_scan(uint v, __local uint *scratch)
{
    const uint lid = get_local_id(0);
    scratch[lid] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < GROUP; d <<= 1) {
        const uint t = lid >= d ? scratch[lid - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        scratch[lid] += t;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return scratch[lid] - v;
}

void set_bit(__local uint *bits, uint value)
{
    atomic_or(&bits[value >> 5], 1u << (value & 31));
}

// sets bits first to last, both included
void set_range(__local uint *bits, uint first, uint last)
{
    const uint w0 = first >> 5, w1 = last >> 5;
    const uint m0 = ~0u << (first & 31), m1 = ~0u >> (31 - (last & 31));
    if (w0 == w1) {
        atomic_or(&bits[w0], m0 & m1);
        return;
    }
    atomic_or(&bits[w0], m0);
    for (uint w = w0 + 1; w < w1; w++)
        atomic_or(&bits[w], ~0u);
    atomic_or(&bits[w1], m1);
}

__kernel void and_containers(__global const ulong *bitmaps,
                             __global const uchar8 *packed,
                             __global const uchar *types,
                             __global uint *result)
{
    __local uint right[2 * WORDS];
    __local uint scratch[GROUP];
    __local uint cardinality;

    const uint lid = get_local_id(0);
    const size_t group = get_group_id(0);
    const container_type type = types[group] & 1 ? RUN_CONTAINER : ARRAY_CONTAINER;

    for (uint i = lid; i < 2 * WORDS; i += GROUP)
        right[i] = 0;
    if (lid == 0)
        cardinality = 0;

    uchar g[8];
    vstore8(packed[group * (BYTES / 8) + lid], 0, g);
    uint advance = 0;
    for (int i = 0; i < 8; i++)
        advance += g[i];
    uint at = exclusive_scan(advance, scratch);     // has barriers
    if (type == ARRAY_CONTAINER) {
        for (int i = 0; i < 8; i++) {
            at += g[i];
            set_bit(right, at - 1);
        }
    } else {
        for (int i = 0; i < 8; i += 2) {
            at += g[i];
            set_range(right, at - 1, at - 1 + g[i + 1] - 1);
            at += g[i + 1];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    __global const ulong *left = bitmaps + group * WORDS;
    __global uint *out = result + group * (2 * WORDS + 1);
    uint count = 0;
    for (uint i = lid; i < WORDS; i += GROUP) {
        const ulong w = left[i] & ((ulong)right[2 * i + 1] << 32 | right[2 * i]);
        count += (uint)popcount(w);
        out[1 + 2 * i] = (uint)w;
        out[2 + 2 * i] = (uint)(w >> 32);
    }
    atomic_add(&cardinality, count);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        out[0] = cardinality;
}
