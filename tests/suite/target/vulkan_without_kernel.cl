// A module for Vulkan has an entry point.
// RUN[vulkan]: --target-env=vulkan1.3
// RUN[opencl]: -S
// error[vulkan]: E0708
// emits[opencl]: OpCapability Kernel
int helper(int x) { return x + 1; }
