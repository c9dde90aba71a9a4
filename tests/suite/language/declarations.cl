// RUN: -fsyntax-only -cl-std=CL2.0 -Wall
enum e { A = 1 << 2, B = 2.5f }; //~ E0602
global char huge[1UL << 62][1UL << 10]; //~ E0307
constant int nine = ({ 9; }); //~ E0404
global global int twice; //~ W0321
static static int repeated(void); //~ W0203
long long very_long; //~ W0208
enum f { C = 0xffffffffffffffffUL, D }; //~ E0217
kernel void k(global int *p) { *p = nine; }
