// Tiles of 32 by 32, by work-groups of 32 by 8.
kernel void transpose(global const float *input, global float *output, uint n)
{
    local float tile[32][33];
    uint x = get_group_id(0) * 32 + get_local_id(0), y = get_group_id(1) * 32 + get_local_id(1);
    for (uint k = 0; k < 32; k += 8) {
        tile[get_local_id(1) + k][get_local_id(0)] = input[(y + k) * n + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 32 + get_local_id(0);
    y = get_group_id(0) * 32 + get_local_id(1);
    for (uint k = 0; k < 32; k += 8) {
        output[(y + k) * n + x] = tile[get_local_id(0)][get_local_id(1) + k];
    }
}
