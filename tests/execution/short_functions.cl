// Functions that few instructions compute: the greatest and the least that a loop sees, which is a number or not; bits that are
// counted; conversions that round, in loops and behind them.
//@ section 6.15.2 6.15.3 6.4.3.2
//@ kernel extremes
//@ global 4
//@ arg buffer float[16] = nan 3.5 -7.25 nan 100.75 -0.5 2.5 -2.5 1000000000 -1000000000 254.5 255.5 0.5 1.5 -1.5 nan
//@ arg buffer float[12] = zero
//@ arg int = 8
//@ result 1 = 100.75 -7.25 3.5 1000000000 -7.25 255.5 1000000000 -1000000000 255.5 1000000000 -1000000000 255.5
//@ kernel bits
//@ global 3
//@ arg buffer long[6] = 0 1 -1 -9223372036854775808 1311768467463790320 6148914691236517205
//@ arg buffer int[3] = zero
//@ arg int = 4
//@ result 1 = 81634067 102147100 163162126
//@ kernel rounded
//@ global 4
//@ arg buffer float[8] = 2.5 -2.5 0.5 -0.75 254.5 300.25 -129.5 nan
//@ arg buffer int[8] = zero
//@ arg int = 4
//@ result 1 = 179 127254000 28151 127255000 61783 -128000000 47353 0
kernel void extremes(global const float *in, global float *out, int n)
{
    const size_t i = get_global_id(0);
    float most = -INFINITY, least = INFINITY, both = in[i];
    for (int j = 0; j < n; j++) {
        const float x = in[i + j];
        most = fmax(most, x);
        least = fmin(x, least);
        both = fmax(both, fmin(x, in[(i + j + 3) % 16]));
    }
    out[3 * i] = most;
    out[3 * i + 1] = least;
    out[3 * i + 2] = both;
}

kernel void bits(global const ulong *in, global int *out, int n)
{
    const size_t i = get_global_id(0);
    int sum = 0;
    for (int j = 0; j < n; j++) {
        const ulong x = in[i + j] * (2 * j + 1) + j;
        sum += popcount(x) + 1000 * popcount((uint)x) + 100000 * popcount((ushort)(x >> 5));
        sum += 10000000 * popcount((uchar)(x >> 3));
    }
    out[i] = sum;
}

kernel void rounded(global const float *in, global int *out, int n)
{
    const size_t i = get_global_id(0);
    int sum = 0;
    for (int j = 0; j < n; j++) {
        const float x = isnan(in[i + j]) ? 7.5f : in[i + j];
        sum += convert_int_rte(x) + 10 * convert_int_rtn(x) + 100 * convert_int_rtp(x);
    }
    out[2 * i] = sum;
    out[2 * i + 1] = convert_char_sat_rte(in[i + 4]) * 1000000 + convert_uchar_sat_rtn(in[i + 4]) * 1000;
}
