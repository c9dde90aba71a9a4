// @ poly1305_auth 2048|131072 64 u32:524288|33554432 u32:2048|131072:1..1025 u32:16384|1048576 >u32:8192|524288 2048|131072
/*
 * Poly1305 one-time authenticator for many messages at once, each with its
 * own key. Messages are 1024 bytes apart, of 1 to 1024 bytes.
 * Five limbs of 26 bits, after poly1305-donna-32 (public domain).
 */
#define MAX_MESSAGE 1024
#define M26 0x3ffffffu

typedef struct {
	uint r[5];
	uint s[5];	/* 5 * r */
	uint h[5];
} poly1305_state;

void poly1305_init(poly1305_state *st, uint4 k)
{
	st->r[0] = k.x & 0x3ffffff;
	st->r[1] = (k.x >> 26 | k.y << 6) & 0x3ffff03;
	st->r[2] = (k.y >> 20 | k.z << 12) & 0x3ffc0ff;
	st->r[3] = (k.z >> 14 | k.w << 18) & 0x3f03fff;
	st->r[4] = (k.w >> 8) & 0x00fffff;
	for (int i = 0; i < 5; i++) {
		st->s[i] = st->r[i] * 5;
		st->h[i] = 0;
	}
}

#define MUL(a, b) ((ulong)(a) * (b))

void poly1305_block(poly1305_state *st, uint4 m, uint hibit)
{
	const uint r0 = st->r[0], r1 = st->r[1], r2 = st->r[2], r3 = st->r[3], r4 = st->r[4];
	const uint s1 = st->s[1], s2 = st->s[2], s3 = st->s[3], s4 = st->s[4];

	const uint h0 = st->h[0] + (m.x & M26);
	const uint h1 = st->h[1] + ((m.x >> 26 | m.y << 6) & M26);
	const uint h2 = st->h[2] + ((m.y >> 20 | m.z << 12) & M26);
	const uint h3 = st->h[3] + ((m.z >> 14 | m.w << 18) & M26);
	const uint h4 = st->h[4] + (m.w >> 8 | hibit);

	ulong d0 = MUL(h0, r0) + MUL(h1, s4) + MUL(h2, s3) + MUL(h3, s2) + MUL(h4, s1);
	ulong d1 = MUL(h0, r1) + MUL(h1, r0) + MUL(h2, s4) + MUL(h3, s3) + MUL(h4, s2);
	ulong d2 = MUL(h0, r2) + MUL(h1, r1) + MUL(h2, r0) + MUL(h3, s4) + MUL(h4, s3);
	ulong d3 = MUL(h0, r3) + MUL(h1, r2) + MUL(h2, r1) + MUL(h3, r0) + MUL(h4, s4);
	ulong d4 = MUL(h0, r4) + MUL(h1, r3) + MUL(h2, r2) + MUL(h3, r1) + MUL(h4, r0);

	d1 += d0 >> 26;
	d2 += d1 >> 26;
	d3 += d2 >> 26;
	d4 += d3 >> 26;
	const uint low = ((uint)d0 & M26) + (uint)(d4 >> 26) * 5;
	st->h[0] = low & M26;
	st->h[1] = ((uint)d1 & M26) + (low >> 26);
	st->h[2] = (uint)d2 & M26;
	st->h[3] = (uint)d3 & M26;
	st->h[4] = (uint)d4 & M26;
}

uint4 poly1305_finish(poly1305_state *st, uint4 pad)
{
	uint *h = st->h;
	uint g[5];
	uint c = 0;

	/* full carry, twice */
	for (int k = 0; k < 2; k++) {
		for (int i = 0; i < 5; i++) {
			h[i] += c;
			c = h[i] >> 26;
			h[i] &= M26;
		}
		c *= 5;
	}
	h[0] += c;

	/* h - p, which is taken if it is not negative */
	c = 5;
	for (int i = 0; i < 5; i++) {
		g[i] = h[i] + c;
		c = g[i] >> 26;
		g[i] &= M26;
	}
	const uint take_g = 0u - c;
	for (int i = 0; i < 5; i++)
		h[i] = bitselect(h[i], g[i], take_g);

	const ulong t0 = (ulong)(h[0] | h[1] << 26) + pad.x;
	const ulong t1 = (ulong)(h[1] >> 6 | h[2] << 20) + pad.y + (t0 >> 32);
	const ulong t2 = (ulong)(h[2] >> 12 | h[3] << 14) + pad.z + (t1 >> 32);
	const ulong t3 = (ulong)(h[3] >> 18 | h[4] << 8) + pad.w + (t2 >> 32);
	return (uint4)((uint)t0, (uint)t1, (uint)t2, (uint)t3);
}

__kernel void poly1305_auth(__global const uint4 *messages,
                            __global const uint *lengths,
                            __global const uint4 *keys,
                            __global uint4 *tags,
                            uint count)
{
	const size_t id = get_global_id(0);
	if (id >= count)
		return;

	__global const uint4 *m = messages + id * (MAX_MESSAGE / 16);
	uint left = lengths[id];

	poly1305_state st;
	poly1305_init(&st, keys[2 * id]);
	for (; left >= 16; left -= 16)
		poly1305_block(&st, *m++, 1u << 24);

	if (left > 0) {
		uint last[4] = { 0, 0, 0, 0 };
		__global const uchar *tail = (__global const uchar *)m;
		for (uint i = 0; i < left; i++)
			last[i >> 2] |= (uint)tail[i] << (8 * (i & 3));
		last[left >> 2] |= 1u << (8 * (left & 3));
		poly1305_block(&st, vload4(0, last), 0);
	}
	tags[id] = poly1305_finish(&st, keys[2 * id + 1]);
}
