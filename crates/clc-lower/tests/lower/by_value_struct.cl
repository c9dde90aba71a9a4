// A struct argument of a kernel lies in a private copy of its own.
// ir: by_value
// ir: access
typedef struct { int a; float b; } args;
kernel void k(global float *out, args x) { *out = x.b; }
