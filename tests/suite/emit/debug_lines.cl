// RUN[plain]: -S
// RUN[debug]: -S -g
// emits[debug]: OpLine
// emits[debug]: debug_lines.cl
// emits-not[plain]: OpLine
kernel void k(global int *p)
{
    p[0] = p[1] * 3;
}
