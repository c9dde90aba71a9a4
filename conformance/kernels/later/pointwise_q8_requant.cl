// @ pointwise_conv_s8 16x64|64x3136 16x4 i8:16384|3211264:-128..128 i8:4096|65536:-127..128 i32:64|256:-2000..2000 i32:64|256:1073741824..2147483647 i32:64|256:7..11 >i8:16384|3211264 64|256 64|256 12 -4

// 1x1 convolution of int8 tensors in NHWC, as in MobileNets, with per-channel
// requantisation. A work-item makes 4 pixels x 4 output channels.

#define PIXELS 4
#define CHANNELS 4

inline int dot4(char4 a, short4 b)
{
    const int4 p = convert_int4(a) * convert_int4(b);
    return p.x + p.y + p.z + p.w;
}

/* a * b / 2^31, rounded; the multiplier b is in Q31 */
inline int4 doubling_high_mul(int4 a, int4 b)
{
    const uint4 low = as_uint4(a * b);
    return (mul_hi(a, b) << 1 | as_int4(low >> 31)) + as_int4(low >> 30 & 1u);
}

/* x / 2^n, rounded to nearest, halves away from zero */
inline int4 rounding_shift_right(int4 x, int4 n)
{
    const int4 mask = ((int4)(1) << n) - 1;
    const int4 remainder = x & mask;
    const int4 threshold = (mask >> 1) + select((int4)(0), (int4)(1), x < 0);
    return (x >> n) + select((int4)(0), (int4)(1), remainder > threshold);
}

__kernel void pointwise_conv_s8(__global const char *restrict input,
                                __global const char *restrict weights,
                                __global const int *restrict bias,
                                __global const int *restrict multipliers,
                                __global const int *restrict shifts,
                                __global char *restrict output,
                                int channels_in, int channels_out,
                                int input_offset, int output_offset)
{
    const int oc = get_global_id(0);        // in fours
    const int pixel = get_global_id(1) * PIXELS;
    const int quads = channels_in / 4;

    int acc[PIXELS][CHANNELS];
    const int4 b = vload4(oc, bias);
    for (int p = 0; p < PIXELS; ++p)
        vstore4(b, 0, acc[p]);

    __global const char *x = input + pixel * channels_in;
    __global const char *w = weights + oc * CHANNELS * channels_in;
    for (int k = 0; k < quads; ++k) {
        char4 filter[CHANNELS];
        for (int c = 0; c < CHANNELS; ++c)
            filter[c] = vload4(c * quads + k, w);

        for (int p = 0; p < PIXELS; ++p) {
            const short4 v = convert_short4(vload4(p * quads + k, x)) + (short)input_offset;
            for (int c = 0; c < CHANNELS; ++c)
                acc[p][c] += dot4(filter[c], v);
        }
    }

    const int4 multiplier = vload4(oc, multipliers);
    const int4 shift = vload4(oc, shifts);
    for (int p = 0; p < PIXELS; ++p) {
        int4 y = doubling_high_mul(vload4(0, acc[p]), multiplier);
        y = rounding_shift_right(y, shift) + output_offset;
        // the activation is a ReLU: nothing below the zero point
        y = clamp(y, output_offset, 127);
        vstore4(convert_char4(y), 0, output + (pixel + p) * channels_out + oc * CHANNELS);
    }
}
