// Bytes and halves of private numbers that a pointer is stepped to by constants, and vectors seen as structs and as numbers.
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
//@ kernel members
//@ global 8
//@ arg buffer uint[8] = 16909188 17 4277009102 1000 2155905152 4242 4294967295 31337
//@ arg buffer uint[32] = zero
//@ result 1 = 4244239741 50727564 16909187 16909196 4294967254 51 22 31 53874591 4241092714 4277009097 4277009106 4294964305 3000 1007 1016 2122219145 2172748160 2155905159 2155905168 4294954579 12726 4245 4254 12 4294967293 4294967288 1 4294873294 94011 31342 31351
//@ kernel signs
//@ global 8
//@ arg buffer uint[8] = 16909188 17 4277009102 1000 2155905152 4242 4294967295 31337
//@ arg buffer uint[32] = zero
//@ result 1 = 2078343168 4225826816 2086732676 1073741824 2114453504 4261937152 2122842129 1073741824 2029702656 4177186304 2038052046 1073741824 2079981568 4227465216 2088371176 1073741824 2021687296 4169170944 2030043264 1073741824 2047119360 4194603008 2055504018 1073741824 2030042880 4177526528 2038366463 1073741824 2037699072 4185182720 2046077033 1073741824
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

typedef struct {
    uint r, g, b, a;
} pixel;

kernel void members(global const uint *in, global uint4 *out)
{
    uint n = get_global_id(0), x = in[n];
    pixel p;
    p.r = x;
    p.g = x * 3;
    p.b = x ^ 7;
    p.a = 9;
    uint4 v = *(uint4 *)&p;
    pixel q = *(pixel *)&v;
    v.x = q.a - q.g;
    v.w += ((uint *)&v)[2];
    out[n] = v;
}

kernel void signs(global const uint *in, global uint4 *out)
{
    uint n = get_global_id(0), x = in[n] & 0xffff;
    union {
        float4 v;
        uint u[4];
        ulong l[2];
    } u, w;
    u.v = (float4)(x, 1, x * 0.5f, -2);
    u.u[1] ^= 0x80000000;
    u.u[3] += u.u[0];
    w.v = (float4)(1, x, 3, 4);
    w.l[1] = w.l[0] + x;
    out[n] = as_uint4(u.v) ^ as_uint4(w.v);
}
