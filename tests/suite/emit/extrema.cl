// RUN[strict]: -S
// RUN[relaxed]: -S -cl-fast-relaxed-math
// emits[strict]: OpFOrdLessThan
// emits[strict]: OpSelect
// emits[relaxed]: fmax
// compiles
kernel void k(global float *p) { p[0] = max(p[1], p[2]); }
