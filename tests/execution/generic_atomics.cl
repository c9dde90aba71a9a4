// Atomics through pointers that may point to any address space: of every family, and on objects in
// global, local and private memory.
//@ section 6.7.5 6.15.12.1 6.15.12.7
//@ options -cl-std=CL2.0
//@ kernel integers
//@ global 3
//@ local 3
//@ arg buffer int[1] = 100
//@ arg buffer int[39] = ramp
//@ result 1 = 100 107 104 104 104 40 41 46 4 4 9 9 9  200 207 204 204 204 40 41 46 4 4 9 9 9  300 307 304 304 304 40 41 46 4 4 9 9 9
//@ result 0 = 9
//@ kernel floats
//@ global 3
//@ local 3
//@ arg buffer float[1] = 1.5
//@ arg buffer float[12] = ramp
//@ result 1 = 1.5 4 -2 8.25  1.5 4 -2 8.25  1.5 4 -2 8.25
//@ result 0 = 8.25
//@ kernel flags
//@ global 3
//@ local 3
//@ arg buffer int[1] = 0
//@ arg buffer int[9] = ramp
//@ result 1 = 0 1 0  0 1 0  0 1 0
// The space that work-item `i` works in, known at run time only.
#define CHOOSE(i, g, l, p) ((i) == 0 ? (g) : (i) == 1 ? (l) : (p))

__attribute__((noinline)) void integer_operations(atomic_int *a, global int *out)
{
    *out++ = atomic_load(a);
    atomic_fetch_add(a, 10);
    atomic_fetch_sub_explicit(a, 3, memory_order_relaxed, memory_scope_work_group);
    *out++ = atomic_load_explicit(a, memory_order_acquire, memory_scope_device);
    atomic_fetch_and(a, ~3);
    *out++ = atomic_fetch_min(a, 500);
    *out++ = atomic_fetch_max(a, -500);
    *out++ = atomic_exchange(a, 40);
    *out++ = atomic_fetch_or(a, 1);
    *out++ = atomic_fetch_xor(a, 7);
    *out++ = atomic_load(a);
    atomic_store(a, 4);
    int expected = 5;
    *out++ = atomic_compare_exchange_strong(a, &expected, 9) ? -1 : expected;
    *out++ = atomic_compare_exchange_strong_explicit(a, &expected, 9, memory_order_acq_rel,
                                                     memory_order_relaxed, memory_scope_device)
                 ? expected
                 : -1;
    *out++ = atomic_load(a);
    *out++ = atomic_fetch_min(a, 20);
    *out = atomic_fetch_max(a, 3);
}

kernel void integers(global atomic_int *g, global int *out)
{
    const int i = get_global_id(0);
    local atomic_int l;
    atomic_int p;
    atomic_init(&p, 300);
    if (i == 1)
        atomic_init(&l, 200);
    integer_operations(CHOOSE(i, (atomic_int *)g, (atomic_int *)&l, (atomic_int *)&p),
                       out + 13 * i);
}

kernel void floats(global atomic_float *g, global float *out)
{
    const int i = get_global_id(0);
    local atomic_float l;
    atomic_float p;
    atomic_init(&p, 1.5f);
    if (i == 1)
        atomic_init(&l, 1.5f);
    atomic_float *a = CHOOSE(i, (atomic_float *)g, (atomic_float *)&l, (atomic_float *)&p);
    out += 4 * i;
    out[0] = atomic_exchange(a, 4.0f);
    out[1] = atomic_load(a);
    atomic_store(a, -2.0f);
    out[2] = atomic_exchange(a, 8.25f);
    out[3] = atomic_load(a);
}

kernel void flags(global atomic_flag *g, global int *out)
{
    const int i = get_global_id(0);
    local atomic_flag l;
    atomic_flag p;
    atomic_flag_clear(&p);
    if (i == 1)
        atomic_flag_clear(&l);
    atomic_flag *a = CHOOSE(i, (atomic_flag *)g, (atomic_flag *)&l, (atomic_flag *)&p);
    out += 3 * i;
    out[0] = atomic_flag_test_and_set(a);
    out[1] = atomic_flag_test_and_set(a);
    atomic_flag_clear(a);
    out[2] = atomic_flag_test_and_set(a);
}
