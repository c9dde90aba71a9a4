// Sub-groups on Vulkan: collective functions of work-groups use them where the device is said to have
// arithmetic, and shuffles of cl_intel_subgroups become those of Khronos; blocks of images are refused.
// RUN[plain]: --target-env=vulkan1.3 -S -cl-std=CL3.0 -cl-ext=+cl_khr_subgroups
// RUN[arithmetic]: --target-env=vulkan1.3 -S -cl-std=CL3.0 -cl-ext=+cl_khr_subgroups --sub-group-arithmetic
// RUN[intel]: --target-env=vulkan1.3 -cl-std=CL3.0 -cl-ext=+cl_khr_subgroups,+cl_intel_subgroups -DINTEL
// RUN[shuffles]: --target-env=vulkan1.3 -S -cl-std=CL1.2 -cl-ext=+cl_intel_subgroups -DSHUFFLES
// RUN[missing]: --target-env=vulkan1.3 -cl-std=CL1.2 -DSHUFFLES
// emits[shuffles]: OpGroupNonUniformShuffle 
// emits[shuffles]: OpGroupNonUniformShuffleXor
// emits-not[shuffles]: INTEL
// RUN[opencl]: --sub-group-arithmetic
// exit[opencl]: 2
// stderr[opencl]: `--sub-group-arithmetic` is for Vulkan
// emits[plain]: OpGroupNonUniformBallotBitCount
// emits[plain]: OpControlBarrier
// emits-not[plain]: OpGroupNonUniformIAdd
// emits-not[plain]: OpCapability GroupNonUniformArithmetic
// emits[arithmetic]: OpGroupNonUniformIAdd
// emits[arithmetic]: OpControlBarrier
#ifdef SHUFFLES
kernel void k(global uint *out)
{
    out[0] = intel_sub_group_shuffle(out[3], 1); //~[missing] E0502 needs `cl_intel_subgroups`
    out[1] = intel_sub_group_shuffle_xor(out[3], 1); //~[missing] E0502 needs `cl_intel_subgroups`
    uint2 pair = intel_sub_group_block_read2(out + 64); //~[missing] E0502 needs `cl_intel_subgroups`
    intel_sub_group_block_write2(out, pair); //~[missing] E0502 needs `cl_intel_subgroups`
}
#else
kernel void k(global int *out, read_only image2d_t image)
{
    out[0] = work_group_reduce_add(out[get_local_id(0)]);
    out[1] = get_sub_group_size();
#ifdef INTEL
    out[2] = intel_sub_group_block_read(image, (int2)(0)); //~[intel] E0703 blocks of images are for OpenCL alone
#endif
}
#endif
