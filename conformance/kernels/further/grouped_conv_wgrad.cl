// @ gconv_wgrad 4608|294912 64 f32:131072|16777216:-1..1 f32:131072|16777216:-1..1 zeros:f32:4608|294912 16|64 32|1024
// @ wgrad_reduce 1152|4608 64 #2 f32:1152|4608:-0.1..0.1 >f32:1152|4608 4|64 1152|4608 0.01f

// Gradient of the weights of a grouped 3x3 convolution, dilation 2, padding 2, groups of
// 8 channels; images of 16 x 16. A work-item of the first kernel sums one weight over
// the images of a chunk, a work-group has the 64 channel pairs of one group and tap.
// The second sums the chunks, adds weight decay and takes a step of momentum.
// Layout NCHW; weights [channel out][channel in of the group][tap].

#define S    16
#define C    8
#define DIL  2
#define TAPS 9

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void gconv_wgrad(__global const float *restrict x,
                 __global const float *restrict dy,
                 __global float *restrict partial,
                 const int channels,
                 const int images)
{
    __local float xs[C][S + 1];
    __local float gs[C][S + 1];

    const int lid = get_local_id(0);
    const int ci = lid % C, co = lid / C;
    const int groups = channels / C;

    int id = get_group_id(0);
    const int tap = id % TAPS;
    id /= TAPS;
    const int group = id % groups;
    const int chunk = id / groups;
    const int chunks = (int)get_num_groups(0) / (TAPS * groups);
    const int per_chunk = images / chunks;

    const int ty = (tap / 3 - 1) * DIL, tx = (tap % 3 - 1) * DIL;
    float sum = 0.0f;

    for (int n = chunk * per_chunk; n < (chunk + 1) * per_chunk; n++) {
        const size_t plane = ((size_t)n * channels + group * C) * (S * S);
        for (int y = max(0, -ty); y < min(S, S - ty); y++) {
            for (int e = lid; e < C * S; e += 64) {
                const int c = e / S, u = e % S + tx;
                gs[c][e % S] = dy[plane + c * (S * S) + y * S + e % S];
                xs[c][e % S] = u >= 0 && u < S ? x[plane + c * (S * S) + (y + ty) * S + u] : 0.0f;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
            for (int u = 0; u < S; u++)
                sum = mad(gs[co][u], xs[ci][u], sum);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }

    const int weight = ((group * C + co) * C + ci) * TAPS + tap;
    partial[(size_t)chunk * channels * C * TAPS + weight] = sum;
}

__kernel void wgrad_reduce(__global const float *partial,
                           __global const float *weights,
                           __global float *updated,
                           const int chunks,
                           const int count,
                           const float rate)
{
    const int w = get_global_id(0);
    float g = 0.0f;
    for (int c = 0; c < chunks; c++)
        g += partial[(size_t)c * count + w];
    g = clamp(g, -50.0f, 50.0f) + 1e-4f * weights[w];
    updated[w] = weights[w] - rate * g;
}
