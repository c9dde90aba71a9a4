// @ flash_fwd_causal 1024|65536 64 f16:65536|4194304:-1..1 f16:65536|4194304:-1..1 f16:65536|4194304:-1..1 >f32:65536|4194304 256|2048 0.125f
//
// Causal attention, forward only, one pass over the keys with an online
// softmax. Q, K, V are [head][token][64] in half, the result is float.
// One work-item owns a query row; a work-group owns BLOCK_M rows of one head
// and streams K and V through local memory in tiles of BLOCK_N tokens.

#define HEAD_DIM 64
#define VEC      (HEAD_DIM / 4)
#define BLOCK_M  64
#define BLOCK_N  32

#define NEG_BIG  (-1.0e30f)

// copies a BLOCK_N x HEAD_DIM tile, widening to float
static void load_tile(__local float4 *dst, __global const half *src, int first, int seq_len, int lid)
{
    for (int i = lid; i < BLOCK_N * VEC; i += BLOCK_M) {
        const int row = first + i / VEC;
        const int col = i % VEC;
        dst[i] = row < seq_len ? vload_half4(row * VEC + col, src) : (float4)(0.0f);
    }
}

__attribute__((reqd_work_group_size(BLOCK_M, 1, 1)))
__kernel void flash_fwd_causal(__global const half *Q,
                               __global const half *K,
                               __global const half *V,
                               __global float *O,
                               const int seq_len,
                               const float softmax_scale)
{
    __local float4 k_tile[BLOCK_N * VEC];
    __local float4 v_tile[BLOCK_N * VEC];

    const int lid = get_local_id(0);
    const int blocks_per_head = seq_len / BLOCK_M;
    const int head = get_group_id(0) / blocks_per_head;
    const int q_first = (get_group_id(0) % blocks_per_head) * BLOCK_M;
    const int q_row = q_first + lid;

    const size_t head_off = (size_t)head * seq_len * HEAD_DIM;
    Q += head_off;
    K += head_off;
    V += head_off;
    O += head_off;

    float4 q[VEC];
    float4 acc[VEC];
    for (int d = 0; d < VEC; d++) {
        q[d] = vload_half4(q_row * VEC + d, Q) * softmax_scale;
        acc[d] = (float4)(0.0f);
    }

    float m_i = NEG_BIG;
    float l_i = 0.0f;

    // tiles to the right of the diagonal are masked for the whole group
    const int last_key = q_first + BLOCK_M;
    for (int start = 0; start < last_key; start += BLOCK_N) {
        load_tile(k_tile, K, start, seq_len, lid);
        load_tile(v_tile, V, start, seq_len, lid);
        barrier(CLK_LOCAL_MEM_FENCE);

        float s[BLOCK_N];
        float m_new = m_i;
        for (int j = 0; j < BLOCK_N; j++) {
            float4 dot4 = (float4)(0.0f);
            for (int d = 0; d < VEC; d++)
                dot4 += q[d] * k_tile[j * VEC + d];
            float x = dot4.x + dot4.y + dot4.z + dot4.w;
            if (start + j > q_row)
                x = NEG_BIG;
            s[j] = x;
            m_new = fmax(m_new, x);
        }

        // rescale what we have and add the tile
        const float alpha = exp(m_i - m_new);
        l_i *= alpha;
        for (int d = 0; d < VEC; d++)
            acc[d] *= alpha;
        for (int j = 0; j < BLOCK_N; j++) {
            const float p = exp(s[j] - m_new);
            l_i += p;
            for (int d = 0; d < VEC; d++)
                acc[d] += p * v_tile[j * VEC + d];
        }
        m_i = m_new;

        barrier(CLK_LOCAL_MEM_FENCE);
    }

    const float inv = 1.0f / l_i;
    for (int d = 0; d < VEC; d++)
        vstore4(acc[d] * inv, q_row * VEC + d, O);
}
