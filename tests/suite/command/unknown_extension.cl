// RUN: -cl-ext=+cl_khr_fp46
// error: E0902 cl_khr_fp46
kernel void k(global int *p) { *p = 1; }
