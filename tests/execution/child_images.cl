// Blocks that capture images and are enqueued.
//@ options -cl-std=CL2.0
//@ vulkan no shaders enqueue nothing
//@ kernel enqueued
//@ arg image rgba float 2x2 = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//@ arg buffer float4[2] = zero
//@ result 1 = 1 2 3 4 5 6 7 8
kernel void enqueued(read_only image2d_t i, global float4 *o)
{
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{
        const int x = get_global_id(0);
        o[x] = read_imagef(i, (int2)(x, 0));
    });
}
