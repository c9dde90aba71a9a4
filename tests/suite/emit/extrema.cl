// RUN[strict]: -S
// RUN[relaxed]: -S -cl-fast-relaxed-math
// RUN[small]: -S -cl-fast-relaxed-math -Os
// emits[strict]: OpFOrdLessThan
// emits[strict]: OpSelect
// emits[relaxed]: OpFOrdLessThan
// emits-not[relaxed]: fmax
// emits[small]: fmax
// compiles
kernel void k(global float *p) { p[0] = max(p[1], p[2]); }
