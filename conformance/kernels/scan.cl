// Inclusive prefix sums: of blocks, of the blocks' sums, and then both together.
#define GROUP 256
#define EACH 4

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan_blocks(global const uint4 *in, global uint4 *out, global uint *sums)
{
    local uint shared[GROUP];
    size_t i = get_global_id(0);
    uint item = get_local_id(0);
    uint4 v = in[i];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    uint total = v.w;
    shared[item] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < GROUP; distance *= 2) {
        uint other = item >= distance ? shared[item - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[item] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint before = shared[item] - total;
    out[i] = v + before;
    if (item == GROUP - 1)
        sums[get_group_id(0)] = shared[item];
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void add_sums(global uint4 *values, global const uint *sums)
{
    size_t group = get_group_id(0);
    if (group > 0)
        values[get_global_id(0)] += sums[group - 1];
}
