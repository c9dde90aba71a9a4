// @ rope_gqa_prefill 256x8|1024x32 64x1 f16:131072|2097152:-1..1 f16:32768|524288:-1..1 f16:32768|524288:-1..1 >f32:131072|2097152 256|1024 8|32 4 0.125f 13.287712f

// Causal attention of a prompt with grouped query heads, the rotary embedding is
// applied to Q and K on the fly. A work-item owns one query row, keys and values
// go through local memory in tiles of 32. Layout: [token][head][HEAD_DIM], half.
// log2_base is log2 of the rotary base (10000).

#define HEAD_DIM 64
#define HALF_DIM 32
#define TILE     32

static inline float2 rope(float2 ab, int pos, int pair, float log2_base)
{
    // "neox" pairing: element i goes with element i + HEAD_DIM / 2
    const float inv_freq = exp2(-log2_base * (float)pair / (float)HALF_DIM);
    float c;
    const float s = sincos((float)pos * inv_freq, &c);
    return (float2)(ab.x * c - ab.y * s, ab.x * s + ab.y * c);
}

__kernel void rope_gqa_prefill(__global const half *Q,
                               __global const half *K,
                               __global const half *V,
                               __global float *O,
                               const int n_tokens,
                               const int n_heads,
                               const int group,
                               const float scale,
                               const float log2_base)
{
    __local float k_tile[TILE][HEAD_DIM];
    __local float v_tile[TILE][HEAD_DIM];

    const int lid = get_local_id(0);
    const int row = get_global_id(0);
    const int head = get_global_id(1);
    const int n_kv = n_heads / group;
    const int kv_head = head / group;
    const int last_row = (get_group_id(0) + 1) * get_local_size(0) - 1;

    float q[HEAD_DIM];
    float4 acc[HEAD_DIM / 4];

    const size_t q_base = ((size_t)row * n_heads + head) * HEAD_DIM;
    for (int i = 0; i < HALF_DIM; ++i) {
        float2 r = rope((float2)(vload_half(q_base + i, Q), vload_half(q_base + i + HALF_DIM, Q)),
                        row, i, log2_base);
        q[i] = r.x * scale;
        q[i + HALF_DIM] = r.y * scale;
    }
    for (int i = 0; i < HEAD_DIM / 4; ++i)
        acc[i] = (float4)(0.0f);

    float m = -1.0e30f, l = 0.0f;

    for (int t0 = 0; t0 <= last_row && t0 < n_tokens; t0 += TILE) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int e = lid; e < TILE * HALF_DIM; e += get_local_size(0)) {
            const int t = e / HALF_DIM, i = e % HALF_DIM;
            const size_t at = ((size_t)(t0 + t) * n_kv + kv_head) * HEAD_DIM + i;
            float2 r = rope((float2)(vload_half(at, K), vload_half(at + HALF_DIM, K)), t0 + t, i, log2_base);
            k_tile[t][i] = r.x;
            k_tile[t][i + HALF_DIM] = r.y;
            v_tile[t][i] = vload_half(at, V);
            v_tile[t][i + HALF_DIM] = vload_half(at + HALF_DIM, V);
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        float s[TILE];
        float m_new = m;
        for (int t = 0; t < TILE; ++t) {
            float d = 0.0f;
            for (int i = 0; i < HEAD_DIM; ++i)
                d = fma(q[i], k_tile[t][i], d);
            s[t] = t0 + t <= row ? d : -1.0e30f;
            m_new = fmax(m_new, s[t]);
        }

        const float corr = exp(m - m_new);
        m = m_new;
        l *= corr;
        for (int i = 0; i < HEAD_DIM / 4; ++i)
            acc[i] *= corr;

        for (int t = 0; t < TILE; ++t) {
            const float p = t0 + t <= row ? exp(s[t] - m) : 0.0f;
            l += p;
            for (int i = 0; i < HEAD_DIM / 4; ++i)
                acc[i] += p * vload4(i, v_tile[t]);
        }
    }

    const float inv = 1.0f / l;
    for (int i = 0; i < HEAD_DIM / 4; ++i)
        vstore4(acc[i] * inv, i, O + q_base);
}
