// For Vulkan, types of images that differ in what OpenCL lets kernels do with them are one type.
// RUN[O]: -S --target-env=vulkan1.3 -cl-std=CL2.0
// RUN[O0]: -S -O0 --target-env=vulkan1.3 -cl-std=CL2.0
// emits[O]: OpImageRead
// emits[O0]: OpImageRead
kernel void k(read_only image2d_t a, read_only image2d_depth_t b, write_only image2d_t c, read_write image2d_t d)
{
    const int2 at = (int2)(get_global_id(0), 0);
    write_imagef(c, at, read_imagef(a, at) + read_imagef(b, at));
    write_imagef(d, at, read_imagef(d, at) + 1);
}
