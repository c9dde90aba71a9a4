// @ invert_blocks 32768|1048576 64 f32:262144|8388608:-0.3..0.3 zeros:f32:262144|8388608 2.5f
// @ jacobi_smooth 32768|1048576 64 #0 #1 f32:32768|1048576:-1..1 f32:32768|1048576:-0.2..0.2 >f32:32768|1048576 2.5f 0.7f 3

// Block Jacobi with dense diagonal blocks of 8 x 8: blocks are inverted by Gauss-Jordan
// in local memory, eight blocks to a work-group and a row per work-item, then a few damped
// sweeps x += omega inv(D) (b - A x) where A couples neighbouring blocks of a group.
// `shift` is added to the diagonals.

#define BS 8
#define PER_GROUP 8

__kernel void invert_blocks(__global const float *blocks, __global float *inverses, const float shift)
{
    __local float m[PER_GROUP][BS][2 * BS + 1];
    const int lid = get_local_id(0);
    const int blk = lid / BS, row = lid % BS;
    const size_t at = get_global_id(0) * (size_t)BS;

    for (int j = 0; j < BS; j++) {
        m[blk][row][j] = blocks[at + j] + (j == row ? shift : 0.0f);
        m[blk][row][BS + j] = j == row ? 1.0f : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int k = 0; k < BS; k++) {
        const float inv = 1.0f / m[blk][k][k];
        const float factor = m[blk][row][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row == k)
            for (int j = 0; j < 2 * BS; j++)
                m[blk][k][j] *= inv;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row != k)
            for (int j = k; j < 2 * BS; j++)
                m[blk][row][j] -= factor * m[blk][k][j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    vstore8(vload8(0, &m[blk][row][BS]), get_global_id(0), inverses);
}

__kernel void jacobi_smooth(__global const float *blocks,
                            __global const float *inverses,
                            __global const float *b,
                            __global const float *coupling,
                            __global float *x,
                            const float shift,
                            const float omega,
                            const int sweeps)
{
    __local float xs[PER_GROUP * BS], rs[PER_GROUP * BS];
    const int lid = get_local_id(0);
    const int base = lid / BS * BS;
    const size_t i = get_global_id(0);

    float8 a = vload8(i, blocks);
    const float8 inv = vload8(i, inverses);
    const float rhs = b[i], c = coupling[i];
    const int up = (lid + BS) % (PER_GROUP * BS), down = (lid + (PER_GROUP - 1) * BS) % (PER_GROUP * BS);

    float mine = 0.0f;
    xs[lid] = 0.0f;
    for (int s = 0; s < sweeps; s++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const float8 v = vload8(0, xs + base);
        rs[lid] = rhs - dot(a.lo, v.lo) - dot(a.hi, v.hi) - shift * mine - c * (xs[up] + xs[down]);
        barrier(CLK_LOCAL_MEM_FENCE);
        const float8 r = vload8(0, rs + base);
        mine += omega * (dot(inv.lo, r.lo) + dot(inv.hi, r.hi));
        xs[lid] = mine;
    }
    x[i] = mine;
}
