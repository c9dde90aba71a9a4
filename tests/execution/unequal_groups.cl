// Launches that are no multiple of the size of work-groups, whose last work-groups are smaller (OpenCL API 5.8).
//@ section 6.15.1
//@ options -cl-std=CL3.0
//@ vulkan with --work-group-regions
//@ vulkan also --sub-group-arithmetic
//@ vulkan also --target-env=vulkan1.1
//@ kernel ids line
//@ global 11
//@ local 4
//@ arg buffer ulong[385] = zero
//@ result 0 = host work-items
//@ kernel ids smaller than a group
//@ global 3
//@ local 8
//@ offset 5
//@ arg buffer ulong[105] = zero
//@ result 0 = host work-items
//@ kernel ids no smaller group
//@ global 8
//@ local 4
//@ arg buffer ulong[280] = zero
//@ result 0 = host work-items
//@ kernel ids plane
//@ global 7 5
//@ local 3 2
//@ offset 5000000000 7
//@ arg buffer ulong[1225] = zero
//@ result 0 = host work-items
//@ kernel ids plane that is smaller in one dimension
//@ global 4 5
//@ local 2 4
//@ arg buffer ulong[700] = zero
//@ result 0 = host work-items
//@ kernel ids block
//@ global 5 3 7
//@ local 2 2 4
//@ offset 1 20 300
//@ arg buffer ulong[3675] = zero
//@ result 0 = host work-items
//@ kernel apart block
//@ global 5 3 7
//@ local 2 2 4
//@ offset 1 20 300
//@ arg buffer ulong[3675] = zero
//@ result 0 = host work-items
//@ kernel required
//@ global 9 3
//@ local 4 2
//@ offset 2 3
//@ arg buffer ulong[945] = zero
//@ result 0 = host work-items
//@ kernel required whole groups
//@ global 8 2
//@ local 4 2
//@ arg buffer ulong[560] = zero
//@ result 0 = host work-items
//@ kernel exchange line
//@ global 13
//@ local 5
//@ arg buffer int[13] = random 1 -300 300
//@ arg buffer int[65] = zero
//@ arg local 20
//@ result 1 = host exchanged
//@ kernel exchange plane
//@ global 7 5
//@ local 4 3
//@ arg buffer int[35] = random 2 -300 300
//@ arg buffer int[175] = zero
//@ arg local 48
//@ result 1 = host exchanged
//@ kernel exchange block
//@ global 5 3 7
//@ local 2 2 4
//@ offset 3 3 3
//@ arg buffer int[105] = random 3 -300 300
//@ arg buffer int[525] = zero
//@ arg local 64
//@ result 1 = host exchanged
//@ kernel exchange large groups
//@ global 150 3
//@ local 64 2
//@ arg buffer int[450] = random 4 -300 300
//@ arg buffer int[2250] = zero
//@ arg local 512
//@ result 1 = host exchanged
//@ kernel exchange_required
//@ global 10 5
//@ local 4 2
//@ arg buffer int[50] = random 5 -300 300
//@ arg buffer int[250] = zero
//@ result 1 = host exchanged
//@ kernel sub_groups line
//@ global 150
//@ local 64
//@ arg buffer uint[9] = zero
//@ result 0 = 64 64 22 0*3 1*3
//@ kernel sub_groups plane
//@ global 33 5
//@ local 16 2
//@ arg buffer uint[27] = zero
//@ result 0 = 32 32 2 32 32 2 16 16 1 0*9 1*9
//@ kernel atomics
//@ global 77 3
//@ local 16 2
//@ arg buffer uint[4] = zero
//@ result 0 = 231 10 2926 76
//@ kernel many_arguments
//@ global 5
//@ local 2
//@ offset 1000
//@ arg long16 = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//@ arg long16 = 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20
//@ arg buffer long[5] = zero
//@ result 2 = 1232001 1232002 1232003 1232004 1231005
//@ kernel prints
//@ global 5
//@ local 2
//@ arg buffer int[1] = zero
//@ unordered
//@ prints 0 of 2
//@ prints 1 of 2
//@ prints 2 of 2
//@ prints 3 of 2
//@ prints 4 of 1
#define APART __attribute__((noinline))

APART ulong global_id(uint d) { return get_global_id(d); }
APART ulong group_id(uint d) { return get_group_id(d); }
APART ulong local_id(uint d) { return get_local_id(d); }
APART ulong local_size(uint d) { return get_local_size(d); }
APART ulong enqueued_local_size(uint d) { return get_enqueued_local_size(d); }
APART ulong num_groups(uint d) { return get_num_groups(d); }
APART ulong global_size(uint d) { return get_global_size(d); }
APART ulong global_offset(uint d) { return get_global_offset(d); }
APART ulong global_linear_id(void) { return get_global_linear_id(); }
APART ulong local_linear_id(void) { return get_local_linear_id(); }
APART ulong work_dim(void) { return get_work_dim(); }

// The number of the work-item, by the ids of all dimensions.
size_t number(void)
{
    size_t number = 0;
    for (int d = 2; d >= 0; d--)
        number = number * get_global_size(d) + (get_global_id(d) - get_global_offset(d));
    return number;
}

// What every function says of four dimensions, one of which there never is.
#define SHOW(PREFIX) \
    out += 35 * number(); \
    for (uint d = 0; d < 4; d++) { \
        *out++ = PREFIX##global_id(d); \
        *out++ = PREFIX##group_id(d); \
        *out++ = PREFIX##local_id(d); \
        *out++ = PREFIX##local_size(d); \
        *out++ = PREFIX##enqueued_local_size(d); \
        *out++ = PREFIX##num_groups(d); \
        *out++ = PREFIX##global_size(d); \
        *out++ = PREFIX##global_offset(d); \
    } \
    *out++ = PREFIX##global_linear_id(); \
    *out++ = PREFIX##local_linear_id(); \
    *out++ = PREFIX##work_dim();

kernel void ids(global ulong *out) { SHOW(get_) }
kernel void apart(global ulong *out) { SHOW() }
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void required(global ulong *out) { SHOW(get_) }

// The value of the opposite work-item of the group, by local memory, and collective functions.
void exchange_by(global const int *in, global int *out, local int *values)
{
    const size_t width = get_local_size(0), height = get_local_size(1), depth = get_local_size(2);
    const size_t here = get_local_linear_id();
    const int x = in[number()];
    values[here] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out += 5 * number();
    *out++ = values[width * height * depth - 1 - here];
    *out++ = work_group_reduce_add(x);
    *out++ = work_group_scan_exclusive_add(x);
    *out++ = work_group_scan_inclusive_max(x);
    *out++ = work_group_broadcast(x, width - 1, height - 1, depth - 1);
}

kernel void exchange(global const int *in, global int *out, local int *values) { exchange_by(in, out, values); }

kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void exchange_required(global const int *in, global int *out)
{
    local int values[8];
    exchange_by(in, out, values);
}

// For each group the work-items in its sub-groups, those that its sub-groups count otherwise, and whether it has the
// number of sub-groups that there are.
kernel void sub_groups(global uint *out)
{
    local uint items, wrong, leaders;
    const bool first = get_local_linear_id() == 0;
    if (first)
        items = wrong = leaders = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint size = get_sub_group_size();
    if (sub_group_reduce_add(1u) != size || size > get_max_sub_group_size())
        atomic_inc(&wrong);
    const uint enqueued = get_enqueued_local_size(0) * get_enqueued_local_size(1);
    const uint most = get_max_sub_group_size();
    if (get_enqueued_num_sub_groups() != (enqueued + most - 1) / most)
        atomic_inc(&wrong);
    if (get_sub_group_local_id() == 0) {
        atomic_add(&items, size);
        atomic_inc(&leaders);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first) {
        const size_t groups = get_num_groups(0) * get_num_groups(1);
        const size_t group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
        out[group] = items;
        out[groups + group] = wrong;
        out[2 * groups + group] = leaders == get_num_sub_groups();
    }
}

// Work-items, groups, the sum of the first ids of the first row, and the greatest of them, over all groups.
kernel void atomics(global uint *out)
{
    local uint items;
    const bool first = get_local_linear_id() == 0;
    if (first)
        items = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&items);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first) {
        atomic_add(&out[0], items);
        atomic_inc(&out[1]);
    }
    if (get_global_id(1) == 0) {
        atomic_add(&out[2], (uint)get_global_id(0));
        atomic_max(&out[3], (uint)get_global_id(0));
    }
}

// More than the push constants of some devices.
kernel void many_arguments(long16 v, long16 w, global long *out)
{
    const size_t i = get_global_id(0) - get_global_offset(0);
    out[i] = v.s0 + i + 1000 * ((long)get_global_id(0) / 1000 + 10 * w.sf + (long)get_local_size(0) +
                                10 * (long)get_num_groups(0) + 999);
}

kernel void prints(global int *out)
{
    printf("%d of %d\n", (int)get_global_id(0), (int)get_local_size(0));
}
