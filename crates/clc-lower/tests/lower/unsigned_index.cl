// An unsigned index has no sign when it is widened to the pointer's size.
// ir: zext
// ir: ptr_add
kernel void k(global int *a, uint i) { a[i] = 1; }
