// Blocks that capture images and samplers.
//@ options -cl-std=CL2.0
//@ vulkan no shaders enqueue nothing
//@ kernel called
//@ arg image rgba float 2x2 = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//@ arg sampler 0 edge nearest
//@ arg buffer float4[1] = zero
//@ result 2 = 6 8 10 12
//@ kernel enqueued
//@ arg image rgba float 2x2 = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//@ arg buffer float4[2] = zero
//@ result 1 = 1 2 3 4 5 6 7 8
kernel void called(read_only image2d_t i, sampler_t s, global float4 *o)
{
    const sampler_t lit = CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP | CLK_NORMALIZED_COORDS_FALSE;
    void (^b)(void) = ^{ o[0] = read_imagef(i, s, (int2)(0)) + read_imagef(i, lit, (int2)(1, 0)); };
    b();
}
kernel void enqueued(read_only image2d_t i, global float4 *o)
{
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{
        const int x = get_global_id(0);
        o[x] = read_imagef(i, (int2)(x, 0));
    });
}
