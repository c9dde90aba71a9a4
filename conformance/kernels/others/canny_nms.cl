// @ canny_gradient_nms 256x256|2048x2048 16x16 u8:65536|4194304 >u8:65536|4194304 256|2048 256|2048 220 420

// Canny, first half: Sobel gradient, L1 magnitude, non-maximum suppression and
// the double threshold. Output: 0 = nothing, 1 = weak, 2 = strong.
// The hysteresis is a separate kernel.

#define GROUP   16
#define PIXTILE (GROUP + 4)
#define MAGTILE (GROUP + 2)

// tan(22.5 deg) in Q15
#define TG22 13573

uchar fetch(__global const uchar* img, int x, int y, int cols, int rows) {
  x = clamp(x, 0, cols - 1);
  y = clamp(y, 0, rows - 1);
  return img[mad24(y, cols, x)];
}

short2 sobel(__local const uchar* p) {
  int dx = (p[2] - p[0]) + 2 * (p[PIXTILE + 2] - p[PIXTILE]) + (p[2 * PIXTILE + 2] - p[2 * PIXTILE]);
  int dy = (p[2 * PIXTILE] - p[0]) + 2 * (p[2 * PIXTILE + 1] - p[1]) + (p[2 * PIXTILE + 2] - p[2]);
  return (short2)((short)dx, (short)dy);
}

__attribute__((reqd_work_group_size(GROUP, GROUP, 1)))
__kernel void canny_gradient_nms(__global const uchar* src, __global uchar* dst,
                                 int cols, int rows, int low, int high) {
  __local uchar pix[PIXTILE * PIXTILE];
  __local int   mag[MAGTILE * MAGTILE];

  const int lx = get_local_id(0);
  const int ly = get_local_id(1);
  const int lid = mad24(ly, GROUP, lx);
  const int ox = get_group_id(0) * GROUP;
  const int oy = get_group_id(1) * GROUP;

  for (int i = lid; i < PIXTILE * PIXTILE; i += GROUP * GROUP) {
    int ty = i / PIXTILE;
    int tx = i - ty * PIXTILE;
    pix[i] = fetch(src, ox + tx - 2, oy + ty - 2, cols, rows);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int i = lid; i < MAGTILE * MAGTILE; i += GROUP * GROUP) {
    int ty = i / MAGTILE;
    int tx = i - ty * MAGTILE;
    short2 g = sobel(pix + mad24(ty, PIXTILE, tx));
    ushort2 a = abs(g);
    mag[i] = a.x + a.y;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const int x = ox + lx;
  const int y = oy + ly;
  if (x >= cols || y >= rows)
    return;

  __local const int* m = mag + mad24(ly + 1, MAGTILE, lx + 1);
  const int cur = m[0];
  uchar result = 0;

  if (cur > low) {
    int2 g = convert_int2(sobel(pix + mad24(ly + 1, PIXTILE, lx + 1)));
    int ax = (int)abs(g.x);
    int ay = (int)abs(g.y) << 15;
    int tg22 = ax * TG22;
    int tg67 = tg22 + (ax << 16);
    int a, b;

    if (ay < tg22) {              // horizontal gradient
      a = m[-1];
      b = m[1];
    } else if (ay > tg67) {       // vertical
      a = m[-MAGTILE];
      b = m[MAGTILE];
    } else {                      // one of the diagonals
      int s = (g.x ^ g.y) < 0 ? -1 : 1;
      a = m[-MAGTILE - s];
      b = m[MAGTILE + s];
    }

    if (cur > a && cur >= b)
      result = cur > high ? 2 : 1;
  }
  dst[mad24(y, cols, x)] = result;
}
