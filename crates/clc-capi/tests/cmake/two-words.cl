kernel void two(global int *p)
{
    *p = VALUE;
}
