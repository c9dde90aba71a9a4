// RUN: -fsyntax-only -Wall
constant sampler_t s = 2 + 3;
kernel void k(global int *p, global float *f, int v, read_only image2d_t i)
{
    read_imagef(i, v, (int2)(0)); //~ E0347
    *p = ''; //~ E0412
    *f = sin(1); //~ E0503
    *p = f == p; //~ W0342
    uchar c = 300; //~ W0343
}
