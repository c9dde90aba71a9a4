// RUN: -O
// error: E0707
static int f(int);
kernel void k(global int *p) { *p = f(1); }
