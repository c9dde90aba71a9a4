// What is enqueued is an entry point of its own; what is only called is none.
// RUN[0]: -cl-std=CL2.0 -S -O0
// RUN[1]: -cl-std=CL2.0 -S
// RUN[3]: -cl-std=CL3.0 -S --spirv-version=1.6 -cl-kernel-arg-info
// emits: OpCapability DeviceEnqueue
// emits: "__k_block_invoke_kernel"
// emits: "__k_block_invoke_2_kernel"
// emits: OpEnqueueKernel
// emits-not: "__k_block_invoke_3_kernel"
kernel void k(global int *p)
{
    void (^block)(void) = ^{ p[0] = 1; };
    int (^called)(int) = ^(int x) { return x + p[1]; };
    p[2] = called(3);
    block();
    enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), block);
    p[3] = get_kernel_work_group_size(^(local void *l) { });
    p[4] = get_kernel_work_group_size(block);
}
