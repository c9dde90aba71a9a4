// @ idct_8x8 32768|2097152 64 i16:262144|16777216:-8..8 u16:64:1..16 >u8:262144|16777216 512|4096
//
// Dequantisation + inverse DCT for baseline JPEG luma.
// 64 work-items handle eight 8x8 blocks: eight lanes per block, first the
// columns and then the rows, with the intermediate in local memory.

#define BLOCKS_PER_GROUP 8
#define LDS_PITCH        9      /* 8 + 1 against bank conflicts */
#define FIX_BITS         12

/* cos(k*pi/16) in 4.12 */
#define C1 4017
#define C2 3784
#define C3 3406
#define C4 2896
#define C5 2276
#define C6 1567
#define C7 799

static void idct_1d(int *v)
{
    const int e0 = (v[0] + v[4]) * C4;
    const int e1 = (v[0] - v[4]) * C4;
    const int e2 = v[2] * C6 - v[6] * C2;
    const int e3 = v[2] * C2 + v[6] * C6;

    const int a0 = e0 + e3;
    const int a3 = e0 - e3;
    const int a1 = e1 + e2;
    const int a2 = e1 - e2;

    const int b0 = v[1] * C1 + v[3] * C3 + v[5] * C5 + v[7] * C7;
    const int b1 = v[1] * C3 - v[3] * C7 - v[5] * C1 - v[7] * C5;
    const int b2 = v[1] * C5 - v[3] * C1 + v[5] * C7 + v[7] * C3;
    const int b3 = v[1] * C7 - v[3] * C5 + v[5] * C3 - v[7] * C1;

    v[0] = a0 + b0;  v[7] = a0 - b0;
    v[1] = a1 + b1;  v[6] = a1 - b1;
    v[2] = a2 + b2;  v[5] = a2 - b2;
    v[3] = a3 + b3;  v[4] = a3 - b3;
}

__kernel void idct_8x8(__global const short  *restrict coef,
                       __constant     ushort *quant,
                       __global       uchar  *restrict pixels,
                       const int width)
{
    __local int lds[BLOCKS_PER_GROUP][8 * LDS_PITCH];

    const int lane = get_local_id(0) & 7;
    const int sub  = get_local_id(0) >> 3;
    const int blk  = get_group_id(0) * BLOCKS_PER_GROUP + sub;
    int v[8];
    int i;

    /* columns */
    __global const short *src = coef + blk * 64 + lane;
    for (i = 0; i < 8; ++i)
        v[i] = src[i * 8] * quant[i * 8 + lane];

    idct_1d(v);

    for (i = 0; i < 8; ++i)
        lds[sub][i * LDS_PITCH + lane] = (v[i] + (1 << (FIX_BITS - 3))) >> (FIX_BITS - 2);

    barrier(CLK_LOCAL_MEM_FENCE);

    /* rows */
    for (i = 0; i < 8; ++i)
        v[i] = lds[sub][lane * LDS_PITCH + i];

    idct_1d(v);

    const int blocksPerRow = width >> 3;
    const int bx = blk % blocksPerRow;
    const int by = blk / blocksPerRow;

    int8 r = (int8)(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
    r = ((r + (1 << (FIX_BITS + 3))) >> (FIX_BITS + 4)) + 128;
    vstore8(convert_uchar8_sat(r), 0, pixels + (by * 8 + lane) * width + bx * 8);
}
