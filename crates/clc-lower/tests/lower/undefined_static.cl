// error: E0751: the `static` function `twice` is used but never defined
static int twice(int x);
kernel void k(global int *p) { *p = twice(*p); }
