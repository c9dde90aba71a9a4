// Bytes and halves of private numbers, that a pointer to them is stepped to by constants.
//@ options -fno-strict-aliasing
//@ kernel bytes
//@ global 8
//@ arg buffer uint[8] = 16909188 17 4277009102 1000 2155905152 4242 4294967295 31337
//@ arg buffer uint[8] = zero
//@ result 1 = 134874114 570621952 2721457156 1342177280 17039616 605224960 50135042 1383661568
//@ kernel shorts
//@ global 8
//@ arg buffer uint[8] = 16909188 17 4277009102 1000 2155905152 4242 4294967295 31337
//@ arg buffer ulong[8] = zero
//@ result 1 = 16715774906092459658 9344939460320567890 4217953455203846455 626865192398210202 8430222987944768932 12916246508864196030 16218522129400219613 6107850974375729334
//@ kernel floats
//@ global 8
//@ arg buffer uint[8] = 16909188 17 4277009102 1000 2155905152 4242 4294967295 31337
//@ arg buffer uint[8] = zero
//@ result 1 = 3294717025 3247194508 3346732538 3296355450 3338717056 3313817988 3347072767 3337951732
void swap(uchar *p, uchar *q)
{
    uchar kept = *p;
    *p = *q;
    *q = kept;
}

kernel void bytes(global const uint *in, global uint *out)
{
    uint n = get_global_id(0), t = in[n];
    uchar *first = (uchar *)&t, *last = first + 3;
    swap(first, last);
    swap(first + 1, last - 1);
    uint swapped = t;
    first[2] = last[-2] + 1;
    out[n] = swapped ^ t * 3;
}

kernel void shorts(global const uint *in, global ulong *out)
{
    uint n = get_global_id(0);
    ulong t = in[n] * 0x9e3779b97f4a7c15UL;
    short *s = (short *)&t;
    long total = s[0] + s[3] * 2 - s[1] * 3;
    *(s + 2) = (short)total;
    out[n] = t + total;
}

void negate(ushort *number)
{
    number[1] ^= 0x8000;
}

kernel void floats(global const uint *in, global uint *out)
{
    uint n = get_global_id(0);
    float f = (float)(in[n] & 0xffff) + 0.5f;
    negate((ushort *)&f);
    out[n] = as_uint(f) + (((ushort *)&f)[1] & 0x7fff);
}
