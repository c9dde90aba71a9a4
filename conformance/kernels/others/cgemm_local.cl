// @ cgemm 128x128|1024x1024 16x16 f32:16384|524288:-1..1 f32:16384|524288:-1..1 >f32:32768|2097152:-1..1 128|1024 128|1024 64|256 (0.8f,-0.3f) (0.5f,0.25f) 1

typedef float2 cfloat;

inline cfloat cmul(cfloat a, cfloat b)
{
    return (cfloat)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

inline cfloat cfma(cfloat a, cfloat b, cfloat c)
{
    c.x = mad(a.x, b.x, c.x);
    c.y = mad(a.x, b.y, c.y);
    c.x = mad(-a.y, b.y, c.x);
    c.y = mad(a.y, b.x, c.y);
    return c;
}

inline cfloat conj(cfloat a) { return (cfloat)(a.x, -a.y); }

#define BLK 16

// C = alpha * A * op(B) + beta * C with op the conjugate when conj_b is set
__kernel void cgemm(__global const cfloat *A,
                    __global const cfloat *B,
                    __global cfloat *C,
                    uint M, uint N, uint K,
                    cfloat alpha, cfloat beta, int conj_b)
{
    __local cfloat tile_a[BLK * BLK];
    __local cfloat tile_b[BLK * BLK];

    const uint i = get_global_id(1), j = get_global_id(0);
    const uint li = get_local_id(1), lj = get_local_id(0);

    cfloat acc = (cfloat)(0.0f, 0.0f);

    for (uint t = 0; t < K; t += BLK) {
        tile_a[li * BLK + lj] = A[i * K + t + lj];
        cfloat bv = B[(t + li) * N + j];
        tile_b[li * BLK + lj] = conj_b ? conj(bv) : bv;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < BLK; ++k)
            acc = cfma(tile_a[li * BLK + k], tile_b[k * BLK + lj], acc);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (i < M && j < N) {
        cfloat c = C[i * N + j];
        C[i * N + j] = cmul(alpha, acc) + cmul(beta, c);
    }
}
