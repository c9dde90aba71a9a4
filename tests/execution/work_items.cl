//@ section 6.15.1
//@ vulkan also --work-group-regions
//@ kernel ids
//@ global 8 4
//@ local 4 2
//@ arg buffer int[32] = zero
//@ result 0 = 0 1 2 3 100 101 102 103 10 11 12 13 110 111 112 113 1000 1001 1002 1003 1100 1101 1102 1103 1010 1011 1012 1013 1110 1111 1112 1113
//@ kernel sizes
//@ global 8 4 2
//@ local 4 2 1
//@ arg buffer int[24] = zero
//@ result 0 = 8 4 2 1 4 2 1*2 2*3 1 0*8 3 0*3
//@ kernel fixed
//@ global 8 4 2
//@ local 4 2 1
//@ arg buffer int[4] = zero
//@ result 0 = 421 137 0*2
kernel void ids(global int *out)
{
    const size_t x = get_global_id(0), y = get_global_id(1);
    out[y * get_global_size(0) + x] = get_local_id(0) + 10 * get_local_id(1) + 100 * get_group_id(0) +
                                      1000 * get_group_id(1) + 10000 * get_global_id(2);
}

kernel void sizes(global int *out)
{
    if (get_global_id(0) + get_global_id(1) + get_global_id(2))
        return;
    for (uint d = 0; d < 4; ++d) {
        out[d] = get_global_size(d);
        out[4 + d] = get_local_size(d);
        out[8 + d] = get_num_groups(d);
        out[12 + d] = get_group_id(d);
        out[16 + d] = get_global_offset(d);
    }
    out[20] = get_work_dim();
    out[21] = get_global_id(7) + get_local_id(5);
}

kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void fixed(global int *out)
{
    if (get_group_id(0) == 1 && get_group_id(1) == 1 && get_group_id(2) == 1 &&
        get_local_id(0) == 3 && get_local_id(1) == 1) {
        out[0] = get_local_size(0) * 100 + get_local_size(1) * 10 + get_local_size(2);
        out[1] = get_global_id(0) + 10 * get_global_id(1) + 100 * get_global_id(2);
    }
}
