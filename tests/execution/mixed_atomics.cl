// Atomics of 32 and 64 bits and plain stores of all sizes, at the same time and next to each other, through
// pointers that may point to local or global memory. Nobody's access changes what is beside it.
//@ section 6.7.5 6.15.12.1 6.15.12.7
//@ options -cl-std=CL2.0 -cl-ext=+cl_ext_float_atomics,+__opencl_c_ext_fp64_global_atomic_add,+__opencl_c_ext_fp64_local_atomic_add
//@ kernel integers
//@ global 128
//@ local 64
//@ arg buffer uchar[160] = zero
//@ arg buffer ulong[24] = ramp
//@ result 1 = 274877908965 2083 2016006148 189 4294967295 77 2016 936 5 6048 3 4294967299  274877908965 2083 2016006148 189 4294967295 77 2016 936 5 6048 3 4294967299
//@ kernel doubles
//@ global 128
//@ local 64
//@ arg buffer double[2] = 1 2
//@ arg buffer double[4] = ramp
//@ result 1 = 2049 112  2049 112
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

typedef struct {
    ulong wide;
    ulong swapped;
    uint sum, greatest;
    uint bits, plain;
    uint steps, left;
    uint swap;
    // Four of them share eight bytes with `swap`, an atomic of 32 bits.
    uchar bytes[64];
    ushort shorts[2];
    // At an odd multiple of four bytes.
    uint halves[2];
} shared;

__attribute__((noinline)) void change(shared *s, uint i)
{
    atomic_fetch_add((volatile atomic_ulong *)&s->wide, (1UL << 32) + i);
    s->bytes[i] = 3 * i;
    atomic_fetch_add_explicit((volatile atomic_uint *)&s->sum, 1000003 * i, memory_order_relaxed,
                              memory_scope_work_group);
    atomic_fetch_max((volatile atomic_uint *)&s->greatest, 3 * i);
    atomic_fetch_or((volatile atomic_uint *)&s->bits, 1u << i % 32);
    if (i == 9)
        s->plain = 77;
    uint found = 0;
    while (!atomic_compare_exchange_weak((volatile atomic_uint *)&s->steps, &found, found + i))
        ;
    atomic_fetch_sub((volatile atomic_uint *)&s->left, 1);
    uint before = atomic_exchange((volatile atomic_uint *)&s->swap, i + 1);
    atomic_fetch_add((volatile atomic_ulong *)&s->swapped, before);
    if (i < 2) {
        s->shorts[i] = i + 1;
        atomic_store((volatile atomic_uint *)&s->halves[i], i + 2);
    }
}

kernel void integers(global shared *g, global ulong *out)
{
    local shared l;
    const uint i = get_local_id(0);
    shared *s = get_group_id(0) == 0 ? (shared *)&l : (shared *)g;
    if (i == 0) {
        s->wide = 5;
        s->swapped = 0;
        s->sum = 100;
        s->greatest = 7;
        s->bits = 0;
        s->plain = 1;
        s->steps = 0;
        s->left = 1000;
        s->swap = 3;
        s->halves[0] = s->halves[1] = ~0u;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    change(s, i);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (i == 0) {
        out += 12 * get_group_id(0);
        out[0] = atomic_load((volatile atomic_ulong *)&s->wide);
        // Each exchange found what another one left, or what was there first.
        out[1] = s->swapped + atomic_load((volatile atomic_uint *)&s->swap);
        out[2] = s->sum;
        out[3] = s->greatest;
        out[4] = s->bits;
        out[5] = s->plain;
        out[6] = s->steps;
        out[7] = s->left;
        out[8] = s->shorts[0] + 2 * s->shorts[1];
        out[9] = 0;
        for (int k = 0; k < 64; ++k)
            out[9] += s->bytes[k];
        out[10] = s->halves[1];
        out[11] = s->halves[0] - 2 + s->halves[1] + (1UL << 32);
    }
}

kernel void doubles(global double *g, global double *out)
{
    local double l[2];
    const uint i = get_local_id(0);
    double *d = get_group_id(0) == 0 ? (double *)l : (double *)g;
    if (i < 2)
        d[i] = i + 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_fetch_add((volatile atomic_double *)d, i + 0.5);
    if (i < 55)
        atomic_fetch_add((volatile atomic_double *)(d + 1), 2.0);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (i < 2)
        out[2 * get_group_id(0) + i] = d[i];
}
