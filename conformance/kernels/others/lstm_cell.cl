// @ lstm_pointwise 32768|2097152 64 f32:524288|33554432:-3..3 f32:1024:-1..1 f32:131072|8388608:-1..1 zeros:f32:131072|8388608 >f32:131072|8388608 256

inline float4 sigmoid4(float4 x)
{
    return 1.0f / (1.0f + exp(-x));
}

/* Gate pre-activations per sample in the order i, f, g, o, each `hidden` long.
   One work-item handles four neighbouring hidden units. */
__kernel void lstm_pointwise(__global const float *gates,
                             __global const float *bias,
                             __global const float *c_prev,
                             __global float *c_next,
                             __global float *h_next,
                             const uint hidden)
{
    const uint gid = get_global_id(0);
    const uint quads = hidden >> 2;
    const uint sample = gid / quads;
    const uint u = gid % quads;

    __global const float *g = gates + sample * 4u * hidden;

    float4 zi = vload4(u, g)              + vload4(u, bias);
    float4 zf = vload4(u + quads, g)      + vload4(u + quads, bias);
    float4 zg = vload4(u + 2u * quads, g) + vload4(u + 2u * quads, bias);
    float4 zo = vload4(u + 3u * quads, g) + vload4(u + 3u * quads, bias);

    float4 c = sigmoid4(zf + 1.0f) * vload4(gid, c_prev) + sigmoid4(zi) * tanh(zg);
    c = clamp(c, -10.0f, 10.0f);

    vstore4(c, gid, c_next);
    vstore4(sigmoid4(zo) * tanh(c), gid, h_next);
}
