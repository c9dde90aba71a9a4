// @ decode_subframes 1024|65536 64 u32:81920|5242880 i32:8192|524288:-1200..1200 u32:8192|524288:2..12 >i32:262144|16777216
//
// FLAC subframes: Rice coded residual (8 partitions) and linear prediction of
// order 8, a subframe of 256 samples per work-item.
//
// Corrupt streams are a fact of life, hence the checks for the end of the data
// and the clamp to 24 bits.

#define BLOCK        256
#define ORDER        8
#define PARTITIONS   8
#define WORDS        80
#define QLP_SHIFT    12
#define SAMPLE_MAX   ((1 << 23) - 1)
#define SAMPLE_MIN   (-(1 << 23))

typedef struct {
	__global const uint *data;
	uint   next;		/* next word to be fetched */
	ulong  cache;		/* left aligned */
	uint   avail;		/* bits in the cache */
} bitreader;

static void br_init(bitreader *br, __global const uint *data)
{
	br->data = data;
	br->next = 0;
	br->cache = 0;
	br->avail = 0;
}

static void br_refill(bitreader *br)
{
	while (br->avail <= 32 && br->next < WORDS) {
		br->cache |= (ulong)br->data[br->next++] << (32 - br->avail);
		br->avail += 32;
	}
}

/* n zero bits and a one; false at the end of the data */
static bool br_unary(bitreader *br, uint *n)
{
	*n = 0;
	for (;;) {
		br_refill(br);
		if (br->avail == 0)
			return false;
		if (br->cache == 0) {
			*n += br->avail;
			br->avail = 0;
			continue;
		}
		uint zeros = (uint)clz(br->cache);
		*n += zeros;
		br->cache <<= zeros;
		br->cache <<= 1;
		br->avail -= zeros + 1;
		return true;
	}
}

static bool br_bits(bitreader *br, uint bits, uint *value)
{
	br_refill(br);
	if (br->avail < bits)
		return false;
	*value = (uint)(br->cache >> (64 - bits));	/* bits is 2 at least */
	br->cache <<= bits;
	br->avail -= bits;
	return true;
}

static bool br_rice(bitreader *br, uint k, int *value)
{
	uint msbs, lsbs;
	if (!br_unary(br, &msbs) || !br_bits(br, k, &lsbs))
		return false;
	uint u = (msbs << k) | lsbs;
	*value = (int)(u >> 1) ^ -(int)(u & 1);		/* zigzag */
	return true;
}

__kernel void decode_subframes(__global const uint *streams,
			       __global const int *coefficients,
			       __global const uint *rice_params,
			       __global int *pcm)
{
	const uint f = get_global_id(0);
	int qlp[ORDER];
	int past[ORDER];
	bitreader br;
	bool good = true;

	br_init(&br, streams + f * WORDS);
	for (int i = 0; i < ORDER; i++) {
		qlp[i] = coefficients[f * ORDER + i];
		past[i] = 0;
	}
	pcm += f * BLOCK;

	for (int p = 0; p < PARTITIONS; p++) {
		const uint k = rice_params[f * PARTITIONS + p];
		for (int i = 0; i < BLOCK / PARTITIONS; i++) {
			int residual = 0;
			if (good)
				good = br_rice(&br, k, &residual);

			long predicted = 0;
			for (int j = 0; j < ORDER; j++)
				predicted += (long)qlp[j] * past[j];
			long s = residual + (predicted >> QLP_SHIFT);
			s = clamp(s, (long)SAMPLE_MIN, (long)SAMPLE_MAX);

			for (int j = ORDER - 1; j > 0; j--)
				past[j] = past[j - 1];
			past[0] = (int)s;
			*pcm++ = (int)s;
		}
	}
}
