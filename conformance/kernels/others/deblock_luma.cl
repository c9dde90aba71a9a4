// @ deblock_vertical_edges 128x256|1024x2048 32x4 >u8:1048576|67108864:116..132 u8:4096|262144:18..51 1024|8192 0
// @ deblock_horizontal_edges 256x128|2048x1024 32x4 #0 #1 1024|8192 0
/*
 * In-loop deblocking of a luma plane on the 8x8 grid.  One work-item does
 * one edge segment of four lines.  The two directions are separate launches
 * as the second one has to see the result of the first.
 */

__constant uchar tc_table[54] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4,
    5, 5, 6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 22, 24
};

__constant uchar beta_table[52] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
    20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64
};

#define P(n, line) ((int)pix[(line) * along - ((n) + 1) * across])
#define Q(n, line) ((int)pix[(line) * along + (n) * across])

inline int second_diff(int a, int b, int c)
{
    return abs(a - 2 * b + c);
}

static void strong_line(__global uchar *pix, int across, int tc)
{
    int p3 = pix[-4 * across], p2 = pix[-3 * across], p1 = pix[-2 * across], p0 = pix[-across];
    int q0 = pix[0], q1 = pix[across], q2 = pix[2 * across], q3 = pix[3 * across];
    int lim = 2 * tc;

    pix[-3 * across] = (uchar)clamp((2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3, p2 - lim, p2 + lim);
    pix[-2 * across] = (uchar)clamp((p2 + p1 + p0 + q0 + 2) >> 2, p1 - lim, p1 + lim);
    pix[-across]     = (uchar)clamp((p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3, p0 - lim, p0 + lim);
    pix[0]           = (uchar)clamp((p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3, q0 - lim, q0 + lim);
    pix[across]      = (uchar)clamp((p0 + q0 + q1 + q2 + 2) >> 2, q1 - lim, q1 + lim);
    pix[2 * across]  = (uchar)clamp((p0 + q0 + q1 + 3 * q2 + 2 * q3 + 4) >> 3, q2 - lim, q2 + lim);
}

static void weak_line(__global uchar *pix, int across, int tc, int side_p, int side_q)
{
    int p2 = pix[-3 * across], p1 = pix[-2 * across], p0 = pix[-across];
    int q0 = pix[0], q1 = pix[across], q2 = pix[2 * across];
    int delta = (9 * (q0 - p0) - 3 * (q1 - p1) + 8) >> 4;

    if (abs(delta) >= tc * 10)
        return;

    delta = clamp(delta, -tc, tc);
    pix[-across] = convert_uchar_sat(p0 + delta);
    pix[0]       = convert_uchar_sat(q0 - delta);

    if (side_p) {
        int d = clamp((((p2 + p0 + 1) >> 1) - p1 + delta) >> 1, -(tc >> 1), tc >> 1);
        pix[-2 * across] = convert_uchar_sat(p1 + d);
    }
    if (side_q) {
        int d = clamp((((q2 + q0 + 1) >> 1) - q1 - delta) >> 1, -(tc >> 1), tc >> 1);
        pix[across] = convert_uchar_sat(q1 + d);
    }
}

static void filter_segment(__global uchar *pix, int across, int along, int qp, int tc_offset)
{
    int beta = beta_table[clamp(qp, 0, 51)];
    int tc   = tc_table[clamp(qp + 2 + tc_offset, 0, 53)];
    int i;

    int dp0 = second_diff(P(2, 0), P(1, 0), P(0, 0));
    int dp3 = second_diff(P(2, 3), P(1, 3), P(0, 3));
    int dq0 = second_diff(Q(2, 0), Q(1, 0), Q(0, 0));
    int dq3 = second_diff(Q(2, 3), Q(1, 3), Q(0, 3));

    if (dp0 + dp3 + dq0 + dq3 >= beta)
        return;

    int strong = 2 * (dp0 + dq0) < (beta >> 2) && 2 * (dp3 + dq3) < (beta >> 2);
    for (i = 0; i < 4 && strong; i += 3) {
        int flat = abs(P(3, i) - P(0, i)) + abs(Q(0, i) - Q(3, i));
        int step = abs(P(0, i) - Q(0, i));
        strong = flat < (beta >> 3) && step < ((5 * tc + 1) >> 1);
    }

    if (strong) {
        for (i = 0; i < 4; i++)
            strong_line(pix + i * along, across, tc);
    } else {
        int side = (beta + (beta >> 1)) >> 3;
        for (i = 0; i < 4; i++)
            weak_line(pix + i * along, across, tc, dp0 + dp3 < side, dq0 + dq3 < side);
    }
}

__kernel void deblock_vertical_edges(__global uchar *plane, __global const uchar *qp_map,
                                     int stride, int tc_offset)
{
    int ex = get_global_id(0);
    int sy = get_global_id(1);
    if (ex == 0)
        return;                         /* picture border */

    int x = ex * 8, y = sy * 4;
    int mbs = stride >> 4;
    int row = (y >> 4) * mbs;
    int qp  = (qp_map[row + (x >> 4)] + qp_map[row + ((x - 1) >> 4)] + 1) >> 1;
    filter_segment(plane + y * stride + x, 1, stride, qp, tc_offset);
}

__kernel void deblock_horizontal_edges(__global uchar *plane, __global const uchar *qp_map,
                                       int stride, int tc_offset)
{
    int sx = get_global_id(0);
    int ey = get_global_id(1);
    if (ey == 0)
        return;

    int x = sx * 4, y = ey * 8;
    int mbs = stride >> 4;
    int qp  = (qp_map[(y >> 4) * mbs + (x >> 4)] + qp_map[((y - 1) >> 4) * mbs + (x >> 4)] + 1) >> 1;
    filter_segment(plane + y * stride + x, stride, 1, qp, tc_offset);
}
