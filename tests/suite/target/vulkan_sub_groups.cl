// Sub-groups on Vulkan: collective functions of work-groups use them where the device is said to have
// arithmetic, and what only cl_intel_subgroups has is refused.
// RUN[plain]: --target-env=vulkan1.3 -S -cl-std=CL3.0 -cl-ext=+cl_khr_subgroups
// RUN[arithmetic]: --target-env=vulkan1.3 -S -cl-std=CL3.0 -cl-ext=+cl_khr_subgroups --sub-group-arithmetic
// RUN[intel]: --target-env=vulkan1.3 -cl-std=CL3.0 -cl-ext=+cl_khr_subgroups,+cl_intel_subgroups -DINTEL
// RUN[opencl]: --sub-group-arithmetic
// exit[opencl]: 2
// stderr[opencl]: `--sub-group-arithmetic` is for Vulkan
// emits[plain]: OpGroupNonUniformBallotBitCount
// emits[plain]: OpControlBarrier
// emits-not[plain]: OpGroupNonUniformIAdd
// emits-not[plain]: OpCapability GroupNonUniformArithmetic
// emits[arithmetic]: OpGroupNonUniformIAdd
// emits[arithmetic]: OpControlBarrier
kernel void k(global int *out)
{
    out[0] = work_group_reduce_add(out[get_local_id(0)]);
    out[1] = get_sub_group_size();
#ifdef INTEL
    out[2] = intel_sub_group_shuffle(out[3], 1); //~[intel] E0703 the extension cl_intel_subgroups is for OpenCL alone
#endif
}
