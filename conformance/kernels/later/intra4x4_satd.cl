// @ intra4x4_decide 64x32|1024x1024 8x8 u8:32768|16777216 >u32:2048|1048576 256|4096 6
//
// H.264 intra 4x4 mode decision on source pixels: all nine predictions of
// each block, compared by the sum of absolute Hadamard coefficients.

enum {
    I4_VERTICAL, I4_HORIZONTAL, I4_DC, I4_DIAG_DOWN_LEFT, I4_DIAG_DOWN_RIGHT,
    I4_VERT_RIGHT, I4_HOR_DOWN, I4_VERT_LEFT, I4_HOR_UP, I4_MODES
};

/* e[] = L K J I  M  A B C D E F G H */
#define TOP(i)  e[5 + (i)]
#define LEFT(i) e[3 - (i)]
#define AVG2(a, b)    (((a) + (b) + 1) >> 1)
#define AVG3(a, b, c) (((a) + 2 * (b) + (c) + 2) >> 2)

static int predict(int mode, int x, int y, const int *e)
{
    int z, i;

    switch (mode) {
    case I4_VERTICAL:
        return TOP(x);
    case I4_HORIZONTAL:
        return LEFT(y);
    case I4_DC:
        return (e[0] + e[1] + e[2] + e[3] + e[5] + e[6] + e[7] + e[8] + 4) >> 3;
    case I4_DIAG_DOWN_LEFT:
        i = x + y;
        return i == 6 ? AVG3(TOP(6), TOP(7), TOP(7)) : AVG3(TOP(i), TOP(i + 1), TOP(i + 2));
    case I4_DIAG_DOWN_RIGHT:
        i = 4 + x - y;
        return AVG3(e[i - 1], e[i], e[i + 1]);
    case I4_VERT_RIGHT:
        z = 2 * x - y;
        i = x - (y >> 1);
        if (z < -1)
            return AVG3(LEFT(y - 1), LEFT(y - 2), LEFT(y - 3));
        if (z & 1)
            return AVG3(TOP(i - 2), TOP(i - 1), TOP(i));
        return AVG2(TOP(i - 1), TOP(i));
    case I4_HOR_DOWN:
        z = 2 * y - x;
        i = y - (x >> 1);
        if (z < -1)
            return AVG3(TOP(x - 1), TOP(x - 2), TOP(x - 3));
        if (z & 1)
            return AVG3(LEFT(i - 2), LEFT(i - 1), LEFT(i));
        return AVG2(LEFT(i - 1), LEFT(i));
    case I4_VERT_LEFT:
        i = x + (y >> 1);
        return y & 1 ? AVG3(TOP(i), TOP(i + 1), TOP(i + 2)) : AVG2(TOP(i), TOP(i + 1));
    default: /* I4_HOR_UP */
        z = x + 2 * y;
        i = y + (x >> 1);
        if (z > 5)
            return LEFT(3);
        if (z == 5)
            return AVG3(LEFT(2), LEFT(3), LEFT(3));
        return z & 1 ? AVG3(LEFT(i), LEFT(i + 1), LEFT(i + 2)) : AVG2(LEFT(i), LEFT(i + 1));
    }
}

static void butterfly(int4 r[4])
{
    const int4 a = r[0] + r[3], b = r[1] + r[2];
    const int4 c = r[1] - r[2], d = r[0] - r[3];
    r[0] = a + b;
    r[1] = c + d;
    r[2] = a - b;
    r[3] = d - c;
}

static int satd4x4(int4 r[4])
{
    butterfly(r);
    int4 t[4] = {
        (int4)(r[0].x, r[1].x, r[2].x, r[3].x), (int4)(r[0].y, r[1].y, r[2].y, r[3].y),
        (int4)(r[0].z, r[1].z, r[2].z, r[3].z), (int4)(r[0].w, r[1].w, r[2].w, r[3].w)
    };
    butterfly(t);
    const uint4 s = abs(t[0]) + abs(t[1]) + abs(t[2]) + abs(t[3]);
    return (int)(s.x + s.y + s.z + s.w) >> 1;
}

__kernel void intra4x4_decide(__global const uchar *luma, __global uint *decision,
                              const int stride, const int lambda)
{
    const int bx = get_global_id(0), by = get_global_id(1);
    __global const uchar *block = luma + by * 4 * stride + bx * 4;
    const bool has_top = by > 0, has_left = bx > 0;
    const bool has_right = has_top && bx + 1 < (int)get_global_size(0);

    int e[13];
    for (int i = 0; i < 4; i++) {
        e[3 - i] = has_left ? block[i * stride - 1] : 128;
        e[5 + i] = has_top ? block[i - stride] : 128;
    }
    e[4] = has_top && has_left ? block[-stride - 1] : 128;
    for (int i = 4; i < 8; i++)
        e[5 + i] = has_right ? block[i - stride] : e[8];

    int4 source[4];
    for (int y = 0; y < 4; y++)
        source[y] = convert_int4(vload4(0, block + y * stride));

    uint best = UINT_MAX;
    for (int mode = 0; mode < I4_MODES; mode++) {
        int4 residual[4];
        for (int y = 0; y < 4; y++)
            residual[y] = source[y] - (int4)(predict(mode, 0, y, e), predict(mode, 1, y, e),
                                             predict(mode, 2, y, e), predict(mode, 3, y, e));
        const uint cost = satd4x4(residual) + lambda * (mode == I4_DC ? 1 : 4);
        best = min(best, cost << 4 | mode);
    }
    decision[by * get_global_size(0) + bx] = best;
}
