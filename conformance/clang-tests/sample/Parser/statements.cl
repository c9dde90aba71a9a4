// RUN: %clang_cc1 -triple spir64-unknown-unknown -cl-std=CL1.2 -fsyntax-only -verify %s
// RUN: %clang_cc1 -triple spir64-unknown-unknown -cl-std=CL3.0 -fsyntax-only -verify %s

kernel void statements(global int *out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = i +; // one operand is missing
  if n > 0 // no parentheses
    out[0] = n;
}

kernel void follows(global int *out) { out[0] = 1; }
