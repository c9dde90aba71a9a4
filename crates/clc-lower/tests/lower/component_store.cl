// Memory that others see is written only where the program says: no load of the vector.
// ir: access v
// ir: store
// not: insert
kernel void k(global float4 *a, float x) { a[2].y = x; }
