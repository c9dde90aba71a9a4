// A constant table is data, with what is missing zero.
// ir: composite
// ir: uniformconstant
constant uint table[6] = {1u, 2u, 0xffffffffu, 4u};
kernel void k(global uint *a, int i) { *a = table[i]; }
