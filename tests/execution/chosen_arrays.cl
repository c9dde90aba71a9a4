// Pointers to one of two private arrays, which functions read in loops, and one to arrays that are written meanwhile.
//@ kernel alternate
//@ global 8
//@ arg buffer uint[8] = 3 17 250 1000 77 4242 9 31337
//@ arg buffer uint[8] = zero
//@ result 1 = 4268613763 1534376750 3613533698 868297884 237473936 4277819767 4087529316 3463377050
//@ kernel kept
//@ global 8
//@ arg buffer uint[8] = 3 17 250 1000 77 4242 9 31337
//@ arg buffer uint[8] = zero
//@ result 1 = 555335 5484347 91645162 116351893 27393289 779871878 1464647 1418294306
uint series(const uint *c, uint x)
{
    uint b = 0;
    for (int i = 4; i >= 0; i--)
        b = b * x + c[i];
    return b;
}

kernel void alternate(global const uint *in, global uint *out)
{
    uint n = get_global_id(0), x = in[n], a[5], b[5], sum = 0;
    for (int i = 0; i < 5; i++) {
        a[i] = x * (i + 1) ^ n;
        b[i] = (x >> i) + n * i;
    }
    for (uint k = 0; k < 6; k++) {
        const uint *c = x >> k & 1 ? a : b;
        uint at = series(c, k + 2);
        while (at & 4)
            at = at / 3 + series(c, at & 7);
        sum = sum * 31 + at + c[at % 5];
    }
    out[n] = sum;
}

kernel void kept(global const uint *in, global uint *out)
{
    uint n = get_global_id(0), x = in[n], a[4], b[4], sum = 0;
    for (int i = 0; i < 4; i++) {
        a[i] = x + i;
        b[i] = x * i;
    }
    for (uint k = 0; k < 6; k++) {
        const uint *c = x >> k & 1 ? a : b;
        sum = sum * 7 + c[k & 3];
        a[k & 3] += sum;
        sum += c[(k + 1) & 3] + c[k & 3];
    }
    out[n] = sum + a[n & 3];
}
