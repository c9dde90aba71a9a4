// A named pointer becomes generic by a conversion.
// std: CL2.0
// ir: to_generic
// ir: call
int get(int *p) { return *p; }
kernel void k(global int *a) { a[0] = get(a + 1); }
