// When children begin and parents end, what they see of each other, and a whole example.
//@ section 6.2.2.5 6.15.19.3 6.15.19.4 6.15.19.5
//@ options -cl-std=CL2.0 -cl-ext=+cl_khr_device_enqueue_local_arg_types
//@ vulkan no shaders enqueue nothing
//@ kernel after_parent
//@ global 8
//@ local 8
//@ arg buffer int[9] = zero
//@ result 0 = 1 2 3 4 5 6 7 8 36
//@ kernel after_group
//@ global 8
//@ local 4
//@ arg buffer int[10] = zero
//@ result 0 = 1 2 3 4 5 6 7 8 10 26
//@ kernel grandchildren
//@ arg buffer int[3] = zero
//@ result 0 = 1 2 3
//@ kernel sees_grandchildren
//@ arg buffer int[3] = 1 2 3
//@ result 0 = 6 2 3
//@ kernel local_types
//@ arg buffer int[4] = 5 6 7 8
//@ result 0 = 16 14 12 10
//@ kernel example
//@ arg buffer int[4] = 1 2 3 4
//@ arg buffer int[4] = zero
//@ arg buffer int[4] = zero
//@ result 1 = 2 4 6 8
//@ result 2 = 102 104 106 108

kernel void after_parent(global int *p)
{
    const int i = get_global_id(0);
    if (i == 0) {
        // It begins when all work-items of this kernel have ended, also those that write later.
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
            for (int k = 0; k < 8; k++)
                p[8] += p[k];
        });
    }
    p[i] = i + 1;
}

kernel void after_group(global int *p)
{
    const int i = get_global_id(0);
    const int group = get_group_id(0);
    if (get_local_id(0) == 0) {
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), ^{
            for (int k = 0; k < 4; k++)
                p[8 + group] += p[4 * group + k];
        });
    }
    p[i] = i + 1;
}

kernel void grandchildren(global int *p)
{
    p[0] = 1;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        p[1] = p[0] + 1;
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
            p[2] = p[1] + 1;
        });
    });
}

// A parent has ended when its children have, so that the host's next kernel sees all they did.
kernel void sees_grandchildren(global int *p)
{
    p[0] = p[0] + p[1] + p[2];
}

kernel void local_types(global int *p)
{
    enqueue_kernel(
        get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4, 4),
        ^(local int *tile, local int2 *pair) {
            const int i = get_local_id(0);
            tile[i] = p[i];
            if (i == 0)
                *pair = (int2)(2, 0);
            barrier(CLK_LOCAL_MEM_FENCE);
            p[i] = tile[3 - i] * pair->x + pair->y;
        },
        (uint)(4 * sizeof(int)), (uint)sizeof(int2));
}

void double_each(global const int *a, global int *b)
{
    const size_t i = get_global_id(0);
    b[i] = 2 * a[i];
}

void add_hundred(global const int *b, global int *c)
{
    const size_t i = get_global_id(0);
    c[i] = b[i] + 100;
}

kernel void example(global int *a, global int *b, global int *c)
{
    const ndrange_t range = ndrange_1D(4);
    const queue_t queue = get_default_queue();
    void (^first)(void) = ^{ double_each(a, b); };
    void (^second)(void) = ^{ add_hundred(b, c); };
    clk_event_t done;
    int status = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, range, 0, NULL, &done, first);
    if (status == CLK_SUCCESS) {
        status = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, range, 1, &done, NULL, second);
        release_event(done);
    }
    if (status != CLK_SUCCESS)
        c[0] = status;
}
