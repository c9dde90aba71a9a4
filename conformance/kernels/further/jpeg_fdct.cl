// @ fdct_quantise 131072|4194304 64 u8:1048576|33554432 u16:64:1..120 >i16:1048576|33554432 128
// Forward DCT (the accurate integer one of libjpeg), quantisation and zigzag of 8x8
// blocks. The component is stored block by block. 8 work-items share a block, one a row
// and then one a column; a work-group of 64 holds 8 blocks.

#define CONST_BITS  13
#define PASS1_BITS  2

#define FIX_0_298631336  2446
#define FIX_0_390180644  3196
#define FIX_0_541196100  4433
#define FIX_0_765366865  6270
#define FIX_0_899976223  7373
#define FIX_1_175875602  9633
#define FIX_1_501321110  12299
#define FIX_1_847759065  15137
#define FIX_1_961570560  16069
#define FIX_2_053119869  16819
#define FIX_2_562915447  20995
#define FIX_3_072711026  25172

#define DESCALE(x, n) (((x) + (1 << ((n) - 1))) >> (n))

__constant uchar zigzag_position[64] = {
     0,  1,  5,  6, 14, 15, 27, 28,
     2,  4,  7, 13, 16, 26, 29, 42,
     3,  8, 12, 17, 25, 30, 41, 43,
     9, 11, 18, 24, 31, 40, 44, 53,
    10, 19, 23, 32, 39, 45, 52, 54,
    20, 22, 33, 38, 46, 51, 55, 60,
    21, 34, 37, 47, 50, 56, 59, 61,
    35, 36, 48, 49, 57, 58, 62, 63
};

// Results of pass 1 keep PASS1_BITS more bits, which pass 2 takes away.
void fdct_1d(int d[8], const int pass)
{
    const int s = pass == 1 ? CONST_BITS - PASS1_BITS : CONST_BITS + PASS1_BITS;

    int t0 = d[0] + d[7], t7 = d[0] - d[7];
    int t1 = d[1] + d[6], t6 = d[1] - d[6];
    int t2 = d[2] + d[5], t5 = d[2] - d[5];
    int t3 = d[3] + d[4], t4 = d[3] - d[4];

    const int t10 = t0 + t3, t13 = t0 - t3;
    const int t11 = t1 + t2, t12 = t1 - t2;

    if (pass == 1) {
        d[0] = (t10 + t11) * (1 << PASS1_BITS);
        d[4] = (t10 - t11) * (1 << PASS1_BITS);
    } else {
        d[0] = DESCALE(t10 + t11, PASS1_BITS);
        d[4] = DESCALE(t10 - t11, PASS1_BITS);
    }
    int z1 = (t12 + t13) * FIX_0_541196100;
    d[2] = DESCALE(z1 + t13 * FIX_0_765366865, s);
    d[6] = DESCALE(z1 - t12 * FIX_1_847759065, s);

    z1 = t4 + t7;
    int z2 = t5 + t6;
    int z3 = t4 + t6;
    int z4 = t5 + t7;
    const int z5 = (z3 + z4) * FIX_1_175875602;

    t4 *= FIX_0_298631336;
    t5 *= FIX_2_053119869;
    t6 *= FIX_3_072711026;
    t7 *= FIX_1_501321110;
    z1 *= -FIX_0_899976223;
    z2 *= -FIX_2_562915447;
    z3 = z3 * -FIX_1_961570560 + z5;
    z4 = z4 * -FIX_0_390180644 + z5;

    d[7] = DESCALE(t4 + z1 + z3, s);
    d[5] = DESCALE(t5 + z2 + z4, s);
    d[3] = DESCALE(t6 + z2 + z3, s);
    d[1] = DESCALE(t7 + z1 + z4, s);
}

__kernel void fdct_quantise(__global const uchar *samples,
                            __global const ushort *table,
                            __global short *coefficients,
                            const int level)
{
    __local int work[8][8 * 9];         // a row has 9, against bank conflicts
    __local ushort quant[64];
    __local short ordered[8 * 64];

    const int lid = get_local_id(0);
    const int line = lid & 7;           // a row, then a column
    const int slot = lid >> 3;
    quant[lid] = table[lid];

    int d[8];
    const uchar8 row = vload8(get_global_id(0), samples);
    const int8 shifted = convert_int8(row) - level;
    vstore8(shifted, 0, d);
    fdct_1d(d, 1);
    for (int i = 0; i < 8; i++)
        work[slot][line * 9 + i] = d[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = 0; i < 8; i++)
        d[i] = work[slot][i * 9 + line];
    fdct_1d(d, 2);

    for (int i = 0; i < 8; i++) {
        // outputs are larger by 8 than the standard's
        const int k = i * 8 + line;
        const int q = (int)quant[k] << 3;
        const int magnitude = (int)(abs(d[i]) + (uint)(q >> 1)) / q;
        ordered[slot * 64 + zigzag_position[k]] = (short)(d[i] < 0 ? -magnitude : magnitude);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    __global short *out = coefficients + get_group_id(0) * 512;
    for (int i = 0; i < 8; i++)
        out[i * 64 + lid] = ordered[i * 64 + lid];
}
