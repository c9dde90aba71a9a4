// An image that is neither read nor written has no type that goes with whatever the host binds, so that on Vulkan the
// host says how large it is. That of clspv does not.
// RUN[vulkan]: -S --target-env=vulkan1.3 -cl-std=CL2.0
// RUN[clspv]: -S --target-env=vulkan1.3 -cl-std=CL2.0 --reflection-set=clspv
// RUN[read]: -S --target-env=vulkan1.3 -cl-std=CL2.0 -DREAD
// emits-not[vulkan]: OpTypeImage
// emits-not[vulkan]: OpImageQuery
// emits[clspv]: OpTypeFloat 32
// emits[clspv]: OpTypeImage
// emits[clspv]: OpImageQuerySize
// emits-not[read]: OpTypeFloat
// emits[read]: OpTypeImage
// emits[read]: OpImageQuerySize
kernel void k(read_only image2d_t image, read_only image2d_t other, int n, global int *out)
{
    out[0] = get_image_height(n == 3 ? image : other) + get_image_dim(image).x;
#ifdef READ
    if (n < 0)
        out[1] = read_imageui(image, (int2)(0, 0)).x + read_imageui(other, (int2)(0, 0)).x;
#endif
}
