// ir: volatile
// ir: volatile
kernel void k(volatile global int *a) { a[0] = a[1]; }
