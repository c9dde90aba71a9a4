//@ section 6.15.12 6.15.12.1 6.15.12.2 6.15.12.3 6.15.12.7
//@ options -cl-std=CL2.0
//@ kernel counting
//@ global 64
//@ local 16
//@ arg buffer int[6] = 0 0 1000 -1 0 5
//@ arg buffer uint[2] = 0 0
//@ result 0 = 2016 -64 0 -65536 63 5
//@ result 1 = 888 63
//@ kernel exchange
//@ global 1
//@ arg buffer int[8] = 1 2 3 4 0 0 0 0
//@ result 0 = 10 20 3 4 1 10 3 8
kernel void counting(global atomic_int *a, global atomic_uint *b)
{
    local atomic_int group;
    const int i = get_global_id(0);
    if (get_local_id(0) == 0)
        atomic_init(&group, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add(&a[0], i);
    atomic_fetch_sub_explicit(&a[1], 1, memory_order_relaxed, memory_scope_device);
    atomic_fetch_min(&a[2], i);
    atomic_fetch_and_explicit(&a[3], ~(1 << (i & 15)), memory_order_relaxed);
    atomic_fetch_or(&a[4], i);
    atomic_fetch_xor(&a[5], i);
    atomic_fetch_add_explicit(&group, i, memory_order_relaxed, memory_scope_work_group);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_fetch_max(&b[0], (uint)atomic_load(&group));
    atomic_fetch_max_explicit(&b[1], (uint)i, memory_order_acq_rel, memory_scope_device);
}

kernel void exchange(global atomic_int *a)
{
    int expected = 2;
    const int old = atomic_exchange(&a[0], 10);
    const bool first = atomic_compare_exchange_strong(&a[1], &expected, 20);
    const bool second = atomic_compare_exchange_strong(&a[2], &expected, 30);
    atomic_store(&a[4], old);
    atomic_store_explicit(&a[5], first * 10 + second, memory_order_release, memory_scope_device);
    atomic_store(&a[6], expected);
    atomic_store(&a[7], atomic_load_explicit(&a[3], memory_order_acquire, memory_scope_device) * 2);
}
