// @ embedding_bag 16x1024|16x65536 16x8 i8:1280000|6400000 f32:40000|200000:0.001..0.01 iota:1025|65537:24 u32:24576|1572864:0..20000|100000 f32:24576|1572864:0.5..1.5 >f32:65536|4194304 64 1

enum { MODE_SUM, MODE_MEAN };

/* 8-bit rows with a (scale, bias) pair each, pooled with per-sample weights. */
__kernel void embedding_bag(__global const char4 *table,
                            __global const float2 *scale_bias,
                            __global const uint *offsets,
                            __global const uint *indices,
                            __global const float *weights,
                            __global float4 *out,
                            const int dim,
                            const int mode)
{
    const int col = get_global_id(0);
    const int bag = get_global_id(1);
    const int stride = dim >> 2;

    const uint begin = offsets[bag];
    const uint end = offsets[bag + 1];

    float4 acc = 0.0f;
    float wsum = 0.0f;
    for (uint i = begin; i < end; ++i) {
        const uint r = indices[i];
        const float w = weights[i];
        const float2 sb = scale_bias[r];
        acc += w * (convert_float4(table[r * stride + col]) * sb.x + sb.y);
        wsum += w;
    }

    if (mode == MODE_MEAN && end > begin)
        acc /= wsum;
    out[bag * stride + col] = acc;
}
