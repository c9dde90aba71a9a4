// More work-groups than some devices dispatch at once, all of one size (`-cl-uniform-work-group-size`).
//@ section 6.15.1
//@ options -cl-std=CL3.0 -cl-uniform-work-group-size
//@ vulkan with --work-group-regions
//@ kernel ids
//@ global 70000
//@ local 1
//@ offset 3
//@ arg buffer uint[3] = zero
//@ arg buffer uint[70000] = zero
//@ result 0 = 70000 0 69999
//@ result 1 = ramp 1 1
//@ kernel sizes
//@ global 12 4
//@ local 4 2
//@ offset 1
//@ arg buffer uint[16] = zero
//@ result 0 = 4 2 1 1 4 2 1 1 12 4 1 1 3 2 1 1
//@ kernel required
//@ global 12 4
//@ local 4 2
//@ offset 1
//@ arg buffer uint[16] = zero
//@ result 0 = 4 2 1 1 4 2 1 1 12 4 1 1 3 2 1 1

// Each work-group once, and how many there are that have an id that does not go with those of its work-items.
kernel void ids(global uint *out, global uint *seen)
{
    atomic_inc(&out[0]);
    if (get_global_id(0) != get_group_id(0) + 3 || get_global_linear_id() != get_group_id(0) ||
        get_num_groups(0) != 70000 || get_global_size(0) != 70000)
        atomic_inc(&out[1]);
    atomic_max(&out[2], (uint)get_group_id(0));
    seen[get_group_id(0)] = get_global_linear_id() + 1;
}

void show(global uint *out)
{
    if (get_global_linear_id() == 0) {
        for (uint d = 0; d < 4; d++) {
            out[d] = get_local_size(d);
            out[4 + d] = get_enqueued_local_size(d);
            out[8 + d] = get_global_size(d);
            out[12 + d] = get_num_groups(d);
        }
    }
}

kernel void sizes(global uint *out) { show(out); }
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void required(global uint *out) { show(out); }
