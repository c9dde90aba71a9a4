// Shift counts are taken modulo the width of the left operand (OpenCL C 6.3.j).
// ir: , i32 31
// ir: shl
// ir: ashr
// ir: i32 1
// ir: lshr
kernel void k(global int *a, global uint *b, int n) {
    a[0] = a[1] << n;
    a[2] = a[3] >> 33;
    b[0] = b[1] >> n;
}
