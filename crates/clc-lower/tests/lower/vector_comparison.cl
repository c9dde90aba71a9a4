// Vector comparisons give -1, scalar ones 1 (OpenCL C 6.3.d).
// ir: i32 -1
// ir: i32 1
kernel void k(global int4 *a, global int *b) {
    a[0] = a[1] < a[2];
    b[0] = b[1] < b[2];
}
