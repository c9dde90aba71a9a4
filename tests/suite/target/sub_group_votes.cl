// RUN[2]: -cl-std=CL3.0 --spirv-version=1.2
// RUN[3]: -cl-std=CL3.0 --spirv-version=1.3
// error[2]: E0703 6:37
// compiles[3]
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_vote : enable
kernel void k(global int *p) { *p = sub_group_elect(); }
