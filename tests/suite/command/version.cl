// RUN[default]: -E
// RUN[10]: -E -cl-std=CL1.0
// RUN[20]: -E -cl-std=CL2.0
// RUN[31]: -E -cl-std=CL3.1
// emits[default]: version 120 
// emits[10]: version 100
// emits[20]: version 200
// emits[31]: version 310
version __OPENCL_C_VERSION__ __OPENCL_VERSION__
