// Kernels that enqueue blocks: events, ND-ranges, local memory, nesting, queries.
//@ section 6.15.19 6.15.19.1 6.15.19.2 6.15.19.6 6.15.19.7 6.15.19.8 6.15.19.9
//@ options -cl-std=CL2.0
//@ vulkan no shaders enqueue nothing
//@ kernel child
//@ arg buffer int[8] = zero
//@ arg int = 100
//@ result 0 = 100 101 102 103 104 105 106 0
//@ kernel ordered
//@ arg buffer int[8] = zero
//@ result 0 = 2 3 4 5 6 7 8 9
//@ kernel two_dimensions
//@ arg buffer int[12] = zero
//@ result 0 = 11 12 13 14 21 22 23 24 31 32 33 34
//@ kernel offset_and_local
//@ arg buffer int[8] = zero
//@ result 0 = 0 0 2 2 2 2 2 2
//@ kernel local_memory
//@ arg buffer int[8] = ramp 1
//@ result 0 = 4 3 2 1 8 7 6 5
//@ kernel nested
//@ arg buffer int[4] = zero
//@ result 0 = 5 6 7 8
//@ kernel recursive
//@ arg buffer int[6] = zero
//@ arg int = 0
//@ result 0 = 1 2 3 4 5 0
//@ kernel user_event
//@ arg buffer int[2] = zero
//@ result 0 = 1 7
//@ kernel queries
//@ arg buffer int[3] = zero
//@ result 0 = 1 1 1
//@ kernel three_dimensions
//@ arg buffer int[24] = zero
//@ result 0 = 0 1 2 10 11 12 100 101 102 110 111 112 200 201 202 210 211 212 300 301 302 310 311 312
//@ kernel part_of_three_dimensions
//@ arg buffer int[9] = zero
//@ result 0 = 0 0 0 0 0 0 0 11121 21121
//@ kernel retained
//@ arg buffer int[3] = zero
//@ result 0 = 1 2 3
//@ kernel profiled
//@ arg buffer int[2] = zero
//@ arg buffer ulong[2] = zero
//@ result 0 = 1 2
kernel void child(global int *p, int base)
{
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(7), ^{
        const size_t i = get_global_id(0);
        p[i] = base + (int)i;
    });
}

kernel void ordered(global int *p)
{
    const queue_t q = get_default_queue();
    const ndrange_t r = ndrange_1D(8);
    clk_event_t first, second;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, r, 0, NULL, &first, ^{
        p[get_global_id(0)] = get_global_id(0);
    });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, r, 1, &first, &second, ^{
        p[get_global_id(0)] += 1;
    });
    clk_event_t marker;
    enqueue_marker(q, 1, &second, &marker);
    void (^last)(void) = ^{ p[get_global_id(0)] += 1; };
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, r, 1, &marker, NULL, last);
    release_event(first);
    release_event(second);
    release_event(marker);
}

kernel void two_dimensions(global int *p)
{
    const size_t size[2] = {4, 3};
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_2D(size), ^{
        const int x = get_global_id(0), y = get_global_id(1);
        p[4 * y + x] = 10 * (y + 1) + x + 1;
    });
}

kernel void offset_and_local(global int *p)
{
    ndrange_t r = ndrange_1D(2, 6, 2);
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, r, ^{
        p[get_global_id(0)] = get_local_size(0);
    });
}

kernel void local_memory(global int *p)
{
    enqueue_kernel(
        get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8, 4),
        ^(local void *a, local void *b) {
            local int *tile = a, *sum = b;
            const int i = get_local_id(0);
            tile[i] = p[get_global_id(0)];
            sum[i] = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            p[get_global_id(0)] = tile[3 - i] + sum[i];
        },
        16u, 16u);
}

kernel void nested(global int *p)
{
    const int five = 5;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{
        const int i = get_global_id(0);
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
            p[i] = five + i;
        });
    });
}

kernel void recursive(global int *p, int n)
{
    p[n] = n + 1;
    if (n < 4) {
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
            recursive(p, n + 1);
        });
    }
}

kernel void user_event(global int *p)
{
    clk_event_t go = create_user_event();
    p[0] = is_valid_event(go);
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &go, NULL, ^{
        p[1] = 7;
    });
    set_user_event_status(go, CL_COMPLETE);
    release_event(go);
}

kernel void queries(global int *p)
{
    void (^block)(void) = ^{ p[1] = 2; };
    p[0] = get_kernel_work_group_size(block) > 0;
    p[1] = get_kernel_preferred_work_group_size_multiple(block) > 0;
    p[2] = get_kernel_work_group_size(^(local void *l) { *(local int *)l = 1; }) > 0;
}

kernel void three_dimensions(global int *p)
{
    const size_t size[3] = {3, 2, 4}, local_size[3] = {1, 2, 2};
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_3D(size, local_size), ^{
        const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
        p[6 * z + 3 * y + x] = 100 * z + 10 * y + x;
    });
}

kernel void part_of_three_dimensions(global int *p)
{
    const size_t offset[3] = {1, 2, 1}, size[3] = {2, 1, 1}, local_size[3] = {1, 1, 1};
    ndrange_t r = ndrange_3D(offset, size, local_size);
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, r, ^{
        const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
        p[3 * y + x] = 10000 * x + 1000 * get_local_size(0) + 100 * get_local_size(1) + 10 * y + z;
    });
}

// The event lives on after one of its owners has let it go.
kernel void retained(global int *p)
{
    clk_event_t event;
    const queue_t q = get_default_queue();
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &event, ^{ p[0] = 1; });
    retain_event(event);
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &event, NULL, ^{ p[1] = p[0] + 1; });
    release_event(event);
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &event, NULL, ^{ p[2] = p[0] + 2; });
    release_event(event);
}

// How long it took is the device's to say; that the event serves afterwards is not.
kernel void profiled(global int *p, global ulong *times)
{
    clk_event_t event;
    const queue_t q = get_default_queue();
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &event, ^{ p[0] = 1; });
    capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, times);
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &event, NULL, ^{ p[1] = p[0] + 1; });
    release_event(event);
}
