// @ motion_search 128x128|1024x1024 16x16 u8:16384|1048576:0..64 u8:20736|1081600:0..64 >i32:128|8192 128|1024 144|1040 4
/*
 * Full search block motion estimation, +-8 pixels, 16x16 blocks.
 *
 * One work-group per block, one work-item per candidate vector. The reference
 * frame is padded by 8 pixels on every side, so the window never leaves it.
 */
#define BS      16
#define RANGE   8
#define WIN     (BS + 2 * RANGE - 1)

__kernel void motion_search(__global const uchar * restrict cur,
                            __global const uchar * restrict ref,
                            __global int2 * restrict vectors,
                            const int cur_stride,
                            const int ref_stride,
                            const int lambda)
{
    __local uchar block[BS * BS];
    __local uchar win[WIN * WIN];
    __local uint  best[BS * BS];

    const uint lx  = get_local_id(0);
    const uint ly  = get_local_id(1);
    const uint tid = ly * BS + lx;
    const uint bx  = get_group_id(0) * BS;
    const uint by  = get_group_id(1) * BS;

    block[tid] = cur[(by + ly) * cur_stride + bx + lx];
    for (uint i = tid; i < WIN * WIN; i += BS * BS)
        win[i] = ref[(by + i / WIN) * ref_stride + bx + i % WIN];
    barrier(CLK_LOCAL_MEM_FENCE);

    uint sad = 0;
    for (uint j = 0; j < BS; ++j)
    {
        __local const uchar *c = block + j * BS;
        __local const uchar *r = win + (ly + j) * WIN + lx;
        for (uint i = 0; i < BS; ++i)
            sad += abs_diff(c[i], r[i]);
    }

    /* favour short vectors */
    const int dx = (int)lx - RANGE;
    const int dy = (int)ly - RANGE;
    sad += lambda * (abs(dx) + abs(dy));

    /* the candidate number in the low bits makes all keys distinct */
    best[tid] = (sad << 8) | tid;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = BS * BS / 2; s > 0; s >>= 1)
    {
        if (tid < s)
            best[tid] = min(best[tid], best[tid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (tid == 0)
    {
        const uint w = best[0] & 0xff;
        const int mvx = (int)(w % BS) - RANGE;
        const int mvy = (int)(w / BS) - RANGE;
        vectors[get_group_id(1) * get_num_groups(0) + get_group_id(0)] =
            (int2)((mvy << 16) | (mvx & 0xffff), (int)(best[0] >> 8));
    }
}
