// Launches whose global ids do not begin at 0 (OpenCL C 6.15.1).
//@ options -cl-std=CL3.0
//@ vulkan also --work-group-regions
//@ kernel ids
//@ global 4 2
//@ local 2 1
//@ offset 3 10
//@ arg buffer uint[8] = zero
//@ result 0 = 310 410 510 610 311 411 511 611
//@ kernel ids without
//@ global 4 2
//@ arg buffer uint[8] = zero
//@ result 0 = 0 100 200 300 1 101 201 301
//@ kernel offsets
//@ offset 3 10 7
//@ global 1 1 1
//@ arg buffer uint[4] = ramp 9
//@ result 0 = 3 10 7 0
//@ kernel offsets without
//@ global 1 1 1
//@ arg buffer uint[4] = ramp 9
//@ result 0 = 0 0 0 0
//@ kernel apart
//@ global 4
//@ local 4
//@ offset 5
//@ arg buffer uint[12] = ramp 9
//@ arg uint = 0
//@ result 0 = 5 0 5 6 0 5 7 0 5 8 0 5
//@ kernel apart another dimension
//@ global 2 2
//@ local 2 1
//@ offset 0 40
//@ arg buffer uint[12] = ramp 9
//@ arg uint = 1
//@ result 0 = 40 0 0 40 0 0 41 0 0 41 0 0
//@ kernel linear
//@ global 2 2
//@ local 1 2
//@ offset 7 9
//@ arg buffer uint[4] = zero
//@ result 0 = 709 809 710 810
//@ kernel far
//@ global 4
//@ local 2
//@ offset 5000000000
//@ arg buffer uint[8] = zero
//@ result 0 = 705032704 1 705032705 1 705032706 1 705032707 1
//@ kernel behind_a_barrier
//@ global 4
//@ local 4
//@ offset 11
//@ arg buffer uint[4] = zero
//@ result 0 = 14 13 12 11
//@ kernel none
//@ global 4
//@ local 4
//@ offset 100
//@ arg buffer uint[4] = zero
//@ result 0 = 3 3 3 3
//@ kernel many_arguments
//@ global 2
//@ local 2
//@ offset 1000
//@ arg long16 = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//@ arg long16 = 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20
//@ arg buffer long[2] = zero
//@ result 2 = 1021 1023
#define APART __attribute__((noinline))

// The number of the work-item, by functions that know nothing of the offset.
size_t number(void)
{
    size_t x = get_group_id(0) * get_local_size(0) + get_local_id(0);
    size_t y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    return y * get_global_size(0) + x;
}

kernel void ids(global uint *out)
{
    out[number()] = get_global_id(0) * 100 + get_global_id(1);
}

kernel void offsets(global uint *out)
{
    for (uint d = 0; d < 4; d++)
        out[d] = get_global_offset(d);
}

APART uint id(uint dimension) { return get_global_id(dimension); }
APART uint first(uint dimension) { return get_global_offset(dimension); }

kernel void apart(global uint *out, uint dimension)
{
    size_t i = number();
    out[3 * i] = id(dimension);
    out[3 * i + 1] = id(dimension + 3);
    out[3 * i + 2] = first(0);
}

// The linear id is counted from the offset.
kernel void linear(global uint *out)
{
    out[get_global_linear_id()] = get_global_id(0) * 100 + get_global_id(1);
}

kernel void far(global uint *out)
{
    size_t id = get_global_id(0);
    out[2 * number()] = (uint)id;
    out[2 * number() + 1] = (uint)(id >> 32);
}

kernel void behind_a_barrier(global uint *out)
{
    local uint ids[4];
    ids[get_local_id(0)] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0) - get_global_offset(0)] = ids[3 - get_local_id(0)];
}

kernel void none(global uint *out)
{
    out[get_local_id(0)] = 3;
}

// More than the push constants of some devices.
kernel void many_arguments(long16 v, long16 w, global long *out)
{
    size_t i = number();
    out[i] = v.s0 + i + w.sf + (long)get_global_id(0);
}
