// The right side is evaluated only if the left side does not decide.
// ir: load
// ir: ne
// ir: branch
// ir: , i32 1 align 4
// ir: call
// ir: branch
int f(global int *p) { return ++*p; }
kernel void k(global int *a) {
    if (a[0] && f(a + 1)) a[2] = 1;
}
