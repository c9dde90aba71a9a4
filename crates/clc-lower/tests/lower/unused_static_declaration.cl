// A declaration that nobody uses needs no body.
// ir: kernel "k"
// not: twice
static int twice(int x);
kernel void k(global int *p) { *p = 1; }
