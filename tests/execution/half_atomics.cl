// Atomics of halves, two of which share a word, in global and local memory and through pointers that may
// point to either.
//@ section 6.7.5 6.15.12.7
//@ options -cl-std=CL2.0 -cl-ext=+cl_khr_fp16,+cl_ext_float_atomics,+__opencl_c_ext_fp16_global_atomic_load_store,+__opencl_c_ext_fp16_local_atomic_load_store,+__opencl_c_ext_fp16_global_atomic_add,+__opencl_c_ext_fp16_local_atomic_add,+__opencl_c_ext_fp16_global_atomic_min_max,+__opencl_c_ext_fp16_local_atomic_min_max
//@ opencl no drivers at hand have no atomics of 16 bits
//@ kernel generic_halves
//@ global 128
//@ local 64
//@ arg buffer half[8] = zero
//@ arg buffer half[16] = ramp
//@ result 1 = 33 64 63 -31.5 529 0.5 1025 7  33 64 63 -31.5 529 0.5 1025 7
//@ kernel global_halves
//@ global 64
//@ local 64
//@ arg buffer half[8] = zero
//@ arg buffer half[8] = ramp
//@ result 1 = 33 64 63 -31.5 529 0.5 1025 7
//@ kernel local_halves
//@ global 64
//@ local 64
//@ arg buffer half[8] = ramp
//@ result 0 = 33 64 63 -31.5 529 0.5 1025 7
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define CHANGE(space, name)                                                                      \
    __attribute__((noinline)) void name(space half *h, int i)                                    \
    {                                                                                            \
        if (i % 2 == 0)                                                                          \
            atomic_fetch_add((volatile space atomic_half *)&h[0], (half)1);                      \
        else                                                                                     \
            atomic_fetch_add((volatile space atomic_half *)&h[1], (half)2);                      \
        atomic_fetch_max((volatile space atomic_half *)&h[2], (half)i);                          \
        atomic_fetch_min((volatile space atomic_half *)&h[3], (half)(i * -0.5f));                \
        /* What each exchange found is counted; 32 of them, and what is left. */                 \
        if (i < 32) {                                                                            \
            half found = atomic_exchange((volatile space atomic_half *)&h[5], (half)(i + 1));    \
            atomic_fetch_add((volatile space atomic_half *)&h[4], found);                        \
        }                                                                                        \
        atomic_fetch_sub((volatile space atomic_half *)&h[6], (half)-16);                        \
        if (i == 63)                                                                             \
            atomic_store((volatile space atomic_half *)&h[7], (half)7);                          \
    }

CHANGE(, change)
CHANGE(global, change_global)
CHANGE(local, change_local)

// The kernels begin with 1 0 0 0 0.5 0.5 1 0 and leave what is found there.
#define BEGIN(h)                                                                                 \
    if (i == 0) {                                                                                \
        h[0] = h[6] = 1;                                                                         \
        h[1] = h[2] = h[3] = h[7] = 0;                                                           \
        h[4] = h[5] = 0.5h;                                                                      \
    }                                                                                            \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define END(h)                                                                                   \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                         \
    if (i < 8)                                                                                   \
        out[i] = i == 4 ? h[4] + h[5] : i == 5 ? (half)0.5 : h[i]

kernel void generic_halves(global half *g, global half *out)
{
    local half l[8];
    const int i = get_local_id(0);
    half *h = get_group_id(0) == 0 ? (half *)l : (half *)g;
    out += 8 * get_group_id(0);
    BEGIN(h);
    change(h, i);
    END(h);
}

kernel void global_halves(global half *g, global half *out)
{
    const int i = get_local_id(0);
    BEGIN(g);
    change_global(g, i);
    END(g);
}

kernel void local_halves(global half *out)
{
    local half l[8];
    const int i = get_local_id(0);
    BEGIN(l);
    change_local(l, i);
    END(l);
}
