// An inline definition belongs to its file (C99 6.7.4p6).
// RUN: -O
// RUN: -c
// error: E0751 5:12 the `inline` function `f`
inline int f(int x);
kernel void k(global int *p) { *p = f(1); }
