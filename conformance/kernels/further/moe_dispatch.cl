// @ moe_route 8192|131072 256 i8:524288|8388608 i8:1024 zeros:i32:16384|262144 zeros:f32:16384|262144 zeros:u32:16 0.0004f
// @ moe_permute 4096 256 #2 #4 zeros:i32:20480|327680 8192|131072 1280|20480
// @ moe_gather 20480|327680 64 #0 #3 #5 >f32:1310720|20971520 0.0078125f

/* Top-2 routing of tokens to 16 experts, int8 activations and gate weights.
 *   moe_route    logits, renormalised softmax of the best two, tokens per expert
 *   moe_permute  one work-group per expert lists its (token, choice) pairs in order,
 *                those over the capacity are dropped
 *   moe_gather   the rows of the experts' inputs, dequantised and weighted */

#define EXPERTS 16
#define DIM     64
#define WG      256

static inline int dot_i8x4(char4 a, char4 b, int sum)
{
    return sum + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

__kernel void moe_route(__global const char *hidden,
                        __constant char *gate,
                        __global int *choice,
                        __global float *weight,
                        __global uint *load,
                        const float scale)
{
    __local uint counts[EXPERTS];
    const int lid = get_local_id(0);
    const int token = get_global_id(0);

    if (lid < EXPERTS)
        counts[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    int logits[EXPERTS];
    for (int e = 0; e < EXPERTS; e++)
        logits[e] = 0;

    for (int d = 0; d < DIM; d += 4) {
        const char4 x = vload4(0, hidden + (size_t)token * DIM + d);
        for (int e = 0; e < EXPERTS; e++)
            logits[e] = dot_i8x4(x, vload4(0, gate + e * DIM + d), logits[e]);
    }

    int best = 0, second = -1;
    for (int e = 1; e < EXPERTS; e++) {
        if (logits[e] > logits[best]) {
            second = best;
            best = e;
        } else if (second < 0 || logits[e] > logits[second]) {
            second = e;
        }
    }

    // the softmax over the two of them; that over all cancels
    const float r = exp((float)(logits[second] - logits[best]) * scale);
    const float w0 = 1.0f / (1.0f + r);
    choice[token * 2 + 0] = best;
    choice[token * 2 + 1] = second;
    weight[token * 2 + 0] = w0;
    weight[token * 2 + 1] = 1.0f - w0;

    atomic_inc(&counts[best]);
    atomic_inc(&counts[second]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < EXPERTS && counts[lid] != 0)
        atomic_add(&load[lid], counts[lid]);
}

__kernel void moe_permute(__global const int *choice,
                          __global const uint *load,
                          __global int *slots,
                          const int tokens,
                          const int capacity)
{
    __local int scan[WG];
    const int lid = get_local_id(0);
    const int expert = get_group_id(0);
    __global int *mine = slots + (size_t)expert * capacity;
    int filled = 0;

    for (int base = 0; base < tokens; base += WG) {
        const int2 c = vload2(base + lid, choice);
        const int hit = c.x == expert || c.y == expert;

        scan[lid] = hit;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int step = 1; step < WG; step <<= 1) {
            const int add = lid >= step ? scan[lid - step] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            scan[lid] += add;
            barrier(CLK_LOCAL_MEM_FENCE);
        }

        const int at = filled + scan[lid] - hit;
        if (hit && at < capacity)
            mine[at] = 1 + 2 * (base + lid) + (c.y == expert);
        filled += scan[WG - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (int at = min((int)load[expert], capacity) + lid; at < capacity; at += WG)
        mine[at] = 0;
}

__kernel void moe_gather(__global const char *hidden,
                         __global const float *weight,
                         __global const int *slots,
                         __global float *rows,
                         const float scale)
{
    const size_t slot = get_global_id(0);
    const int pair = slots[slot] - 1;
    __global float *row = rows + slot * DIM;

    if (pair < 0) {
        for (int d = 0; d < DIM / 8; d++)
            vstore8((float8)(0.0f), d, row);
        return;
    }
    const float w = weight[pair] * scale;
    __global const char *x = hidden + (size_t)(pair >> 1) * DIM;
    for (int d = 0; d < DIM / 8; d++)
        vstore8(convert_float8(vload8(d, x)) * w, d, row);
}
