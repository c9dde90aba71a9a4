// RUN: -O
// error: E0706
constant sampler_t s = 0xff;
kernel void k(read_only image2d_t i, global float4 *p) { *p = read_imagef(i, s, (int2)(0)); }
