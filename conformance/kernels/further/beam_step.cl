// @ beam_candidates 4096|131072 64 f32:131072|16777216:-8..8 u8:2048|16384 zeros:f32:512|16384 zeros:u32:512|16384 2048|8192 1.3f
// @ beam_select 64|512 64 #2 #3 f32:256|2048:-20..0 u32:256|2048:4..40 zeros:u32:256|2048 >f32:256|2048 16|512 0.6f

// One step of beam search, 4 beams per sentence. beam_candidates: log softmax
// with a repetition penalty, the best 8 tokens of each beam (a work-group).
// beam_select: the best 4 of the 32 candidates by their normalised scores.

#define WG    64
#define TOPK  8
#define BEAMS 4
#define EOS   2

typedef struct {
    float score[TOPK];
    uint  token[TOPK];
} top_t;

static void top_insert(top_t *top, float s, uint t)
{
    if (s <= top->score[TOPK - 1])
        return;
    int i = TOPK - 1;
    while (i > 0 && top->score[i - 1] < s) {
        top->score[i] = top->score[i - 1];
        top->token[i] = top->token[i - 1];
        --i;
    }
    top->score[i] = s;
    top->token[i] = t;
}

__kernel void beam_candidates(__global const float *logits,
                              __global const uchar *seen,
                              __global float *scores,
                              __global uint *tokens,
                              const int vocabulary,
                              const float penalty)
{
    __local float red[WG];
    __local top_t tops[WG];

    const int lid = get_local_id(0);
    const int beam = get_group_id(0);
    __global const float *row = logits + (size_t)beam * vocabulary;

    top_t mine;
    for (int i = 0; i < TOPK; ++i) {
        mine.score[i] = -1.0e30f;
        mine.token[i] = 0xffffffffu;
    }

    // running maximum and sum, one pass over the logits
    float mx = -1.0e30f, sum = 0.0f;
    for (int v = lid; v < vocabulary; v += WG) {
        float z = row[v];
        if (seen[v] < 32)
            z = z > 0.0f ? z / penalty : z * penalty;
        if (z > mx) {
            sum = sum * exp(mx - z) + 1.0f;
            mx = z;
        } else {
            sum += exp(z - mx);
        }
        top_insert(&mine, z, (uint)v);
    }

    red[lid] = mx;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = WG / 2; n > 0; n >>= 1) {
        if (lid < n)
            red[lid] = fmax(red[lid], red[lid + n]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float all_mx = red[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    red[lid] = sum * exp(mx - all_mx);
    tops[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int n = WG / 2; n > 0; n >>= 1) {
        if (lid < n) {
            red[lid] += red[lid + n];
            for (int i = 0; i < TOPK; ++i)
                top_insert(&mine, tops[lid + n].score[i], tops[lid + n].token[i]);
            tops[lid] = mine;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid < TOPK) {
        scores[beam * TOPK + lid] = tops[0].score[lid] - all_mx - log(red[0]);
        tokens[beam * TOPK + lid] = tops[0].token[lid];
    }
}

__kernel void beam_select(__global const float *scores,
                          __global const uint *tokens,
                          __global const float *history,
                          __global const uint *lengths,
                          __global uint *next,
                          __global float *kept,
                          const int sentences,
                          const float alpha)
{
    const int s = get_global_id(0);
    if (s >= sentences)
        return;

    top_t best;
    for (int i = 0; i < TOPK; ++i) {
        best.score[i] = -1.0e30f;
        best.token[i] = 0;
    }
    for (int b = 0; b < BEAMS; ++b) {
        const int beam = s * BEAMS + b;
        const float norm = pow((5.0f + (float)lengths[beam]) / 6.0f, -alpha);
        for (int i = 0; i < TOPK; ++i) {
            const uint token = tokens[beam * TOPK + i];
            const float total = (history[beam] + scores[beam * TOPK + i]) * norm;
            top_insert(&best, token == EOS ? total - 1.0f : total, (uint)b << 24 | token);
        }
    }
    for (int b = 0; b < BEAMS; ++b) {
        next[s * BEAMS + b] = best.token[b];
        kept[s * BEAMS + b] = best.score[b];
    }
}
