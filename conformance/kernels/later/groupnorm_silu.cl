// @ groupnorm_silu 32768|4194304 256 f16:524288|67108864:-2..3 f32:64|512:0.5..1.5 f32:64|512:-0.5..0.5 >f32:524288|67108864 8 64|512 512 1e-5f

// Group normalisation followed by SiLU, as in the residual blocks of diffusion
// models. NCHW, half in, float out. One work-group normalises the channels of
// one group of one image, which are contiguous.

#define LANES 256
#define HELD 4              // float4 that a work-item keeps between passes

typedef float4 f4;

static float sum_over_group(float x, __local float *tree)
{
    const int lid = get_local_id(0);
    tree[lid] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int width = LANES / 2; width > 0; width /= 2) {
        if (lid < width)
            tree[lid] += tree[lid + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float total = tree[0];
    barrier(CLK_LOCAL_MEM_FENCE);   // the tree will be used again
    return total;
}

static float hsum(f4 v)
{
    const float2 h = v.lo + v.hi;
    return h.x + h.y;
}

kernel void groupnorm_silu(global const half *restrict x, global const float *restrict gamma,
                           global const float *restrict beta, global float *restrict y,
                           int channels_per_group, int channels, int pixels, float epsilon)
{
    local float tree[LANES];

    const int lid = get_local_id(0);
    const int groups = channels / channels_per_group;
    const int first_channel = get_group_id(0) % groups * channels_per_group;
    const int quads = channels_per_group * pixels / 4;
    const size_t base = (size_t)get_group_id(0) * quads;

    f4 held[HELD];
    f4 sum = (f4)(0.0f);
#pragma unroll
    for (int i = 0; i < HELD; ++i) {
        const int q = lid + i * LANES;
        held[i] = q < quads ? vload_half4(base + q, x) : (f4)(0.0f);
        sum += held[i];
    }
    const float n = 4.0f * quads;
    const float mean = sum_over_group(hsum(sum), tree) / n;

    f4 squares = (f4)(0.0f);
#pragma unroll
    for (int i = 0; i < HELD; ++i) {
        if (lid + i * LANES < quads) {
            held[i] -= mean;
            squares = mad(held[i], held[i], squares);
        }
    }
    const float scale = rsqrt(sum_over_group(hsum(squares), tree) / n + epsilon);

#pragma unroll
    for (int i = 0; i < HELD; ++i) {
        const int q = lid + i * LANES;
        if (q < quads) {
            const int c = first_channel + 4 * q / pixels;
            const f4 t = mad(held[i], gamma[c] * scale, beta[c]);
            vstore4(t * native_recip(1.0f + native_exp(-t)), base + q, y);
        }
    }
}
