// @ sample_top_p 8192|262144 128 i16:524288|67108864:-900..900 u32:64|2048 >u32:256|8192 8192|32768 58982 300
//
// Nucleus (top-p) sampling for a device without trustworthy floating point:
// logits are shorts with 4 fraction bits in base 2, probabilities are 32.0
// fixed point numbers of which the greatest is 2^20. A work-group does a row.
// Results for each row: token, its weight, tokens in the nucleus, cutoff.

#define LANES      128
#define FRAC_BITS  4
#define ONE        (1u << 20)
#define BINS       384          /* 2^-24 and less has no weight */

/* 2^20 * 2^(-i/16) */
__constant uint pow2_frac[16] = {
	1048576, 1004120, 961548, 920782, 881744, 844362, 808564, 774284,
	741455,  710019,  679917, 651091, 623487, 597053, 571740, 547500
};

static uint weight_of(uint delta)
{
	if (delta >= BINS)
		return 0;
	return pow2_frac[delta & 15] >> (delta >> FRAC_BITS);
}

/* delta to the greatest logit after temperature (8.8 reciprocal) */
static uint delta_of(short top, short v, uint inv_temp)
{
	return ((uint)(top - v) * inv_temp) >> 8;
}

static ulong scramble(ulong s)
{
	s += 0x9E3779B97F4A7C15UL;
	s = (s ^ (s >> 30)) * 0xBF58476D1CE4E5B9UL;
	s = (s ^ (s >> 27)) * 0x94D049BB133111EBUL;
	return s ^ (s >> 31);
}

__kernel void sample_top_p(__global const short *logits, __global const uint *seeds,
			   __global uint4 *result, uint vocab, uint p_q16, uint inv_temp)
{
	__local int   top;
	__local uint  bins[BINS];
	__local ulong part[LANES];
	__local ulong draw;
	__local uint  cutoff, kept;

	const uint row = get_group_id(0);
	const uint lid = get_local_id(0);
	__global const short *x = logits + (size_t)row * vocab;

	/* greatest logit */
	if (lid == 0)
		top = SHRT_MIN;
	for (uint b = lid; b < BINS; b += LANES)
		bins[b] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	short best = SHRT_MIN;
	for (uint i = lid; i < vocab; i += LANES)
		best = max(best, x[i]);
	atomic_max(&top, (int)best);
	barrier(CLK_LOCAL_MEM_FENCE);
	best = (short)top;

	/* how many tokens at each distance from it */
	for (uint i = lid; i < vocab; i += LANES) {
		uint d = delta_of(best, x[i], inv_temp);
		if (d < BINS)
			atomic_inc(&bins[d]);
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	/* smallest cutoff that holds the mass p */
	if (lid == 0) {
		ulong total = 0;
		for (uint b = 0; b < BINS; b++)
			total += (ulong)bins[b] * weight_of(b);
		const ulong wanted = (total * p_q16) >> 16;
		ulong mass = 0;
		uint n = 0, b = 0;
		while (b < BINS) {
			mass += (ulong)bins[b] * weight_of(b);
			n += bins[b];
			if (mass >= wanted)
				break;
			b++;
		}
		cutoff = min(b, (uint)BINS - 1);
		kept = n;
		draw = scramble(seeds[row]) % mass;
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	/* kept mass of each lane's share of the row, in order of the tokens */
	const uint share = (vocab + LANES - 1) / LANES;
	const uint first = min(lid * share, vocab);
	const uint last = min(first + share, vocab);
	const uint limit = cutoff;
	ulong mine = 0;
	for (uint i = first; i < last; i++) {
		uint d = delta_of(best, x[i], inv_temp);
		if (d <= limit)
			mine += weight_of(d);
	}
	part[lid] = mine;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint off = 1; off < LANES; off <<= 1) {
		ulong add = lid >= off ? part[lid - off] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		part[lid] += add;
		barrier(CLK_LOCAL_MEM_FENCE);
	}

	/* exactly one lane has the drawn token */
	const ulong hi = part[lid];
	ulong at = hi - mine;
	if (draw >= at && draw < hi) {
		for (uint i = first; i < last; i++) {
			uint d = delta_of(best, x[i], inv_temp);
			if (d > limit)
				continue;
			uint w = weight_of(d);
			at += w;
			if (draw < at) {
				result[row] = (uint4)(i, w, kept, limit);
				break;
			}
		}
	}
}
