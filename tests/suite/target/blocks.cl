// Blocks are legal in 2.0, and not supported yet.
// RUN: -cl-std=CL2.0
// error: E0403 6:27
kernel void k(global int *p)
{
    void (^block)(void) = ^{ p[0] = 1; };
}
