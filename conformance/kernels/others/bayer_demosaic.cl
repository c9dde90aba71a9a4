// @ demosaic_rggb 256x256|2048x2048 16x8 u16:262144|16777216:0..4096 >u8:1048576|67108864 512|4096 512|4096 64 480 256 390
//
// High-quality linear demosaic (5x5 gradient corrected), RGGB, 12 bits in,
// RGBA8 out. Every work-item does one 2x2 quad.
//
//      R  G
//      G  B

typedef struct {
	int black;
	int gain_r, gain_g, gain_b;	/* 8.8 */
} wb_t;

static inline int raw(__global const ushort *in, int x, int y, int w, int h)
{
	/* mirror without repeating the edge, keeps the colour of the site */
	x = x < 0 ? -x : x;
	y = y < 0 ? -y : y;
	x = x >= w ? 2 * w - 2 - x : x;
	y = y >= h ? 2 * h - 2 - y : y;
	return in[y * w + x];
}

static inline uchar4 finish(int3 c16, const wb_t *wb)
{
	/* c16: colours times 16 */
	int3 c = max((c16 >> 4) - wb->black, 0);
	c *= (int3)(wb->gain_r, wb->gain_g, wb->gain_b);
	c >>= 8 + 4;			/* 12 bits -> 8 bits */
	return (uchar4)(convert_uchar3_sat(c), 255);
}

__kernel void demosaic_rggb(__global const ushort *in,
			    __global uchar4 *out,
			    int w, int h,
			    int black, int gain_r, int gain_g, int gain_b)
{
	const int x0 = 2 * get_global_id(0);
	const int y0 = 2 * get_global_id(1);
	int n[6][6];
	wb_t wb;

	if (x0 >= w || y0 >= h)
		return;

	wb.black = black;
	wb.gain_r = gain_r;
	wb.gain_g = gain_g;
	wb.gain_b = gain_b;

	for (int j = 0; j < 6; j++)
		for (int i = 0; i < 6; i++)
			n[j][i] = raw(in, x0 + i - 2, y0 + j - 2, w, h);

	for (int j = 0; j < 2; j++) {
		for (int i = 0; i < 2; i++) {
			const int cx = i + 2, cy = j + 2;
			const int c = n[cy][cx];
			const int hor = n[cy][cx - 1] + n[cy][cx + 1];
			const int ver = n[cy - 1][cx] + n[cy + 1][cx];
			const int hor2 = n[cy][cx - 2] + n[cy][cx + 2];
			const int ver2 = n[cy - 2][cx] + n[cy + 2][cx];
			const int diag = n[cy - 1][cx - 1] + n[cy - 1][cx + 1] +
					 n[cy + 1][cx - 1] + n[cy + 1][cx + 1];
			/* the four estimates, times 16 */
			const int green = 8 * c + 4 * (hor + ver) - 2 * (hor2 + ver2);
			const int along = 10 * c + 8 * hor - 2 * diag - 2 * hor2 + ver2;
			const int cross = 10 * c + 8 * ver - 2 * diag - 2 * ver2 + hor2;
			const int oppo = 12 * c + 4 * diag - 3 * (hor2 + ver2);
			int3 rgb;

			switch (j * 2 + i) {
			case 0:  rgb = (int3)(16 * c, green, oppo); break;
			case 1:  rgb = (int3)(along, 16 * c, cross); break;
			case 2:  rgb = (int3)(cross, 16 * c, along); break;
			default: rgb = (int3)(oppo, green, 16 * c); break;
			}
			out[(y0 + j) * w + x0 + i] = finish(rgb, &wb);
		}
	}
}
