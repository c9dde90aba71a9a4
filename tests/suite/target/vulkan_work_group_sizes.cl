// Before Vulkan 1.3, one module has one rule for the sizes of work-groups: the host chooses all of them.
// RUN[new]: --target-env=vulkan1.3 -S
// RUN[old]: --target-env=vulkan1.1 -S
// emits[new]: LocalSize 8 1 1
// emits[new]: LocalSizeId
// emits[old]: LocalSize 1 1 1
// emits[old]: BuiltIn WorkgroupSize
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void fixed(global int *p)
{
    p[get_global_id(0)] = get_local_size(0);
}

kernel void free_to_choose(global int *p)
{
    p[get_global_id(0)] = 2;
}
