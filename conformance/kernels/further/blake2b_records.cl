// @ blake2b_256 32768|524288 64 u64:1048576|16777216 u8:32768|524288 >u64:131072|2097152
//
// BLAKE2b with digests of 32 bytes, unkeyed, of records of 129 to 256 bytes (two blocks, the
// last one partial). Record words are interleaved in groups of 64 records so that reads of
// neighbours fall together.

#define GROUP 64

__constant ulong blake2b_iv[8] = {
	0x6a09e667f3bcc908UL, 0xbb67ae8584caa73bUL, 0x3c6ef372fe94f82bUL, 0xa54ff53a5f1d36f1UL,
	0x510e527fade682d1UL, 0x9b05688c2b3e6c1fUL, 0x1f83d9abfb41bd6bUL, 0x5be0cd19137e2179UL
};

__constant uchar sigma[12][16] = {
	{  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15 },
	{ 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3 },
	{ 11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4 },
	{  7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8 },
	{  9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13 },
	{  2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9 },
	{ 12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11 },
	{ 13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10 },
	{  6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5 },
	{ 10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0 },
	{  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15 },
	{ 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3 }
};

#define ROTR64(x, n) rotate((x), (ulong)(64 - (n)))

#define G(r, i, a, b, c, d)                     \
	do {                                        \
		a += b + m[sigma[r][2 * (i)]];          \
		d = ROTR64(d ^ a, 32);                  \
		c += d;                                 \
		b = ROTR64(b ^ c, 24);                  \
		a += b + m[sigma[r][2 * (i) + 1]];      \
		d = ROTR64(d ^ a, 16);                  \
		c += d;                                 \
		b = ROTR64(b ^ c, 63);                  \
	} while (0)

static void compress(ulong h[8], const ulong m[16], ulong counter, ulong last)
{
	ulong v[16];
	for (int i = 0; i < 8; i++) {
		v[i] = h[i];
		v[i + 8] = blake2b_iv[i];
	}
	v[12] ^= counter;
	v[14] ^= last;

	for (int r = 0; r < 12; r++) {
		G(r, 0, v[0], v[4], v[8], v[12]);
		G(r, 1, v[1], v[5], v[9], v[13]);
		G(r, 2, v[2], v[6], v[10], v[14]);
		G(r, 3, v[3], v[7], v[11], v[15]);
		G(r, 4, v[0], v[5], v[10], v[15]);
		G(r, 5, v[1], v[6], v[11], v[12]);
		G(r, 6, v[2], v[7], v[8], v[13]);
		G(r, 7, v[3], v[4], v[9], v[14]);
	}
	for (int i = 0; i < 8; i++)
		h[i] ^= v[i] ^ v[i + 8];
}

__kernel void blake2b_256(__global const ulong *words,
                          __global const uchar *lengths,
                          __global ulong4 *digests)
{
	const size_t id = get_global_id(0);
	__global const ulong *in = words + (id / GROUP) * (GROUP * 32) + id % GROUP;
	const uint length = 129 + (lengths[id] & 127);

	ulong h[8];
	for (int i = 0; i < 8; i++)
		h[i] = blake2b_iv[i];
	h[0] ^= 0x01010000UL ^ 32UL;

	ulong m[16];
	for (int i = 0; i < 16; i++)
		m[i] = in[i * GROUP];
	compress(h, m, 128, 0);

	/* bytes past the end count as zeros */
	uint left = length - 128;
	for (int i = 0; i < 16; i++) {
		ulong w = left > 0 ? in[(16 + i) * GROUP] : 0;
		if (left < 8)
			w &= left ? ~0UL >> (64 - 8 * left) : 0;
		m[i] = w;
		left -= min(left, 8u);
	}
	compress(h, m, length, ~0UL);

	digests[id] = (ulong4)(h[0], h[1], h[2], h[3]);
}
