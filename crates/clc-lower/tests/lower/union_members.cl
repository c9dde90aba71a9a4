// The members of a union are one place.
// ir: struct
// ir: bitcast
// ir: load
typedef union { float f; uint u; } bits;
kernel void k(global uint *out, float x) {
    bits b;
    b.f = x;
    *out = b.u;
}
