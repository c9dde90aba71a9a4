// @ bitonic_block_sort 16384|1048576 256 >u32:65536|4194304:0..1000
// Sorts blocks of 512 key/value pairs in local memory, ascending by key and
// for equal keys by value. Two elements per work-item.

#define BLOCK 512

static void compare_exchange(__local uint2 *a, __local uint2 *b, bool ascending)
{
    uint2 x = *a;
    uint2 y = *b;
    bool greater = x.x > y.x || (x.x == y.x && x.y > y.y);
    if (greater == ascending) {
        *a = y;
        *b = x;
    }
}

__kernel void bitonic_block_sort(__global uint2 *pairs)
{
    __local uint2 s[BLOCK];
    const uint lid = get_local_id(0);

    pairs += get_group_id(0) * BLOCK;
    s[lid]             = pairs[lid];
    s[lid + BLOCK / 2] = pairs[lid + BLOCK / 2];

    for (uint size = 2; size <= BLOCK; size <<= 1) {
        const bool ascending = (lid & (size >> 1)) == 0;
        for (uint stride = size >> 1; stride > 0; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint pos = 2 * lid - (lid & (stride - 1));
            compare_exchange(&s[pos], &s[pos + stride], ascending);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    pairs[lid]             = s[lid];
    pairs[lid + BLOCK / 2] = s[lid + BLOCK / 2];
}
