// @ scale_ranks 32768|2097152 256 f32:32768|2097152:0.5..1.5 u8:32768|2097152:0..12 zeros:f32:32768|2097152 zeros:f32:128|8192
// @ sum_dangling 256 256 #3 zeros:f32:1 128|8192 32768|2097152
// @ pull 32768|2097152 256 iota:32769|2097153:8 u32:262144|16777216:0..32768|2097152 f16:262144|16777216:0.5..1.5 #2 #4 zeros:f32:32768|2097152 0.85f 32768|2097152
// @ scale_ranks 32768|2097152 256 #8 #1 #2 #3
// @ sum_dangling 256 256 #3 #4 128|8192 32768|2097152
// @ pull 32768|2097152 256 #5 #6 #7 #2 #4 >f32:32768|2097152 0.85f 32768|2097152

// Weighted PageRank, pulling over incoming edges (CSR). Edge weights are halves.
// Two iterations as the host enqueues them; each has three kernels.

__kernel void scale_ranks(__global const float *rank,
                          __global const uchar *out_degree,
                          __global float *contribution,
                          __global float *dangling)
{
    __local float part[256];
    const uint v = get_global_id(0), lid = get_local_id(0);
    const uint degree = out_degree[v];
    const float r = rank[v];

    contribution[v] = degree ? r / (float)degree : 0.0f;
    part[lid] = degree ? 0.0f : r;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) >> 1; s; s >>= 1) {
        if (lid < s)
            part[lid] += part[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        dangling[get_group_id(0)] = part[0];
}

// By a single work-group
__kernel void sum_dangling(__global const float *dangling,
                           __global float *total,
                           const uint groups,
                           const uint vertices)
{
    __local float part[256];
    const uint lid = get_local_id(0);
    float s = 0.0f;
    for (uint g = lid; g < groups; g += get_local_size(0))
        s += dangling[g];
    part[lid] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_local_size(0) >> 1; k; k >>= 1) {
        if (lid < k)
            part[lid] += part[lid + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        *total = part[0] / (float)vertices;
}

__kernel void pull(__global const uint *offsets,
                   __global const uint *sources,
                   __global const half *weights,
                   __global const float *contribution,
                   __global const float *dangling,
                   __global float *next,
                   const float damping,
                   const uint vertices)
{
    const uint v = get_global_id(0);
    if (v >= vertices)
        return;
    const uint end = offsets[v + 1];
    float sum = *dangling;
    for (uint e = offsets[v]; e < end; ++e)
        sum += vload_half(e, weights) * contribution[sources[e]];
    next[v] = mad(damping, sum, 1.0f - damping);
}
