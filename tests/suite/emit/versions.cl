// RUN[0]: -S --spirv-version=1.0
// RUN[4]: -S --spirv-version=1.4
// RUN[6]: -S --spirv-version=1.6
// emits[0]: Version: 1.0
// emits[4]: Version: 1.4
// emits[6]: Version: 1.6
// compiles
constant int table[3] = { 1, 2, 3 };
kernel void k(global int *p, local int *l)
{
    local int here;
    here = table[p[0] & 1];
    *l = here;
    p[1] = *l;
}
