// Where a type has the attribute `may_alias`, no access says anything of its object.
// ir: i32 1 align 4
// not: typed
typedef int __attribute__((may_alias)) Any;
kernel void k(global Any *p, global float *f) { *p = 1; *f = 2; }
