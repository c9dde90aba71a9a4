// @ q4_matvec 32768|2097152 64 u32:131072|16777216 f16:32768|4194304:0.005..0.02 f32:2048|4096:-1..1 >f32:512|32768 2048|4096

#define QK 32          /* weights per scale */
#define NSIMD 64

// Row-wise 4-bit weights, eight in a uint (lowest nibble first), offset by 8;
// one half precision scale for each run of 32 weights.
__kernel void q4_matvec(__global const uint *restrict qs,
                        __global const half *restrict scales,
                        __global const float *restrict x,
                        __global float *restrict y,
                        const int ncols)
{
    __local float tmp[NSIMD];
    const int row = get_group_id(0);
    const int tid = get_local_id(0);
    const int nblocks = ncols / QK;

    float sum = 0.0f;
    for (int ib = tid; ib < nblocks; ib += NSIMD) {
        const int blk = row * nblocks + ib;
        const uint4 q = vload4(blk, qs);
        const float d = vload_half(blk, scales);
        __global const float *xb = x + ib * QK;
        const uint words[4] = { q.x, q.y, q.z, q.w };

        float part = 0.0f;
        for (int w = 0; w < 4; w++) {
            uint bits = words[w];
            float8 xv = vload8(w, xb);
            uint8 nib = (uint8)(bits, bits >> 4, bits >> 8, bits >> 12,
                                bits >> 16, bits >> 20, bits >> 24, bits >> 28) & 15u;
            float8 wv = convert_float8(convert_int8(nib) - 8);
            float8 p = wv * xv;
            part += dot(p.lo, (float4)(1.0f)) + dot(p.hi, (float4)(1.0f));
        }
        sum += d * part;
    }

    tmp[tid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = NSIMD / 2; s > 0; s /= 2) {
        if (tid < s)
            tmp[tid] += tmp[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0)
        y[row] = tmp[0];
}
