// Another program may define a function that is not static.
// part
// ir: import
int twice(int x);
kernel void k(global int *p) { *p = twice(*p); }
