// @ bsr3_spmv 16384|524288 64 iota:16385|524289:7 u32:114688|3670016:0..16384|524288 f32:1032192|33030144:-1..1 f32:49152|1572864:-1..1 >f32:49152|1572864

// y = A x where A consists of dense 3x3 blocks (row major inside the block),
// as from the assembly of 3D elasticity on a tetrahedral mesh.

float3 block_mul(__global const float *blk, float3 v)
{
    float3 r0 = vload3(0, blk);
    float3 r1 = vload3(1, blk);
    float3 r2 = vload3(2, blk);
    return (float3)(dot(r0, v), dot(r1, v), dot(r2, v));
}

__kernel void bsr3_spmv(__global const uint *ptr,
                        __global const uint *bcol,
                        __global const float *bval,
                        __global const float *x,
                        __global float *y)
{
    const size_t brow = get_global_id(0);
    const uint end = ptr[brow + 1];
    float3 acc = (float3)(0.0f);

    for (uint b = ptr[brow]; b != end; ++b)
        acc += block_mul(bval + 9 * (size_t)b, vload3(bcol[b], x));

    vstore3(acc, brow, y);
}
