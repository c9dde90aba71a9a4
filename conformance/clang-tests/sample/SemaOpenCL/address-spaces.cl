// RUN: %clang_cc1 -triple spir64-unknown-unknown -cl-std=CL1.2 -fsyntax-only -verify %s
// RUN: %clang_cc1 -triple spir-unknown-unknown -cl-std=CL2.0 -fsyntax-only -verify %s
// RUN: %clang_cc1 -triple amdgcn -cl-std=CL2.0 -fsyntax-only -verify %s

void spaces(global int *g, local int *l) {
  g = l;
  l = (local int *)g;
  int *p = g; // a generic pointer from 2.0 on
}

// Recursion, which only one of the compilers refuses.
int sum(int n) {
  return n == 0 ? 0 : n + sum(n - 1);
}

kernel void pointers(int *p) {} // private in 1.2, generic in 2.0
