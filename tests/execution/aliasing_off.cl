// One object as two types, which `-fno-strict-aliasing` allows.
//@ options -fno-strict-aliasing
//@ section 6.3.8
//@ kernel two_types
//@ global 1
//@ arg buffer int[4] = zero
//@ result 0 = 1073741824 1065353216 0 0

__attribute__((noinline)) float last_store(global int *i, global float *f)
{
    *f = 1.0f;
    *i = 0x40000000;
    return *f;
}
__attribute__((noinline)) int read_between(global int *i, global float *f)
{
    *f = 1.0f;
    int seen = *i;
    *f = 2.0f;
    return seen;
}

kernel void two_types(global int *o)
{
    o[0] = as_int(last_store(o + 2, (global float *)(o + 2)));
    o[1] = read_between(o + 2, (global float *)(o + 2));
    o[2] = 0;
}
