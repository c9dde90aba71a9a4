// RUN[64]: -S
// RUN[32]: -S -m32
// emits[64]: OpMemoryModel Physical64 OpenCL
// emits[32]: OpMemoryModel Physical32 OpenCL
// emits-not[32]: OpCapability Int64
kernel void k(global int *p) { p[get_global_id(0)] = sizeof(p); }
