// ir: no_write no_alias
kernel void k(global const int *restrict a, global int *b) { *b = *a; }
