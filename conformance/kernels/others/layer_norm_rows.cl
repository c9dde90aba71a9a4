// @ layer_norm_fwd 32768|2097152 128 >f32:196608|12582912 f32:196608|12582912:-2..3 f32:768:0.5..1.5 f32:768:-0.5..0.5 768 0.00001f zeros:f32:256|16384 zeros:f32:256|16384

#define WG 128

// One work-group normalises one row.  dim is a multiple of 4.
float group_sum(__local float *buf, float v, uint lid)
{
    buf[lid] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = WG / 2; s > 0; s >>= 1) {
        if (lid < s)
            buf[lid] += buf[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float r = buf[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return r;
}

__kernel void layer_norm_fwd(__global float4 *out,
                             __global const float4 *in,
                             __global const float4 *gamma,
                             __global const float4 *beta,
                             const int dim,
                             const float eps,
                             __global float *save_mean,
                             __global float *save_rstd)
{
    __local float scratch[WG];
    const uint lid = get_local_id(0);
    const uint row = get_group_id(0);
    const uint n4 = dim / 4;
    __global const float4 *x = in + (size_t)row * n4;

    float part = 0.0f;
    for (uint i = lid; i < n4; i += WG) {
        float4 v = x[i];
        part += v.s0 + v.s1 + v.s2 + v.s3;
    }
    const float mean = group_sum(scratch, part, lid) / dim;

    part = 0.0f;
    for (uint i = lid; i < n4; i += WG) {
        float4 d = x[i] - mean;
        part += dot(d, d);
    }
    const float rstd = rsqrt(group_sum(scratch, part, lid) / dim + eps);

    for (uint i = lid; i < n4; i += WG)
        out[(size_t)row * n4 + i] = (x[i] - mean) * rstd * gamma[i] + beta[i];

    if (lid == 0) {
        save_mean[row] = mean;
        save_rstd[row] = rstd;
    }
}
