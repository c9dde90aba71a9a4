// RUN: -cl-std=CL2.0 -fsyntax-only
// C99 6.2.2 and 6.7.4: linkage and `inline`.
static int before(int x);
int before(int x) { return x; } // stays internal
inline int inline_only(int x) { return x + 1; }
int after(int x);
static int after(int x) { return x; } //~ E0202 declared `static` after
global int variable;
static global int variable; //~ E0202 declared `static` after
kernel void k(global int *p) { *p = before(inline_only(*p)); }
