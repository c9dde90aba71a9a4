// error: E0401
#include "inc/outer.h"
kernel void k(global int *p) { *p = inner(*p); }
