// A packed member is less aligned than its type.
// ir: packed
// ir: align 1
struct __attribute__((packed)) S { char c; int i; };
kernel void k(global struct S *s, global int *out) { *out = s->i; }
