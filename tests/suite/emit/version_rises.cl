// The version of SPIR-V is that of the environment, or what the program needs.
// RUN[plain]: -S -cl-std=CL3.0 -DPLAIN
// RUN[votes]: -S -cl-std=CL3.0 -cl-ext=+all
// RUN[fixed]: -S -cl-std=CL3.0 -cl-ext=+all --spirv-version=1.2
// RUN[newer]: -S -cl-std=CL3.0 -cl-ext=+all --spirv-version=1.5
// RUN[size]: -S -cl-std=CL2.0 -DSIZE --target-env=opencl2.0
// RUN[nosize]: -S -cl-std=CL2.0 -DSIZE --spirv-version=1.0
// RUN[vulkan]: -S -cl-std=CL2.0 -DSIZE --target-env=vulkan1.1
// emits-not[vulkan]: SubgroupSize
// emits[plain]: Version: 1.2
// emits[votes]: Version: 1.3
// emits[newer]: Version: 1.5
// error[fixed]: E0703
// emits[size]: Version: 1.1
// error[nosize]: E0708
#ifdef SIZE
kernel __attribute__((intel_reqd_sub_group_size(16))) void k(global int *p) { *p = 1; }
#elif defined PLAIN
kernel void k(global int *p) { *p = 1; }
#else
kernel void k(global int *p) { *p = sub_group_non_uniform_all(p[1]); }
#endif
