// @ conv_igemm 128x16|25088x32 8x8 f16:20736|6889472:-1..1 f16:18432|73728:-0.15..0.15 f32:64|128:-0.2..0.2 >f32:32768|12845056 18|58 32|64 64|128

/*
 * 3x3 convolution as an implicit matrix product; NHWC; half precision storage and
 * single precision arithmetic. The input has a border of one pixel already.
 *
 *   rows    (M): output pixels     4 per work-item, 32 per work-group
 *   columns (N): output channels   4 per work-item, 32 per work-group
 *   inner   (K): 9 taps * channels, in chunks of 16 channels of one tap
 *
 * Weights are [tap][channel][output channel].
 */

#define TM 32
#define TN 32
#define TK 16

__kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void conv_igemm(__global const half *input,
                __global const half *weights,
                __global const float *bias,
                __global float *output,
                const int padded,          /* width and height with border */
                const int channels,
                const int outputs)
{
    __local float as[TK][TM + 1];
    __local float4 bs[TK][TN / 4];

    const int tx = get_local_id(0), ty = get_local_id(1);
    const int t = ty * 8 + tx;
    const int side = padded - 2;
    const int m0 = get_group_id(0) * TM;
    const int n0 = get_group_id(1) * TN;

    /* What this work-item loads: half a row of 16 channels of a pixel */
    const int lm = t >> 1, lk = (t & 1) * 8;
    const int pixel = m0 + lm;
    const int image = pixel / (side * side);
    const int rest = pixel % (side * side);
    const int py = rest / side, px = rest % side;
    const int origin = (image * padded + py) * padded + px;

    float4 acc[4];
    const float4 b0 = vload4(0, bias + n0 + tx * 4);
    for (int i = 0; i < 4; i++)
        acc[i] = b0;

    for (int tap = 0; tap < 9; tap++) {
        const int at = origin + (tap / 3) * padded + tap % 3;
        for (int c = 0; c < channels; c += TK) {
            const float8 a = vload_half8(0, input + at * channels + c + lk);
            as[lk + 0][lm] = a.s0;
            as[lk + 1][lm] = a.s1;
            as[lk + 2][lm] = a.s2;
            as[lk + 3][lm] = a.s3;
            as[lk + 4][lm] = a.s4;
            as[lk + 5][lm] = a.s5;
            as[lk + 6][lm] = a.s6;
            as[lk + 7][lm] = a.s7;

            const int wk = t >> 2, wn = (t & 3) * 8;
            const float8 w = vload_half8(0, weights + (tap * channels + c + wk) * outputs + n0 + wn);
            bs[wk][wn / 4] = w.lo;
            bs[wk][wn / 4 + 1] = w.hi;
            barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
            for (int k = 0; k < TK; k++) {
                const float4 b = bs[k][tx];
                acc[0] = mad((float4)(as[k][ty * 4 + 0]), b, acc[0]);
                acc[1] = mad((float4)(as[k][ty * 4 + 1]), b, acc[1]);
                acc[2] = mad((float4)(as[k][ty * 4 + 2]), b, acc[2]);
                acc[3] = mad((float4)(as[k][ty * 4 + 3]), b, acc[3]);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }

    for (int i = 0; i < 4; i++) {
        const float4 v = acc[i];
        /* hard swish */
        const float4 y = v * clamp(v + 3.0f, 0.0f, 6.0f) * (1.0f / 6.0f);
        vstore4(y, 0, output + (size_t)(m0 + ty * 4 + i) * outputs + n0 + tx * 4);
    }
}
