// Sub-groups come with OpenCL C 2.0. Before it OpenCL devices have them by cl_intel_subgroups, and shaders where -cl-ext says so.
// RUN[vulkan]: --target-env=vulkan1.3 -cl-std=CL1.2
// RUN[later]: --target-env=vulkan1.3 -cl-std=CL2.0
// RUN[named]: --target-env=vulkan1.3 -cl-std=CL1.2 -cl-ext=+cl_khr_subgroups
// RUN[lacking]: --target-env=vulkan1.3 -cl-std=CL2.0 -cl-ext=-cl_khr_subgroups
// RUN[opencl]: -cl-std=CL1.2
// error[vulkan]: E0502 16:12
// error[vulkan]: E0502 16:40
// stderr[vulkan]: `get_max_sub_group_size` needs `cl_khr_subgroups`, which comes with OpenCL C 2.0; this is OpenCL C 1.2
// error[lacking]: E0502 16:12
// error[lacking]: E0502 16:40
// compiles[later]
// compiles[named]
// compiles[opencl]
kernel void k(global uint *p) {
    p[0] = get_max_sub_group_size() + (sub_group_any(1) ? 1 : 0);
}
