// A broadcast from a place that is not constant is an instruction from SPIR-V 1.5 on, and before that
// a shuffle of each component: shuffles of vectors are not part of the OpenCL environment. The shuffles
// of cl_intel_subgroups take vectors of 32 bits, not of half and double.
// RUN[old]: -S -cl-std=CL3.0 --spirv-version=1.3 -cl-ext=+cl_khr_subgroup_ballot
// RUN[old]: -S -cl-std=CL3.0 -O0 --target-env=vulkan1.1
// RUN[new]: -S -cl-std=CL3.0 --spirv-version=1.5 -cl-ext=+cl_khr_subgroup_ballot
// RUN[new]: -S -cl-std=CL3.0 --target-env=vulkan1.2
// emits[old]: OpGroupNonUniformShuffle
// emits-not[old]: OpGroupNonUniformBroadcast
// emits[new]: OpGroupNonUniformBroadcast
// emits-not[new]: OpGroupNonUniformShuffle
// RUN[constant]: -S -cl-std=CL3.0 --spirv-version=1.3 -cl-ext=+cl_khr_subgroup_ballot -DFROM=3
// emits[constant]: OpGroupNonUniformBroadcast
// emits-not[constant]: OpGroupNonUniformShuffle
// RUN[intel]: -S -cl-std=CL3.0 -cl-ext=+cl_intel_subgroups -DINTEL=double2
// emits[intel]: OpSubgroupShuffleINTEL
// emits[intel]: OpCompositeConstruct
// RUN[whole]: -S -cl-std=CL3.0 -cl-ext=+cl_intel_subgroups -DINTEL=float4
// emits-not[whole]: OpCompositeConstruct
// emits[whole]: OpSubgroupShuffleINTEL
#ifndef INTEL
#ifndef FROM
#define FROM from
#endif
kernel void k(global double3 *p, uint from)
{
    double3 x = p[get_global_id(0)];
    p[get_global_id(0)] = sub_group_non_uniform_broadcast(x, FROM);
}
#else
kernel void k(global INTEL *p, uint from)
{
    p[get_global_id(0)] = intel_sub_group_shuffle(p[get_global_id(0)], from);
}
#endif
