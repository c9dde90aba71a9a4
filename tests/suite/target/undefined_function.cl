// RUN: -O
// error: E0751
static int f(int);
kernel void k(global int *p) { *p = f(1); }
