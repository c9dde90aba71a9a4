// Another program may define a function that is not static.
// ir: import
int twice(int x);
kernel void k(global int *p) { *p = twice(*p); }
