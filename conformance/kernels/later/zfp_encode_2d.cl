// @ zfp_encode2 128x64|1024x1024 8x8 f32:131072|16777216:-1..1 >u64:16384|2097152 512|4096 128|1024

/* Fixed-rate ZFP compression of two-dimensional float arrays, 128 bits for
 * each block of 4x4 (8 bits per value). After P. Lindstrom, "Fixed-Rate
 * Compressed Floating-Point Arrays", 2014. */

#define BLOCK_BITS 128
#define EXP_BIAS   127
#define NEG_MASK   0xaaaaaaaau

__constant uchar sequency_order[16] = {
	0, 1, 4, 5, 2, 8, 6, 9, 3, 12, 10, 7, 13, 11, 14, 15
};

typedef struct {
	ulong word[2];
	int position;
} bit_writer;

void put_bit(bit_writer *w, uint bit)
{
	w->word[w->position >> 6] |= (ulong)bit << (w->position & 63);
	w->position++;
}

/* n <= 16; surplus bits of the value are returned, shifted down */
uint put_bits(bit_writer *w, uint value, int n)
{
	const int at = w->position & 63;
	const ulong v = value & ((1u << n) - 1u);

	if (n > 0) {
		w->word[w->position >> 6] |= v << at;
		if (at + n > 64)
			w->word[(w->position >> 6) + 1] |= v >> (64 - at);
		w->position += n;
	}
	return value >> n;
}

/* forward decorrelating lifting step of four values */
void lift(int *p, int s)
{
	int x = p[0], y = p[s], z = p[2 * s], w = p[3 * s];

	x += w; x >>= 1; w -= x;
	z += y; z >>= 1; y -= z;
	x += z; x >>= 1; z -= x;
	w += y; w >>= 1; y -= w;
	w += y >> 1; y -= w >> 1;

	p[0] = x; p[s] = y; p[2 * s] = z; p[3 * s] = w;
}

void encode_planes(bit_writer *w, const uint *data)
{
	int bits = BLOCK_BITS - w->position;
	int n = 0;

	for (int plane = 31; plane >= 0 && bits > 0; plane--) {
		uint x = 0;
		for (int i = 0; i < 16; i++)
			x |= ((data[i] >> plane) & 1u) << i;

		/* the values known to be significant, verbatim */
		const int m = min(n, bits);
		bits -= m;
		x = put_bits(w, x, m);

		/* group tests and unary run lengths for the rest */
		while (n < 16 && bits > 0) {
			bits--;
			put_bit(w, x != 0);
			if (x == 0)
				break;
			while (n < 15 && bits > 0) {
				bits--;
				put_bit(w, x & 1u);
				if (x & 1u)
					break;
				x >>= 1;
				n++;
			}
			x >>= 1;
			n++;
		}
	}
}

__kernel void zfp_encode2(__global const float *field, __global ulong2 *blocks,
                          int pitch, int blocks_per_row)
{
	const int bx = get_global_id(0);
	const int by = get_global_id(1);

	float4 rows[4];
	float4 peak = (float4)(0.0f);
	for (int y = 0; y < 4; y++) {
		rows[y] = vload4(0, field + (by * 4 + y) * pitch + bx * 4);
		peak = fmax(peak, fabs(rows[y]));
	}
	const float largest = fmax(fmax(peak.x, peak.y), fmax(peak.z, peak.w));

	bit_writer w;
	w.word[0] = w.word[1] = 0;
	w.position = 0;

	if (largest < 0x1p-100f) {
		put_bit(&w, 0);
	} else {
		const int exponent = ilogb(largest) + 1;
		const float scale = ldexp(1.0f, 30 - exponent);

		put_bits(&w, 2 * (uint)(exponent + EXP_BIAS) + 1, 9);

		int block[16];
		for (int y = 0; y < 4; y++)
			vstore4(convert_int4(rows[y] * scale), y, block);
		for (int y = 0; y < 4; y++)
			lift(block + 4 * y, 1);
		for (int x = 0; x < 4; x++)
			lift(block + x, 4);

		uint nega[16];
		for (int i = 0; i < 16; i++)
			nega[i] = ((uint)block[sequency_order[i]] + NEG_MASK) ^ NEG_MASK;
		encode_planes(&w, nega);
	}

	blocks[by * blocks_per_row + bx] = (ulong2)(w.word[0], w.word[1]);
}
