// What 32 bits hold is compared as 64 bits are: the order of widened numbers.
//@ section 6.3.1 6.4 6.5.8
//@ kernel orders
//@ global 6
//@ arg buffer int[6] = -2147483648 -5 0 2147483647 -4 100
//@ arg int = 0
//@ arg int = -4
//@ arg buffer int[6] = zero
//@ result 3 = 1003 975 417 936 589 936

kernel void orders(global const int *in, int w, int x, global int *out)
{
    const int v = in[get_global_id(0)];
    const uint u = v;
    int bits = 0;
    bits |= ((long)v < 100L) << 0;
    bits |= ((long)v <= -5L) << 1;
    bits |= ((ulong)u >= 4294967291UL) << 2;
    bits |= ((long)u > 5L) << 3;
    bits |= ((long)v == 2147483648L) << 4;
    bits |= ((ulong)(long)v < (ulong)-5L) << 5;
    bits |= ((long)v < (long)w) << 6;
    bits |= ((ulong)u < (ulong)(uint)x) << 7;
    bits |= ((long)u < (long)(uint)x) << 8;
    bits |= ((long)v != (long)w) << 9;
    out[get_global_id(0)] = bits;
}
