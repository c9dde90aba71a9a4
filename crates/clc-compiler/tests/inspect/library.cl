// clc: -c -cl-std=CL2.0
int scale(int x);
constant float weights[3] = { 1, 2, 3 };
global int counter;
float sum(int x) { return weights[x] + scale(x) + counter; }
