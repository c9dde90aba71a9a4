// @ topk_filter 8192|524288 256 f32:65536|4194304:-8..8 >f32:65536|4194304 2048 40

// Keeps the k largest logits of every row (radix select, 8 bits at a time) and
// zeroes the others.  Values equal to the k-th largest are all kept.

#define NT 256

uint order_key(float f)
{
    uint b = as_uint(f);
    return (b & 0x80000000u) ? ~b : (b | 0x80000000u);
}

__kernel void topk_filter(__global const float *logits,
                          __global float *kept,
                          int row_len, int k)
{
    __local uint hist[256];
    __local uint s_prefix;
    __local int s_want;

    const int tid = get_local_id(0);
    __global const float *row = logits + get_group_id(0) * (size_t)row_len;
    __global float *dst = kept + get_group_id(0) * (size_t)row_len;

    if (tid == 0) {
        s_prefix = 0;
        s_want = k;
    }

    for (int shift = 24; shift >= 0; shift -= 8) {
        hist[tid] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);

        const uint prefix = s_prefix;
        const uint high = shift == 24 ? 0u : 0xffffffffu << (shift + 8);
        for (int i = tid; i < row_len; i += NT) {
            uint key = order_key(row[i]);
            if ((key & high) == prefix)
                atomic_inc(&hist[(key >> shift) & 255u]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        if (tid == 0) {
            int want = s_want;
            int d = 255;
            while (d > 0 && (int)hist[d] < want) {
                want -= hist[d];
                d--;
            }
            s_want = want;
            s_prefix = prefix | ((uint)d << shift);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    const uint threshold = s_prefix;
    for (int i = tid; i < row_len; i += NT) {
        float v = row[i];
        dst[i] = select(0.0f, v, (uint)(order_key(v) >= threshold));
    }
}
