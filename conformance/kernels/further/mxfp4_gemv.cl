// @ mxfp4_gemv4 65536|1048576 64 u32:262144|16777216 u8:65536|4194304:118..124 f16:8192|32768:-1..1 f16:1024|16384:-0.5..0.5 >f32:4096|65536 2048|8192 1024|16384

// y[4][M] = W[M][K] * x[4][K] + bias for a small batch. W is in the OCP MX format:
// blocks of 32 weights of 4 bits (E2M1), each block with a shared scale of 8 bits,
// a power of two (E8M0). One work-group computes one row for all four columns.

#define WG     64
#define BLOCK  32
#define BATCH  4

__constant float E2M1[16] = {
     0.0f,  0.5f,  1.0f,  1.5f,  2.0f,  3.0f,  4.0f,  6.0f,
    -0.0f, -0.5f, -1.0f, -1.5f, -2.0f, -3.0f, -4.0f, -6.0f,
};

static inline float e8m0_to_float(uchar e)
{
    // 2^-127 is no normal number
    return e == 0 ? as_float(0x00400000u) : as_float((uint)e << 23);
}

static inline float4 nibbles(ushort q)
{
    return (float4)(E2M1[q & 15], E2M1[(q >> 4) & 15], E2M1[(q >> 8) & 15], E2M1[q >> 12]);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mxfp4_gemv4(__global const uint4* restrict quants,
                 __global const uchar* restrict scales,
                 __global const half* restrict x,
                 __global const half* restrict bias,
                 __global float* restrict y,
                 const int K,
                 const int M)
{
    __local float4 partial[WG];

    const int tid = get_local_id(0);
    const int row = get_group_id(0);
    const int blocks = K / BLOCK;

    float4 sum = (float4)(0.0f);
    for (int b = tid; b < blocks; b += WG) {
        const size_t at = (size_t)row * blocks + b;
        const ushort8 q = as_ushort8(quants[at]);
        const float d = e8m0_to_float(scales[at]);

        float w[BLOCK];
        vstore4(nibbles(q.s0), 0, w);
        vstore4(nibbles(q.s1), 1, w);
        vstore4(nibbles(q.s2), 2, w);
        vstore4(nibbles(q.s3), 3, w);
        vstore4(nibbles(q.s4), 4, w);
        vstore4(nibbles(q.s5), 5, w);
        vstore4(nibbles(q.s6), 6, w);
        vstore4(nibbles(q.s7), 7, w);

        float dots[BATCH];
        for (int c = 0; c < BATCH; c++) {
            __global const half* xc = x + (size_t)c * K + b * BLOCK;
            float s = 0.0f;
            for (int i = 0; i < BLOCK / 4; i++)
                s += dot(vload4(i, w), vload_half4(i, xc));
            dots[c] = s;
        }
        sum += d * vload4(0, dots);
    }

    partial[tid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = WG / 2; n > 0; n >>= 1) {
        if (tid < n)
            partial[tid] += partial[tid + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (tid < BATCH) {
        const float v = ((__local const float*)partial)[tid] + vload_half(row, bias);
        y[(size_t)tid * M + row] = v;
    }
}
