// A launch that may be cut into regions has the size of each from the host. What work-groups are smaller than, the
// program cannot rely on.
// RUN[regions]: -S --target-env=vulkan1.3 -cl-std=CL3.0 --work-group-regions
// RUN[uniform]: -S --target-env=vulkan1.3 -cl-std=CL3.0 --work-group-regions -cl-uniform-work-group-size
// RUN[old]: -S --target-env=vulkan1.1 -cl-std=CL3.0 --work-group-regions
// RUN[constant]: -S --target-env=vulkan1.3 -cl-std=CL3.0 --work-group-regions -DCONSTANT
// RUN[promised]: -S --target-env=vulkan1.3 -cl-std=CL3.0 --work-group-regions -DCONSTANT -cl-uniform-work-group-size
// emits-not[regions]: LocalSize 8
// emits[regions]: LocalSizeId
// emits[uniform]: LocalSize 8 1 1
// emits[old]: LocalSize 1 1 1
// emits[old]: BuiltIn WorkgroupSize
// emits[promised]: LocalSizeId
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void fixed(global int *p)
{
    p[get_global_id(0)] = get_local_size(0);
}

#ifdef CONSTANT
constant int width __attribute__((spec_constant(0))) = 4;

kernel __attribute__((reqd_work_group_size(width, 1, 1))) void chosen(global int *p) //~[constant] E0703 cannot be a specialization constant
{
    p[get_global_id(0)] = width;
}
#endif
