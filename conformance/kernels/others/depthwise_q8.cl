// @ depthwise_conv_q8 16x25088|64x50176 16x4 i8:1605632|51380224 i8:576|2304:-127..128 i32:64|256:-4000..4000 i32:64|256:1073741824..2147483647 i32:64|256:7..11 >i8:1605632|12845056 56|224 56|224 1|2 3|-7 -5|4

// Quantised depthwise 3x3 convolution, NHWC, int8 in and out, weights symmetric
// per channel. Four channels per work-item; the requantisation is the one of
// gemmlowp (rounding doubling high multiplication, then a rounding shift).

typedef struct
{
    int4 mult;
    int4 shift;
} Requant;

int4 sat_rounding_doubling_high_mul(int4 a, int4 b)
{
    // b is never INT_MIN here, so the product cannot overflow
    long4 ab    = convert_long4(a) * convert_long4(b);
    long4 nudge = ab >= (long4)(0) ? (long4)(1L << 30) : (long4)(1 - (1L << 30));
    return convert_int4((ab + nudge) / (1L << 31));
}

int4 rounding_divide_by_pot(int4 x, int4 exponent)
{
    int4 mask      = ((int4)(1) << exponent) - 1;
    int4 remainder = x & mask;
    int4 threshold = (mask >> 1) + select((int4)(0), (int4)(1), x < 0);
    return (x >> exponent) + select((int4)(0), (int4)(1), remainder > threshold);
}

char4 requantise(int4 acc, Requant rq, int out_zero)
{
    int4 v = sat_rounding_doubling_high_mul(acc, rq.mult);
    v = rounding_divide_by_pot(v, rq.shift);
    return convert_char4_sat(v + out_zero);
}

__kernel void depthwise_conv_q8(__global const char  *input,
                                __global const char  *weights,    // [3][3][C]
                                __global const int   *bias,
                                __global const int   *multiplier,
                                __global const int   *shift,
                                __global char        *output,
                                int height, int width, int stride,
                                int in_zero, int out_zero)
{
    const int c4       = get_global_id(0);
    const int channels = get_global_size(0) * 4;
    const int out_w    = (width + stride - 1) / stride;
    const int out_h    = (height + stride - 1) / stride;
    int pixel          = get_global_id(1);
    const int ox       = pixel % out_w;  pixel /= out_w;
    const int oy       = pixel % out_h;  pixel /= out_h;
    const int n        = pixel;

    input += (size_t)n * height * width * channels;

    int4 acc = vload4(c4, bias);
    for (int ky = 0; ky < 3; ++ky)
    {
        const int iy = oy * stride + ky - 1;
        if (iy < 0 || iy >= height)
            continue;
        for (int kx = 0; kx < 3; ++kx)
        {
            const int ix = ox * stride + kx - 1;
            if (ix < 0 || ix >= width)
                continue;           // padding is in_zero, contributes nothing
            int4 v = convert_int4(vload4(0, input + (iy * width + ix) * channels + 4 * c4));
            int4 w = convert_int4(vload4(0, weights + (ky * 3 + kx) * channels + 4 * c4));
            acc += (v - in_zero) * w;
        }
    }

    Requant rq;
    rq.mult  = vload4(c4, multiplier);
    rq.shift = vload4(c4, shift);
    vstore4(requantise(acc, rq, out_zero), 0,
            output + (size_t)get_global_id(1) * channels + 4 * c4);
}
