// @ conv3x3_relu 64x32x4|256x128x16 32x4x1 f32:32768|1048576 f32:2304|18432:-0.2..0.2 f32:16|64:-0.1..0.1 >f32:32768|2097152 16|32 64|256 32|128

/* 3x3 convolution, stride 1, zero padding 1, NCHW.
 * Each work-item makes OC_PER_ITEM output channels of one pixel.
 * weights: [K/4][C][3][3][4] */
#define OC_PER_ITEM 4

inline float fetch(__global const float *plane, int x, int y, int w, int h)
{
    if (x < 0 || x >= w || y < 0 || y >= h)
        return 0.0f;
    return plane[y * w + x];
}

__kernel void conv3x3_relu(__global const float *src,
                           __global const float *weights,
                           __global const float *bias,
                           __global float *dst,
                           int channels, int width, int height)
{
    const int ox = get_global_id(0);
    const int oy = get_global_id(1);
    const int og = get_global_id(2);
    const int plane_size = width * height;

    float4 acc = vload4(og, bias);

    for (int c = 0; c < channels; c++) {
        __global const float *plane = src + c * plane_size;
        __global const float *w = weights + (og * channels + c) * 9 * OC_PER_ITEM;
        for (int ky = 0; ky < 3; ky++)
            for (int kx = 0; kx < 3; kx++) {
                float v = fetch(plane, ox + kx - 1, oy + ky - 1, width, height);
                acc = mad((float4)v, vload4(ky * 3 + kx, w), acc);
            }
    }

    acc = max(acc, 0.0f);
    __global float *o = dst + og * OC_PER_ITEM * plane_size + oy * width + ox;
    o[0] = acc.x;
    o[plane_size] = acc.y;
    o[2 * plane_size] = acc.z;
    o[3 * plane_size] = acc.w;
}
