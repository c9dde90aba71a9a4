// Functions of whole work-groups and of sub-groups.
//@ section 6.15.16 6.15.20
//@ options -cl-std=CL3.0
//@ vulkan also --sub-group-arithmetic
//@ kernel groups
//@ global 32
//@ local 16
//@ arg buffer int[32] = ramp -5 3
//@ arg buffer int[256] = zero
//@ result 1 = 280 40 -5 0 1 4 0 -2 280 40 -7 -5 1 4 0 -2 280 40 -6 -7 1 4 0 -2 280 40 -2 -6 1 4 0 -2 280 40 5 -2 1 4 0 -2 280 40 15 5 1 4 0 -2 280 40 28 15 1 4 0 -2 280 40 44 28 1 4 0 -2 280 40 63 44 1 4 0 -2 280 40 85 63 1 4 0 -2 280 40 110 85 1 4 0 -2 280 40 138 110 1 4 0 -2 280 40 169 138 1 4 0 -2 280 40 203 169 1 4 0 -2 280 40 240 203 1 4 0 -2 280 40 280 240 1 4 0 -2 1048 88 43 0 3 52 0 21 1048 88 89 43 3 52 0 21 1048 88 138 89 3 52 0 21 1048 88 190 138 3 52 0 21 1048 88 245 190 3 52 0 21 1048 88 303 245 3 52 0 21 1048 88 364 303 3 52 0 21 1048 88 428 364 3 52 0 21 1048 88 495 428 3 52 0 21 1048 88 565 495 3 52 0 21 1048 88 638 565 3 52 0 21 1048 88 714 638 3 52 0 21 1048 88 793 714 3 52 0 21 1048 88 875 793 3 52 0 21 1048 88 960 875 3 52 0 21 1048 88 1048 960 3 52 0 21
//@ kernel copies
//@ global 16
//@ local 8
//@ arg buffer int4[16] = ramp
//@ arg buffer int4[16] = zero
//@ result 1 = 56 58 60 62 48 50 52 54 40 42 44 46 32 34 36 38 24 26 28 30 16 18 20 22 8 10 12 14 0 2 4 6 120 122 124 126 112 114 116 118 104 106 108 110 96 98 100 102 88 90 92 94 80 82 84 86 72 74 76 78 64 66 68 70
kernel void groups(global const int *in, global int *out)
{
    const int i = get_global_id(0), x = in[i];
    global int *o = out + 8 * i;
    o[0] = work_group_reduce_add(x);
    o[1] = work_group_reduce_max(x);
    o[2] = work_group_scan_inclusive_add(x);
    o[3] = work_group_scan_exclusive_add(x);
    o[4] = work_group_all(x > -6) + 2 * work_group_any(x > 60);
    o[5] = work_group_broadcast(x, 3);
    o[6] = work_group_scan_exclusive_max(x) > x;
    o[7] = (int)work_group_reduce_min((float)x * 0.5f);
}

kernel void copies(global const int4 *in, global int4 *out)
{
    local int4 tile[8];
    const int group = get_group_id(0), i = get_local_id(0);
    event_t e = async_work_group_copy(tile, in + 8 * group, 8, 0);
    wait_group_events(1, &e);
    const int4 mine = tile[7 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[i] = mine * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + 8 * group, tile, 8, 0);
    wait_group_events(1, &e);
}
