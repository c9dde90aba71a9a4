// Overloads get names of their own in the module.
// ir: "kind"
// ir: "kind.1"
int __attribute__((overloadable)) kind(int x) { return 1; }
int __attribute__((overloadable)) kind(float x) { return 2; }
kernel void k(global int *o) { o[0] = kind(1) + kind(1.0f); }
