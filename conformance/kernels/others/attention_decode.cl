// @ attn_decode 4096|131072 64 f32:4096|131072:-1..1 f32:262144|16777216:-1..1 f32:262144|16777216:-1..1 u32:16|512:160|320..257|513 >f32:4096|131072 256|512 0.125f local:1024|2048

// Attention of one new token against the KV cache.  4 query heads share one
// KV head; one work-group of 64 per query head and head_dim is 64.
// Cache layout: [kv_head][position][64].

#define HD        64
#define GQA       4

__kernel void attn_decode(__global const float *q,
                          __global const float *kcache,
                          __global const float *vcache,
                          __global const uint *lengths,
                          __global float *out,
                          const uint max_len,
                          const float scale,
                          __local float *score)
{
    __local float qv[HD];
    __local float red[HD];

    const uint tid = get_local_id(0);
    const uint head = get_group_id(0);
    const uint kvh = head / GQA;
    const uint len = min(lengths[kvh], max_len);
    __global const float *K = kcache + (size_t)kvh * max_len * HD;
    __global const float *V = vcache + (size_t)kvh * max_len * HD;

    qv[tid] = q[head * HD + tid] * scale;
    barrier(CLK_LOCAL_MEM_FENCE);

    float mx = -INFINITY;
    for (uint t = tid; t < len; t += HD) {
        float s = 0.0f;
        for (uint d = 0; d < HD; d += 4) {
            float4 kk = vload4(0, K + t * HD + d);
            float4 qq = vload4(0, qv + d);
            s += dot(kk, qq);
        }
        score[t] = s;
        mx = fmax(mx, s);
    }

    red[tid] = mx;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint o = HD / 2; o; o >>= 1) {
        if (tid < o)
            red[tid] = fmax(red[tid], red[tid + o]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    mx = red[0];
    barrier(CLK_LOCAL_MEM_FENCE);

    float denom = 0.0f;
    for (uint t = tid; t < len; t += HD) {
        float p = native_exp(score[t] - mx);
        score[t] = p;
        denom += p;
    }
    red[tid] = denom;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint o = HD / 2; o; o >>= 1) {
        if (tid < o)
            red[tid] += red[tid + o];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    float acc = 0.0f;
    for (uint t = 0; t < len; t++)
        acc += score[t] * V[t * HD + tid];
    out[head * HD + tid] = acc / red[0];
}
