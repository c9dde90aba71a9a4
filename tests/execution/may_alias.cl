// The attribute `may_alias` exempts accesses from the rules of C99 6.5p7.
//@ section 6.3.8
//@ kernel any_object
//@ global 1
//@ arg buffer int[4] = zero
//@ result 0 = 1073741824 0 0 0

typedef int __attribute__((may_alias)) AnyWord;

__attribute__((noinline)) float last_store(global AnyWord *i, global float *f)
{
    *f = 1.0f;
    *i = 0x40000000;
    return *f;
}

kernel void any_object(global int *o)
{
    o[0] = as_int(last_store(o + 2, (global float *)(o + 2)));
    o[2] = 0;
}
