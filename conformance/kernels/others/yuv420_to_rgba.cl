// @ i420_to_rgba 320x360|1920x2160 32x8 u8:921600|33177600 u8:230400|8294400 u8:230400|8294400 >u8:3686400|132710400 1280|7680 640|3840 0

/* BT.601 / BT.709 limited range, 8 bit fixed point. matrix: 0 = 601, 1 = 709 */
struct Matrix {
    int y, rv, gu, gv, bu;
};

__constant struct Matrix matrices[2] = {
    { 298, 409, -100, -208, 516 },
    { 298, 459,  -55, -136, 541 },
};

static void convertRow(uchar4 luma, int4 r, int4 g, int4 b, int ky, __global uchar *out)
{
    int4 l = (convert_int4(luma) - 16) * ky + 128;
    uchar4 R = convert_uchar4_sat((l + r) >> 8);
    uchar4 G = convert_uchar4_sat((l + g) >> 8);
    uchar4 B = convert_uchar4_sat((l + b) >> 8);

    uchar16 rgba = (uchar16)(R.x, G.x, B.x, 0xff,
                             R.y, G.y, B.y, 0xff,
                             R.z, G.z, B.z, 0xff,
                             R.w, G.w, B.w, 0xff);
    vstore16(rgba, 0, out);
}

// one work-item: 4x2 pixels
__kernel void i420_to_rgba(__global const uchar *yPlane,
                           __global const uchar *uPlane,
                           __global const uchar *vPlane,
                           __global uchar *rgba,
                           int strideY, int strideUV, int matrix)
{
    const size_t cx = get_global_id(0) * 2;
    const size_t cy = get_global_id(1);

    const __global uchar *y0 = yPlane + 2 * cy * strideY + 2 * cx;
    const int ky  = matrices[matrix].y;

    int2 u = convert_int2(vload2(0, uPlane + cy * strideUV + cx)) - 128;
    int2 v = convert_int2(vload2(0, vPlane + cy * strideUV + cx)) - 128;

    // chroma is shared by 2x2 luma samples
    int4 r = (v * matrices[matrix].rv).xxyy;
    int4 g = (u * matrices[matrix].gu + v * matrices[matrix].gv).xxyy;
    int4 b = (u * matrices[matrix].bu).xxyy;

    __global uchar *out = rgba + 4 * (2 * cy * strideY + 2 * cx);
    convertRow(vload4(0, y0), r, g, b, ky, out);
    convertRow(vload4(0, y0 + strideY), r, g, b, ky, out + 4 * strideY);
}
