// @ partial_gradient 4096|131072 128 f32:524288|33554432:-1..1 u8:16384|1048576:0..2 f32:32:-0.5..0.5 zeros:f32:1024|32768 16384|1048576
// @ finish_gradient 2048 64 #3 #2 >f32:32 32|1024 16384|1048576 0.01f

#define NF 32
#define WG 128

// Each work-group takes every num_groups-th batch of WG samples.  A work-item
// first computes the residual of its sample, then a share of X^T r.
__kernel void partial_gradient(__global const float *X,     // [n][NF]
                               __global const uchar *label,
                               __constant float *w,
                               __global float *partial,     // [groups][NF]
                               int n)
{
    __local float resid[WG];
    __local float fold[WG];
    const int lid = get_local_id(0);
    const int feature = lid % NF;
    const int quarter = lid / NF;
    float g = 0.0f;

    for (int base = get_group_id(0) * WG; base < n; base += get_global_size(0)) {
        const int s = base + lid;
        float r = 0.0f;
        if (s < n) {
            float z = 0.0f;
            for (int j = 0; j < NF; j += 4)
                z += dot(vload4(0, X + s * NF + j), vload4(0, w + j));
            r = 1.0f / (1.0f + exp(-z)) - (float)label[s];
        }
        resid[lid] = r;
        barrier(CLK_LOCAL_MEM_FENCE);

        const int lim = min(WG, n - base);
        for (int i = quarter; i < lim; i += WG / NF)
            g += resid[i] * X[(base + i) * NF + feature];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    fold[lid] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < NF)
        partial[get_group_id(0) * NF + lid] =
            fold[lid] + fold[lid + NF] + fold[lid + 2 * NF] + fold[lid + 3 * NF];
}

// One work-group per feature: add the partial sums and the L2 penalty
__kernel void finish_gradient(__global const float *partial,
                              __global const float *w,
                              __global float *grad,
                              int groups, int n, float l2)
{
    __local float buf[64];
    const int f = get_group_id(0);
    const int t = get_local_id(0);
    float s = 0.0f;
    for (int i = t; i < groups; i += 64)
        s += partial[i * NF + f];
    buf[t] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k /= 2) {
        if (t < k) buf[t] += buf[t + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        grad[f] = buf[0] / (float)n + l2 * w[f];
}
