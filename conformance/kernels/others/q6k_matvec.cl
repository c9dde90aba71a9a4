// @ mul_mat_vec_q6_k 65536|2097152 32 u8:3407872|436207616 f16:16384|2097152:-0.01..0.01 i8:2048|8192:-127..128 f32:8|32:0.001..0.01 >f32:2048|65536 2048|8192
//
// y = W x, W in 6 bit "k-quants": super-blocks of 256 weights = 16 sub-blocks
// with a signed 8 bit scale each and one half scale for all. x was quantised
// to 8 bits in blocks of 256. A row per work-group of 32, 16 work-items for one
// super-block.

#define QK_K 256
#define WG   32

typedef struct __attribute__((packed)) {
	uchar ql[QK_K / 2];	/* lower 4 bits */
	uchar qh[QK_K / 4];	/* upper 2 bits */
	char  scales[QK_K / 16];
} block_q6_K;

#define HI2(h, s) convert_int4((((h) >> (uchar)(s)) & (uchar)3) << (uchar)4)

inline int idot4(int4 q, int4 v)
{
	int4 p = (q - 32) * v;
	return p.x + p.y + p.z + p.w;
}

__kernel void mul_mat_vec_q6_k(__global const block_q6_K *w,
			       __global const half *wd,
			       __global const char *xq,
			       __global const float *xd,
			       __global float *y,
			       const int ncols)
{
	__local float tmp[WG];

	const int row = get_group_id(0);
	const int tid = get_local_id(0);
	const int nb = ncols / QK_K;

	const int it = tid % 16;	/* within the super-block */
	const int im = it / 8;		/* which half of it */
	const int l0 = 4 * (it % 8);
	const int is = l0 / 16;

	float sum = 0.0f;

	for (int ib = tid / 16; ib < nb; ib += WG / 16) {
		const int blk = row * nb + ib;
		__global const block_q6_K *b = w + blk;

		const uchar4 la = vload4(0, b->ql + 64 * im + l0);
		const uchar4 lb = vload4(0, b->ql + 64 * im + l0 + 32);
		const uchar4 h  = vload4(0, b->qh + 32 * im + l0);
		__global const char *sc = b->scales + 8 * im + is;
		__global const char *v = xq + ib * QK_K + 128 * im + l0;

		const int4 q0 = convert_int4(la & (uchar)0xF) | HI2(h, 0);
		const int4 q1 = convert_int4(lb & (uchar)0xF) | HI2(h, 2);
		const int4 q2 = convert_int4(la >> (uchar)4)  | HI2(h, 4);
		const int4 q3 = convert_int4(lb >> (uchar)4)  | HI2(h, 6);

		int isum = 0;
		isum += sc[0] * idot4(q0, convert_int4(vload4(0, v)));
		isum += sc[2] * idot4(q1, convert_int4(vload4(0, v + 32)));
		isum += sc[4] * idot4(q2, convert_int4(vload4(0, v + 64)));
		isum += sc[6] * idot4(q3, convert_int4(vload4(0, v + 96)));

		sum += vload_half(blk, wd) * xd[ib] * isum;
	}

	tmp[tid] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int s = WG / 2; s > 0; s >>= 1) {
		if (tid < s)
			tmp[tid] += tmp[tid + s];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (tid == 0)
		y[row] = tmp[0];
}
