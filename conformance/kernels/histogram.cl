// Of the low bytes; counts of a work-group in local memory first.
kernel void histogram(global const uint *input, global uint *counts, uint n)
{
    local uint bins[256];
    uint item = get_local_id(0);
    bins[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
        atomic_inc(&bins[input[i] & 255]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&counts[item], bins[item]);
}
