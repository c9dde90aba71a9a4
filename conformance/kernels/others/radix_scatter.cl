// @ block_counts 65536|4194304 256 u32:131072|8388608 zeros:u32:4096|262144 12u
// @ scan_counts 256 256 #1 4096|262144
// @ scatter_pairs 65536|4194304 256 #0 #1 >u32:131072|8388608 12u
//
// One stable pass of a least significant digit radix sort, 4 bits, over
// key/value pairs. Several pairs per thread would be faster on most chips, this
// is the simple version with one.

#define RADIX_BITS 4
#define RADIX      (1 << RADIX_BITS)
#define GROUP      256

typedef uint2 pair_t;

static inline uint digit_of(uint key, uint shift)
{
    return (key >> shift) & (RADIX - 1);
}

// exclusive scan over the group, Hillis-Steele, double buffered
uint group_scan(uint value, __local uint *tmp, uint *total)
{
    const uint lid = get_local_id(0);
    uint in = 0, out = GROUP;
    tmp[lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < GROUP; d <<= 1) {
        uint v = tmp[in + lid];
        if (lid >= d)
            v += tmp[in + lid - d];
        tmp[out + lid] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint t = in; in = out; out = t;
    }
    *total = tmp[in + GROUP - 1];
    uint r = tmp[in + lid] - value;
    barrier(CLK_LOCAL_MEM_FENCE);
    return r;
}

// counts[digit * groups + group]
__kernel void block_counts(__global const pair_t *pairs, __global uint *counts, uint shift)
{
    __local uint bins[RADIX];
    const uint lid = get_local_id(0);

    if (lid < RADIX)
        bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[digit_of(pairs[get_global_id(0)].x, shift)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < RADIX)
        counts[lid * get_num_groups(0) + get_group_id(0)] = bins[lid];
}

__kernel void scan_counts(__global uint *counts, int n)
{
    __local uint tmp[2 * GROUP];
    uint carry = 0;
    for (int base = 0; base < n; base += GROUP) {
        uint total;
        uint i = base + get_local_id(0);
        uint before = group_scan(counts[i], tmp, &total);
        counts[i] = carry + before;
        carry += total;
    }
}

__kernel void scatter_pairs(__global const pair_t *pairs,
                            __global const uint *offsets,
                            __global pair_t *sorted,
                            uint shift)
{
    __local pair_t block[GROUP];
    __local uint tmp[2 * GROUP];
    __local uint first[RADIX];
    const uint lid = get_local_id(0);
    pair_t mine = pairs[get_global_id(0)];

    // sort the block by one bit after the other
    for (uint bit = 0; bit < RADIX_BITS; ++bit) {
        uint is_one = (mine.x >> (shift + bit)) & 1;
        uint zeros;
        uint zeros_before = group_scan(1 - is_one, tmp, &zeros);
        uint to = is_one ? zeros + lid - zeros_before : zeros_before;
        block[to] = mine;
        barrier(CLK_LOCAL_MEM_FENCE);
        mine = block[lid];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // where each digit begins in the block
    uint digit = digit_of(mine.x, shift);
    if (lid == 0 || digit != digit_of(block[lid - 1].x, shift))
        first[digit] = lid;
    barrier(CLK_LOCAL_MEM_FENCE);

    uint to = offsets[digit * get_num_groups(0) + get_group_id(0)] + lid - first[digit];
    sorted[to] = mine;
}
