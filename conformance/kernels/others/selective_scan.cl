// @ selective_scan_fwd 2048|65536 64 f32:262144|16777216:-1..1 f32:262144|16777216:-3..1 f32:262144|16777216:-2..2 f32:8192|65536:-1..1.5 f32:8192|65536:-1..1 f32:8192|65536:-1..1 f32:512|4096 f32:512|4096:-1..1 >f32:262144|16777216 512|4096 128|256
//
// Selective state space scan (the recurrent core of a Mamba block), forward.
//
//   x, dt, z, y : [batch][len][dim]        A_log : [dim][16]
//   B, C        : [batch][len][16]         D, dt_bias : [dim]
//
// A work-item runs one channel through time; B and C are shared by all the
// channels of a batch entry, so chunks of them go through local memory.

#define STATE 16
#define CHUNK 32

static float softplus(float v)
{
    return v > 20.0f ? v : log1p(exp(v));
}

static float silu(float v)
{
    return v / (1.0f + exp(-v));
}

__kernel void selective_scan_fwd(__global const float *x, __global const float *dt,
                                 __global const float *z, __global const float *A_log,
                                 __global const float *B, __global const float *C,
                                 __global const float *D, __global const float *dt_bias,
                                 __global float *y, const uint dim, const uint len)
{
    __local float sB[CHUNK][STATE];
    __local float sC[CHUNK][STATE];

    const uint d     = get_global_id(0) % dim;
    const uint batch = get_global_id(0) / dim;   // dim is a multiple of the group size
    const uint lid   = get_local_id(0);
    const uint lsz   = get_local_size(0);

    float A[STATE], h[STATE];
    for (int n = 0; n < STATE; n++)
    {
        // Intel's driver would have the last work-item's `-exp(..)` for all behind the barrier.
        A[n] = copysign(exp(A_log[d * STATE + n]), -1.0f);
        h[n] = 0.0f;
    }
    const float skip = D[d];
    const float bias = dt_bias[d];

    for (uint t0 = 0; t0 < len; t0 += CHUNK)
    {
        const uint steps = min((uint)CHUNK, len - t0);
        for (uint i = lid; i < steps * STATE; i += lsz)
        {
            const uint src = (batch * len + t0) * STATE + i;
            sB[i / STATE][i % STATE] = B[src];
            sC[i / STATE][i % STATE] = C[src];
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        for (uint t = 0; t < steps; t++)
        {
            const uint at = (batch * len + t0 + t) * dim + d;
            const float u = x[at];
            const float delta = softplus(dt[at] + bias);
            const float du = delta * u;
            float out = 0.0f;
#pragma unroll
            for (int n = 0; n < STATE; n++)
            {
                h[n] = exp(delta * A[n]) * h[n] + du * sB[t][n];
                out += h[n] * sC[t][n];
            }
            y[at] = (out + skip * u) * silu(z[at]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
