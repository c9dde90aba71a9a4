// Integer arithmetic in every width: wrapping, division, remainders, shifts, promotions.
//@ options -fwrapv
//@ section 6.5.1 6.5.6 6.5.10 6.4.6 6.15.3
//@ kernel chars
//@ global 8
//@ arg buffer char[8] = 127 -128 -1 0 1 100 -100 55
//@ arg buffer char[8] = 1 -1 -1 7 2 100 3 -8
//@ arg buffer int[64] = zero
//@ result 2 = 128 -128 127*2 0 -128 -127 -128 -129 127 32640 128 0 127 128 123 -2*2 65025 1 0*2 1 -8 7*2 0*3 -1 0 27 3*2 2 0 1 -2 -1 10 200 -56 10000 1 0 -101 -100 187 -97*2 468 -33 -1 99 100 -33 47*2 13640 -6 7 -56 -55 -124
//@ kernel shorts
//@ global 6
//@ arg buffer short[6] = 32767 -32768 -1 1234 -30000 7
//@ arg buffer ushort[6] = 1 65535 3 32768 30000 16
//@ arg buffer int[36] = zero
//@ result 2 = 32767*2 0 4095 0 -4 -2147450880 -32768 1 -4096 8191 0 -3*2 1 -1 0 -4 40435712 0 1 154 4096 4936 -900000000 5888 1 -3750 3750 11072 112*2 1 0 2 28
//@ kernel ints
//@ global 6
//@ arg buffer int[6] = 2147483647 -2147483648 -7 7 123456789 0
//@ arg buffer int[6] = 2 3 2 -2 -1000 5
//@ arg buffer int[60] = zero
//@ result 2 = -2147483647 2147483645 -2 1073741823 1 2 2147483647 2147483645 44 14 -2147483645 2147483645 -2147483648 -715827882 -2 0 -2147483645*2 35 14 -5 -9 -14 -3 -1 0 -5*2 35 14 5 9 -14 -3 1 6 -1 -7 44 14 123455789 123457789 1097262584 -123456 789 123456528 -739 -123457267 44 14 5 -5 0*4 5*2 35 11
//@ kernel uints
//@ global 5
//@ arg buffer uint[5] = 0xffffffff 0x80000000 7 3000000000 0
//@ arg buffer uint[5] = 2 0xffffffff 9 7 1
//@ arg buffer uint[50] = zero
//@ result 2 = 1 4294967293 4294967294 2147483647 1*2 134217727 4294967168 12 1 2147483647 2147483649 2147483648 0 2147483648*2 67108864 0 3 2147483647 16 4294967294 63 0 7 4294967289 0 896 3 0 3000000007 2999999993 3820130816 428571428 4 1294967296 93750000 1747910656 12 4 1 4294967295 0*6 3 0
//@ kernel longs
//@ global 4
//@ arg buffer long[4] = 0x7fffffffffffffff -9000000000 5 -1
//@ arg buffer ulong[4] = 3 7 0xffffffffffffffff 0x8000000000000000
//@ arg buffer long[40] = zero
//@ result 2 = -9223372036854775806 9223372036854775805 3074457345618258602*2 72057594037927935 0*3 -1 3 -8999999993 -63000000000 2635249152101364516 -1285714285 -70312500 0*2 1 -410065408 7 4 -5 0 -5 0 144115188075855871 1 0 5 4294967295 9223372036854775807 -9223372036854775808 1 0 -1 72057594037927936 0*2 -1 0
//@ kernel mixed
//@ global 1
//@ arg buffer long[24] = zero
//@ arg int = -5
//@ arg uint = 7
//@ arg long = -9
//@ arg uchar = 250
//@ arg short = -300
//@ result 0 = 2 1 -2 45 -50 4000 160 0*2 1 -250 -251 250 7 33812 2147483647 4294967295*2 -2147483648 24972 104 -56 65535 2
//@ kernel shifts
//@ global 4
//@ arg buffer int[4] = 1 -1 0x40000000 -2147483648
//@ arg buffer int[4] = 0 31 33 -1
//@ arg buffer int[16] = zero
//@ result 2 = 1*4 -2147483648 -1 1 -2147483648*2 536870912*2 0*2 -1 1 0
//@ kernel counts_by_gnu_names
//@ global 1
//@ arg buffer int[8] = zero
//@ arg int = -3
//@ arg long = 1099511627776
//@ result 0 = 31 1 30 32 23 3 7 -5
kernel void chars(global const char *a, global const char *b, global int *out)
{
    const int i = get_global_id(0);
    global int *o = out + 8 * i;
    char x = a[i], y = b[i];
    o[0] = x + y;
    o[1] = (char)(x + y);
    o[2] = (uchar)x * (uchar)y;
    o[3] = x / y;
    o[4] = x % y;
    o[5] = ~x;
    o[6] = -x;
    x += y;
    x *= 3;
    o[7] = x++ + --y;
}

kernel void shorts(global const short *a, global const ushort *b, global int *out)
{
    const int i = get_global_id(0);
    global int *o = out + 6 * i;
    short x = a[i];
    ushort y = b[i];
    o[0] = x * y;
    o[1] = (short)(x * y);
    o[2] = x < y;
    o[3] = x >> 3;
    o[4] = y >> 3;
    x <<= 2;
    o[5] = x;
}

kernel void ints(global const int *a, global const int *b, global int *out)
{
    const int i = get_global_id(0);
    global int *o = out + 10 * i;
    const int x = a[i], y = b[i];
    o[0] = x + y;
    o[1] = x - y;
    o[2] = x * y;
    o[3] = x / y;
    o[4] = x % y;
    o[5] = x & y;
    o[6] = x | y;
    o[7] = x ^ y;
    o[8] = (x < y) + 2 * (x <= y) + 4 * (x > y) + 8 * (x >= y) + 16 * (x == y) + 32 * (x != y);
    o[9] = !x + 2 * !!y + 4 * (x && y) + 8 * (x || y);
}

kernel void uints(global const uint *a, global const uint *b, global uint *out)
{
    const int i = get_global_id(0);
    global uint *o = out + 10 * i;
    const uint x = a[i], y = b[i];
    o[0] = x + y;
    o[1] = x - y;
    o[2] = x * y;
    o[3] = x / y;
    o[4] = x % y;
    o[5] = -x;
    o[6] = x >> 5;
    o[7] = x << 7;
    o[8] = (x < y) + 2 * (x <= y) + 4 * (x > y) + 8 * (x >= y);
    o[9] = mul_hi(x, y);
}

kernel void longs(global const long *a, global const ulong *b, global long *out)
{
    const int i = get_global_id(0);
    global long *o = out + 10 * i;
    const long x = a[i];
    const ulong y = b[i];
    o[0] = x + y;
    o[1] = x * (long)y;
    o[2] = (ulong)x / y;
    o[3] = x / (long)(y | 1);
    o[4] = x >> 7;
    o[5] = y >> 7;
    o[6] = x < y;
    o[7] = x < (long)y;
    o[8] = (int)x;
    o[9] = (uint)y;
}

kernel void mixed(global long *out, int i, uint u, long l, uchar c, short s)
{
    out[0] = i + u;
    out[1] = i * u > 0;
    out[2] = l + u;
    out[3] = l * i;
    out[4] = c + s;
    out[5] = c << 4;
    out[6] = (uchar)(c << 4);
    out[7] = i / (int)u;
    out[8] = i < u;
    out[9] = i < (int)u;
    out[10] = -c;
    out[11] = ~c;
    out[12] = (i ? c : s);
    out[13] = (i ? u : s);
    out[14] = sizeof(c + c) + 16 * sizeof(c) + 256 * sizeof('a') + 4096 * sizeof(1L);
    out[15] = 0x7fffffff + 0u;
    out[16] = 4294967295;
    out[17] = 0xffffffff;
    out[18] = -2147483648;
    out[19] = 'a' * 256 + '\n' + '\x41' + '\101';
    out[20] = 077 + 0x1F + 10;
    out[21] = (char)200;
    out[22] = (ushort)-1;
    out[23] = (bool)256 + (bool)0.5f;
}

kernel void shifts(global const int *a, global const int *b, global int *out)
{
    const int i = get_global_id(0);
    // OpenCL takes the shift modulo the width (6.3.j).
    out[4 * i] = a[i] << b[i];
    out[4 * i + 1] = a[i] >> b[i];
    out[4 * i + 2] = (uint)a[i] >> b[i];
    out[4 * i + 3] = (char)a[i] << (char)b[i];
}

// What GNU compilers count in `unsigned int` or `unsigned long`, and give as an `int`.
kernel void counts_by_gnu_names(global int *out, int n, long wide) {
  out[0] = __builtin_popcount(n);
  out[1] = __builtin_popcountl(wide);
  out[2] = __builtin_clz((char)2);
  out[3] = __builtin_popcount((char)-1);
  out[4] = __builtin_clzll(wide);
  out[5] = __builtin_abs(n);
  out[6] = __builtin_clz(0x01000000u);
  out[7] = -__builtin_popcount(0x1f) < 0 ? -5 : 5;
}
