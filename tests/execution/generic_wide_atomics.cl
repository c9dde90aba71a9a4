// Atomics of 64 bits through pointers that may point to any address space.
//@ section 6.7.5 6.15.12.1 6.15.12.7
//@ options -cl-std=CL2.0
//@ kernel longs
//@ global 3
//@ local 3
//@ arg buffer long[1] = 100
//@ arg buffer long[12] = ramp
//@ result 1 = 100 4294967396 4294967296 1  100 4294967396 4294967296 1  100 4294967396 4294967296 1
//@ result 0 = 7
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

// The space that work-item `i` works in, known at run time only.
#define CHOOSE(i, g, l, p) ((i) == 0 ? (g) : (i) == 1 ? (l) : (p))

kernel void longs(global atomic_long *g, global long *out)
{
    const int i = get_global_id(0);
    local atomic_long l;
    atomic_long p;
    atomic_init(&p, 100);
    if (i == 1)
        atomic_init(&l, 100);
    atomic_long *a = CHOOSE(i, (atomic_long *)g, (atomic_long *)&l, (atomic_long *)&p);
    out += 4 * i;
    out[0] = atomic_fetch_add(a, 1L << 32);
    out[1] = atomic_fetch_and(a, 1L << 32);
    out[2] = atomic_load(a);
    long expected = 1L << 32;
    out[3] = atomic_compare_exchange_strong(a, &expected, 7);
}
