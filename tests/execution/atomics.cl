//@ section 6.15.12.8 6.2.2.11 6.2.2.18
//@ kernel counting
//@ global 64
//@ local 16
//@ arg buffer int[8] = 0 0 0 1000 -1000 0 0x7fffffff 5
//@ arg buffer uint[4] = 0 0xffffffff 0 0
//@ result 0 = 64 2016 -2016 0 63*2 2147483584 5
//@ result 1 = 63 3 2016 4294967232
//@ kernel exchange
//@ global 1
//@ arg buffer int[8] = 5 6 7 8 0 0 0 0
//@ result 0 = 50 60 7 108 5 6 7 8
kernel void counting(volatile global int *a, global uint *b)
{
    local int group;
    const int i = get_global_id(0);
    if (get_local_id(0) == 0)
        group = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&a[0]);
    atomic_add(&a[1], i);
    atomic_sub(&a[2], i);
    atomic_min(&a[3], i);
    atomic_max(&a[4], i);
    atomic_or(&a[5], i);
    atomic_and(&a[6], ~i);
    atomic_xor(&a[7], i);
    atomic_max(&b[0], (uint)i);
    atomic_min(&b[1], (uint)i + 3u);
    atomic_add(&group, i);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(&b[2], (uint)group);
    atomic_dec((volatile global int *)&b[3]);
}

kernel void exchange(global int *a)
{
    a[4] = atomic_xchg(&a[0], 50);
    a[5] = atomic_cmpxchg(&a[1], 6, 60);
    a[6] = atomic_cmpxchg(&a[2], 6, 70);
    a[7] = atomic_add(&a[3], 100);
}
