// Nothing that no kernel reaches is in the module.
// RUN[0]: -S -O0
// RUN[1]: -S -O
// emits-not: unused
// emits: OpEntryPoint Kernel
constant int unused_table[4] = { 1, 2, 3, 4 };
int unused_function(int x) { return unused_table[x]; }
kernel void k(global int *p) { *p = 1; }
