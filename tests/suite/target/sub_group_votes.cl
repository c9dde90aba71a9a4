// RUN[2]: -cl-std=CL3.0 --spirv-version=1.2
// RUN[3]: -cl-std=CL3.0 --spirv-version=1.3
// RUN[new]: -cl-std=CL3.0 -S
// RUN[old]: -cl-std=CL3.0 -S -DOLD
// error[2]: E0703 11:37
// compiles[3]
// emits[new]: Version: 1.3
// emits[old]: Version: 1.2
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_vote : enable
#ifndef OLD
kernel void k(global int *p) { *p = sub_group_elect(); }
#else
kernel void k(global int *p) { *p = 1; }
#endif
