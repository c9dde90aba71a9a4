// Collective functions of work-groups: in work-groups of any size and shape, several in a row, in
// loops, in functions, and of all types.
//@ section 6.15.16
//@ options -cl-std=CL3.0
//@ vulkan also --sub-group-arithmetic
//@ kernel rounds 1
//@ global 3
//@ local 1
//@ arg buffer int[3] = random 1 -300 300
//@ arg buffer int[3] = zero
//@ result 1 = host collective rounds
//@ kernel rounds 7
//@ global 14
//@ local 7
//@ arg buffer int[14] = random 2 -300 300
//@ arg buffer int[14] = zero
//@ result 1 = host collective rounds
//@ kernel rounds 33
//@ global 66
//@ local 33
//@ arg buffer int[66] = random 3 -300 300
//@ arg buffer int[66] = zero
//@ result 1 = host collective rounds
//@ kernel rounds 64
//@ global 128
//@ local 64
//@ arg buffer int[128] = random 4 -300 300
//@ arg buffer int[128] = zero
//@ result 1 = host collective rounds
//@ kernel rounds 8x4
//@ global 16 8
//@ local 8 4
//@ arg buffer int[128] = random 7 -300 300
//@ arg buffer int[128] = zero
//@ result 1 = host collective rounds
//@ kernel rounds 3x5x2
//@ global 6 5 4
//@ local 3 5 2
//@ arg buffer int[120] = random 8 -300 300
//@ arg buffer int[120] = zero
//@ result 1 = host collective rounds
//@ kernel rounds 10x10x10
//@ global 10 10 10
//@ local 10 10 10
//@ arg buffer int[1000] = random 9 -300 300
//@ arg buffer int[1000] = zero
//@ result 1 = host collective rounds
//@ kernel fixed
//@ global 16 8
//@ local 8 8
//@ arg buffer int[128] = random 9 -300 300
//@ arg buffer int[128] = zero
//@ result 1 = host collective rounds
//@ kernel values_int
//@ global 300
//@ local 300
//@ arg buffer int[300] = random 1 -2 3
//@ arg buffer long[1500] = zero
//@ result 1 = host collectives of int
//@ kernel values_uint
//@ global 6 5 4
//@ local 3 5 2
//@ arg buffer int[120] = random 2 -2 3
//@ arg buffer long[600] = zero
//@ result 1 = host collectives of uint
//@ kernel values_long
//@ global 66
//@ local 33
//@ arg buffer int[66] = random 3 -2 3
//@ arg buffer long[330] = zero
//@ result 1 = host collectives of long
//@ kernel values_ulong
//@ global 6 5 4
//@ local 3 5 2
//@ arg buffer int[120] = random 4 -2 3
//@ arg buffer long[600] = zero
//@ result 1 = host collectives of ulong
//@ kernel values_half
//@ global 16 8
//@ local 8 4
//@ arg buffer int[128] = random 5 -2 3
//@ arg buffer long[640] = zero
//@ result 1 = host collectives of half
//@ kernel values_float
//@ global 66
//@ local 33
//@ arg buffer int[66] = random 6 -2 3
//@ arg buffer long[330] = zero
//@ result 1 = host collectives of float
//@ kernel values_double
//@ global 300
//@ local 300
//@ arg buffer int[300] = random 7 -2 3
//@ arg buffer long[1500] = zero
//@ result 1 = host collectives of double

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// The work-item's number: by group, and by linear local id inside a group.
size_t place(void)
{
    const size_t group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
    return group * get_local_size(0) * get_local_size(1) * get_local_size(2) + get_local_linear_id();
}

__attribute__((noinline)) int advance(int x, int round)
{
    return work_group_scan_inclusive_add(x) - work_group_reduce_min(x) + round;
}

int play(int x)
{
    const size_t width = get_local_size(0), height = get_local_size(1);
    const size_t items = width * height * get_local_size(2);
    for (int round = 0; round < 6; round++) {
        const size_t source = round * 5 % items;
        x = advance(x, round) + work_group_broadcast(x, source % width, source / width % height, source / (width * height));
        x %= 1000;
        if (work_group_any(x > 900))
            x = x / 2 - work_group_scan_exclusive_max(x) % 7;
        x += (int)(work_group_scan_exclusive_add(x * (1L << 33)) >> 33);
        x += work_group_all(x > -500) ? 1 : 2;
    }
    return x;
}

kernel void rounds(global const int *in, global int *out)
{
    out[place()] = play(in[place()]);
}

// A kernel whose size the compiler knows, beside one whose size it does not.
kernel __attribute__((reqd_work_group_size(8, 8, 1))) void fixed(global const int *in, global int *out)
{
    out[place()] = play(in[place()]);
}

#define SHOW(x) *out++ = convert_long_sat(x)
#define VALUES(T) \
    kernel void values_##T(global const int *in, global long *out) \
    { \
        const T x = (T)in[place()]; \
        out += 5 * place(); \
        SHOW(work_group_reduce_add(x)); \
        SHOW(work_group_scan_inclusive_add(x)); \
        SHOW(work_group_scan_exclusive_add(x)); \
        SHOW(work_group_scan_exclusive_min(x)); \
        SHOW(work_group_scan_exclusive_max(x)); \
    }

VALUES(int)
VALUES(uint)
VALUES(long)
VALUES(ulong)
VALUES(half)
VALUES(float)
VALUES(double)
