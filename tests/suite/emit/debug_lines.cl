// RUN[plain]: -S
// RUN[debug]: -S -g
// emits[debug]: debug_lines.cl
// emits[debug]: OpLine
// emits-not[plain]: OpLine
kernel void k(global int *p)
{
    p[0] = p[1] * 3;
}
