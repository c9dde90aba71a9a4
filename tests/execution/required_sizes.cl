// One kernel requires the size of its work-groups, and another leaves it to the host.
//@ section 6.9.2
//@ options -cl-std=CL3.0
//@ vulkan also --target-env=vulkan1.1
//@ vulkan also --target-env=vulkan1.2
//@ vulkan also --work-group-regions
//@ kernel required
//@ global 12 4
//@ local 4 2
//@ arg buffer int[48] = ramp 0 1
//@ arg buffer int[48] = zero
//@ result 1 = 642 642 642 642 2242 2242 2242 2242 3842 3842 3842 3842 5442 5442 5442 5442 7042 7042 7042 7042 8642 8642 8642 8642 10242 10242 10242 10242 11842 11842 11842 11842 13442 13442 13442 13442 15042 15042 15042 15042 16642 16642 16642 16642 18242 18242 18242 18242
//@ kernel chosen
//@ global 6
//@ local 3
//@ arg buffer int[6] = ramp 10 1
//@ arg buffer int[6] = zero
//@ result 1 = 15 14 13 18 17 16
//@ kernel chosen larger
//@ global 6
//@ local 6
//@ arg buffer int[6] = ramp 10 1
//@ arg buffer int[6] = zero
//@ result 1 = 21 20 19 18 17 16

// The sum of each row of a work-group, and the size of work-groups.
kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void required(global const int *in, global int *out)
{
    local int rows[2][4];
    const size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    rows[get_local_id(1)][get_local_id(0)] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (size_t x = 0; x < get_local_size(0); x++)
        sum += rows[get_local_id(1)][x];
    out[at] = sum * 100 + (int)(get_local_size(0) * 10 + get_local_size(1));
}

// The elements of each work-group backwards, and its size.
kernel void chosen(global const int *in, global int *out)
{
    const size_t size = get_local_size(0);
    const size_t from = get_group_id(0) * size + size - 1 - get_local_id(0);
    out[get_global_id(0)] = in[from] + (int)size;
}
