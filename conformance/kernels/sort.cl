// Bitonic sort: far exchanges in global memory, near ones in local memory.
#define GROUP 256
#define BLOCK (2 * GROUP)

kernel void sort_far(global uint *values, uint span, uint distance)
{
    uint item = get_global_id(0);
    uint i = 2 * item - (item & (distance - 1));
    uint a = values[i], b = values[i + distance];
    bool up = (i & span) == 0;
    if ((a > b) == up) {
        values[i] = b;
        values[i + distance] = a;
    }
}

// All exchanges of spans `first` to `last` that are at most GROUP apart.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sort_near(global uint *values, uint first, uint last)
{
    local uint block[BLOCK];
    uint item = get_local_id(0);
    uint base = get_group_id(0) * BLOCK;
    block[item] = values[base + item];
    block[item + GROUP] = values[base + item + GROUP];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint span = first; span <= last; span *= 2)
        for (uint distance = min(span / 2, (uint)GROUP); distance > 0; distance /= 2) {
            uint i = 2 * item - (item & (distance - 1));
            uint a = block[i], b = block[i + distance];
            bool up = ((base + i) & span) == 0;
            if ((a > b) == up) {
                block[i] = b;
                block[i + distance] = a;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    values[base + item] = block[item];
    values[base + item + GROUP] = block[item + GROUP];
}
