// Sub-groups of whatever size the driver has, in work-groups that are no multiple of it. What functions
// return is compared with what the kernel works out from the ids.
//@ section 6.15.20
//@ options -cl-std=CL3.0 -cl-ext=+cl_khr_subgroups,+cl_khr_subgroup_ballot,+cl_khr_subgroup_non_uniform_arithmetic,+cl_khr_subgroup_shuffle,+cl_khr_subgroup_shuffle_relative,+cl_khr_subgroup_non_uniform_vote,+cl_khr_subgroup_rotate,+cl_khr_subgroup_clustered_reduce,+cl_khr_subgroup_extended_types
//@ opencl no the driver at hand takes a last sub-group of three for a full one where not all of it come by
//@ kernel partial line
//@ global 38
//@ local 19
//@ arg buffer uint[38] = zero
//@ result 0 = 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023  1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023
//@ kernel partial box
//@ global 6 5
//@ local 3 5
//@ arg buffer uint[30] = zero
//@ result 0 = 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023  1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023 1023
//@ kernel whole full
//@ global 256
//@ local 128
//@ arg buffer uint[2] = zero
//@ result 0 = 8256 8256
#define MAX_ITEMS 32

// Read where not all work-items of a sub-group come by.
__attribute__((noinline)) uint size_here(void)
{
    return get_sub_group_size();
}

kernel void partial(global uint *out)
{
    local uint group_of[MAX_ITEMS], place_of[MAX_ITEMS];
    const uint i = get_local_linear_id(), items = get_local_size(0) * get_local_size(1);
    const uint g = get_sub_group_id(), place = get_sub_group_local_id();
    group_of[i] = g;
    place_of[i] = place;
    barrier(CLK_LOCAL_MEM_FENCE);
    // The members of this sub-group, the sum of their ids, and the ids of the first and of the next one.
    uint members = 0, sum = 0, before = 0, first = 0, next = i, groups = 0;
    for (uint k = 0; k < items; ++k) {
        groups = max(groups, group_of[k] + 1);
        if (group_of[k] != g)
            continue;
        ++members;
        sum += k;
        before += place_of[k] < place ? k : 0;
        first = place_of[k] == 0 ? k : first;
        next = place_of[k] == place + 1 ? k : next;
    }
    uint right = 0;
    right |= (get_sub_group_size() == members) << 0;
    if (place % 2 == 0)
        right |= (size_here() == members) << 1;
    else
        right |= (get_sub_group_size() == members) << 1;
    right |= (get_max_sub_group_size() >= members && place < members) << 2;
    right |= (get_num_sub_groups() == groups && get_enqueued_num_sub_groups() == groups) << 3;
    right |= (sub_group_reduce_add(i) == sum) << 4;
    right |= (sub_group_scan_exclusive_add(i) == before) << 5;
    right |= (sub_group_broadcast(i, 0) == first) << 6;
    uint down = sub_group_shuffle_down(i, 1);
    right |= (place + 1 == members || down == next) << 7;
    right |= (sub_group_ballot_bit_count(sub_group_ballot(1)) == members) << 8;
    right |= (sub_group_all(i < items) && !sub_group_any(i >= items)) << 9;
    out[get_group_id(0) * items + i] = right;
}

kernel void whole(global uint *out)
{
    local uint sums[128];
    const uint sum = sub_group_reduce_add(get_local_id(0) + 1);
    if (get_sub_group_local_id() == 0)
        sums[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        uint all = 0;
        for (uint k = 0; k < get_num_sub_groups(); ++k)
            all += sums[k];
        out[get_group_id(0)] = all;
    }
}
