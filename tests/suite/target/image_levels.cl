// The environment takes levels of detail of writes (cl_khr_mipmap_image_writes); level 0 is said by
// saying none.
// RUN[some]: -cl-std=CL2.0 -S
// RUN[new]: -cl-std=CL2.0 -S --spirv-version=1.6
// RUN[described]: -cl-std=CL2.0 -S -g3
// RUN[zero]: -cl-std=CL2.0 -S -DLEVEL=0
// RUN[without]: -cl-std=CL2.0 -cl-ext=-cl_khr_mipmap_image_writes
// emits[some]: OpCapability ImageMipmap
// emits[some]:  Lod %
// emits[described]:  Lod %
// emits[new]: Lod|SignExtend
// emits-not[zero]: Lod
// error[without]: E0502
#ifndef LEVEL
#define LEVEL level
#endif
kernel void k(write_only image2d_t i, int level) { write_imagei(i, (int2)(1), LEVEL, (int4)(2)); }
