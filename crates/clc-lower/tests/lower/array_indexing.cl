// An element of an array is one access, not a pointer to the first element and a step.
// ir: variable
// ir: access
// not: ptr_add v1,
kernel void k(global int *out, int i) {
    int table[4] = {1, 2, 3, 4};
    *out = table[i];
}
