// Tables of more elements than an instruction has operands for are written in pieces, unless other modules see their type.
// RUN[program]: -S -cl-std=CL2.0
// RUN[library]: -c -cl-std=CL2.0
// RUN[static]: -c -S -cl-std=CL2.0 -DSTATIC
// RUN[debug]: -g -cl-std=CL2.0
// RUN[private]: --target-env=vulkan1.3 -cl-std=CL2.0 -DPRIVATE
// RUN[copied]: -S -cl-std=CL2.0 -DPRIVATE
// emits[program]: OpSpecConstantOp
// emits[static]: OpSpecConstantOp
// emits[copied]: OpSpecConstantOp
// exit[library]: 1
// exit[private]: 1
#ifdef PRIVATE
kernel void k(global float *p, int i) { float a[70000] = { 1 }; *p = a[i]; } //~[private] E0704 `k` needs an instruction
#else
#ifdef STATIC
static
#endif
global float table[70000] = { 1.0f }; //~[library] E0704 `table` needs an instruction
kernel void k(global float *p, int i) { *p = table[i]; }
#endif
