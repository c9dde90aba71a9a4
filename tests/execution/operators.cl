// Operators and explicit conversions, by section.
//@ section 6.4 6.4.3.4 6.4.4 6.5 6.5.2 6.5.3 6.5.7 6.5.8
//@ kernel numbers_change
//@ arg int = 300
//@ arg float = -1.75
//@ arg buffer float[4] = zero
//@ arg buffer int[4] = zero
//@ result 2 = 300 44 -1.75 -1
//@ result 3 = 300 -1 255 1
//@ kernel examples
//@ arg short4 = -5 0 300 32767
//@ arg float4 = 1.5 -2.5 3e9 nan
//@ arg int4 = 16777217 -16777219 5 0
//@ arg buffer int4[8] = zero
//@ arg buffer float4[3] = zero
//@ result 3 = 0 0 300 32767  0 0 255 255  1 -2 2147483647 0  2 -2 2147483647 0  2 -2 2147483647 0  1 -3 2147483647 0  32767 -32768 5 0  1 -2 0 0
//@ result 4 = 16777216 -16777220 5 0  16777218 -16777218 5 0  16777216 -16777220 5 0
//@ kernel same_bits
//@ arg float = 1
//@ arg int = 0x01020304
//@ arg buffer uint[8] = zero
//@ result 2 = 0x3f800000 0x0304 0x0102 4 3 2 1 0x80000000
//@ kernel signs
//@ arg char = -128
//@ arg uint = 1
//@ arg float = 0
//@ arg uchar4 = 1 0 128 255
//@ arg buffer long[6] = zero
//@ arg buffer uchar4[2] = zero
//@ arg buffer float[2] = fill 7
//@ result 4 = 128 -128 4294967295 -2 2147483648 3
//@ result 5 = 255 0 128 1 1 0 128 255
//@ result 6 = -0 0
//@ kernel steps
//@ arg buffer int[24] = zero
//@ arg buffer float[4] = zero
//@ result 0 = 5 6 7 7 6 6 5 5  -128 127 0 255 65535 0  1 2 3 4 2 3 4 5  20 30
//@ result 1 = 1.5 2.5 1.5 1.5
//@ kernel logic
//@ arg int = 0
//@ arg int = 5
//@ arg float = 0.5
//@ arg int4 = 0 1 -3 0
//@ arg buffer int[12] = fill 9
//@ arg buffer int4[3] = zero
//@ result 4 = 0 1 1 0 1 0 1 3 1 0 1 1
//@ result 5 = 0 -1 -1 0 0 0 -1 0 -1 -1 -1 0
//@ kernel negation
//@ arg int = 5
//@ arg float = 0
//@ arg int4 = 0 1 -3 0
//@ arg float4 = 0 nan -0 2
//@ arg buffer int[6] = fill 9
//@ arg buffer int4[2] = zero
//@ arg buffer long2[1] = zero
//@ arg null
//@ result 4 = 0 1 1 1 0 -2
//@ result 5 = -1 0 0 -1 -1 0 -1 0
//@ result 6 = -1 0
//@ kernel precedence
//@ arg int = 2
//@ arg int = 3
//@ arg int = 4
//@ arg buffer int[10] = zero
//@ result 3 = 14 20 1 15 10 11 -1 2 -3 3
//@ kernel three_components
//@ arg buffer int3[1] = 1 2 3 55
//@ arg buffer int[14] = zero
//@ result 0 = 1 2 8 55
//@ result 1 = 1 2 7 1 4 7 1 4 10 9 4 10 2 1
//@ kernel steps_in_bytes
//@ arg buffer int[3] = 100 200 300
//@ arg buffer long[5] = zero
//@ result 1 = 200 300 100 8 1
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void numbers_change(int i, float x, global float *f, global int *n)
{
    f[0] = i;
    f[1] = (float)(uchar)i;
    f[2] = (double)x;
    f[3] = (int)x;
    n[0] = (float)i;
    n[1] = x;
    n[2] = (uchar)(int)x;
    n[3] = (bool)x;
}

kernel void examples(short4 s, float4 f, int4 i, global int4 *n, global float4 *g)
{
    n[0] = convert_int4(convert_ushort4_sat(s));
    n[1] = convert_int4(convert_uchar4_sat(s));
    n[2] = convert_int4_sat(f);
    n[3] = convert_int4_sat_rte(f);
    n[4] = convert_int4_sat_rtp(f);
    n[5] = convert_int4_sat_rtn(f);
    n[6] = convert_int4(convert_short4_sat(i));
    // Out of range and NaN are undefined without `_sat`: only the first two are looked at.
    n[7] = (int4)(convert_int4(f).xy, 0, 0);
    g[0] = convert_float4(i);
    g[1] = convert_float4_rtp(i);
    g[2] = convert_float4_rte(i);
}

kernel void same_bits(float x, int i, global uint *out)
{
    union { uint whole; uchar parts[4]; } u;
    u.whole = i;
    out[0] = as_uint(x);
    const ushort2 halves = as_ushort2(i);
    out[1] = halves.x;
    out[2] = halves.y;
    for (int n = 0; n < 4; n++)
        out[3 + n] = u.parts[n];
    out[7] = as_uint(-as_float(0u));
}

kernel void signs(char c, uint u, float z, uchar4 v, global long *out, global uchar4 *w, global float *f)
{
    out[0] = -c;
    out[1] = (char)-c;
    out[2] = -u;
    out[3] = ~u == 0xfffffffe ? -(int)u - 1 : 0;
    out[4] = -(uint)(-2147483647 - 1);
    out[5] = +(short)3;
    w[0] = -v;
    w[1] = +v;
    f[0] = -z;
    f[1] = +z;
}

kernel void steps(global int *out, global float *f)
{
    int x = 5;
    out[0] = x++;
    out[1] = x++;
    out[2] = x;
    out[3] = x--;
    out[4] = x;
    out[5] = x--;
    out[6] = x;
    out[7] = x++;
    char c = 127;
    c++;
    out[8] = c;
    c--;
    out[9] = c;
    uchar u = 0;
    out[10] = u--;
    out[11] = u;
    ushort s = 0;
    out[12] = --s;
    out[13] = (ushort)++s;
    int4 v = (int4)(1, 2, 3, 4);
    vstore4(v++, 0, out + 14);
    vstore4(v, 0, out + 18);
    int values[3] = { 10, 20, 30 };
    int *p = values;
    out[22] = *++p;
    p++;
    out[23] = *p--;
    float y = 1.5f;
    f[0] = y++;
    f[1] = y--;
    f[2] = y;
    v.yz--;
    f[3] = v.y + v.z == 5 ? y : 0;
}

int count(private int *calls, int value)
{
    ++*calls;
    return value;
}

kernel void logic(int zero, int five, float x, int4 v, global int *out, global int4 *w)
{
    int calls = 0;
    out[0] = zero && count(&calls, 1);
    out[1] = five || count(&calls, 1);
    out[2] = five && x;
    out[3] = zero || 0.0f;
    out[4] = (out + 1) && five;
    out[5] = calls;
    out[6] = count(&calls, 0) || count(&calls, 2) && count(&calls, 3);
    out[7] = calls;
    // `&&` binds tighter than `||`.
    out[8] = five || zero && zero;
    out[9] = (five || zero) && zero;
    out[10] = x && -x;
    out[11] = five == 5 && zero == 0;
    w[0] = v && five;
    w[1] = v && (int4)(1, 0, 7, 0);
    w[2] = v || (int4)(7, 7, 0, 0);
}

kernel void negation(int five, float zero, int4 v, float4 f, global int *out, global int4 *w, global long2 *l,
                     global int *nothing)
{
    out[0] = !five;
    out[1] = !zero;
    out[2] = !!five;
    out[3] = !nothing;
    out[4] = !out;
    out[5] = ~!zero;
    w[0] = !v;
    w[1] = !f;
    l[0] = !convert_double2(f.xw);
}

kernel void precedence(int a, int b, int c, global int *out)
{
    out[0] = a + b * c;
    out[1] = (a + b) * c;
    out[2] = a < b == c > b;
    out[3] = a | b << 1 & c | 9;
    out[4] = a ? b ? 10 : 11 : 12;
    out[5] = a == b ? 10 : c != b ? 11 : 12;
    out[6] = a - b;
    out[7] = (a = b, a - 1);
    out[8] = -a;
    out[9] = c - a + a - c + b;
}

kernel void three_components(global int3 *p, global int *out)
{
    // The other half of `hi` and `odd` is a fourth component that is not there.
    int3 v = (int3)(1, 2, 3);
    v.hi = (int2)(7, 9);
    vstore3(v, 0, out);
    v.odd = (int2)(4, 5);
    vstore3(v, 1, out);
    v.hi += 3;
    vstore3(v, 2, out);
    v.even = (int2)(9, v.hi.x);
    vstore3(v, 3, out);
    p[0].hi = (int2)(8, 11);
    out[12] = p[0].lo.y;
    int4 w = (int4)(1, 2, 3, 4);
    w.wzy.odd = (int2)(w.x, 70);
    out[13] = w.z * (w.x == 1 && w.w == 4);
}

kernel void steps_in_bytes(global int *in, global long *out)
{
    global void *p = in;
    p += 4;
    out[0] = *(global int *)p;
    p = 4 + p;
    out[1] = *(global int *)p;
    p -= 8;
    p++;
    --p;
    out[2] = *(global int *)p;
    out[3] = (p + 8) - (global void *)in;
    out[4] = p + 1 > p;
}
