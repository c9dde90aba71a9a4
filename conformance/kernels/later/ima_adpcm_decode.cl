// @ ima_adpcm_stereo 256|131072 64 u8:131072|67108864 >i16:258560|132382720 256|131072

// Decoder of the IMA ADPCM of WAV files (format tag 0x11), two channels.
// A block has 512 bytes: a header of 4 bytes for each channel, then, in
// turn, 4 bytes (8 samples) of the left and of the right channel.

#define BLOCK_BYTES 512
#define FRAMES_PER_BLOCK 505

__constant short ima_steps[89] = {
	7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45,
	50, 55, 60, 66, 73, 80, 88, 97, 107, 118, 130, 143, 157, 173, 190, 209, 230,
	253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963,
	1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327,
	3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442,
	11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794,
	32767
};

__constant char ima_index_adjust[8] = { -1, -1, -1, -1, 2, 4, 6, 8 };

struct channel {
	int predictor;
	int index;
};

short ima_expand(struct channel *c, uint nibble)
{
	int step = ima_steps[c->index];
	int diff = step >> 3;

	if (nibble & 4) diff += step;
	if (nibble & 2) diff += step >> 1;
	if (nibble & 1) diff += step >> 2;
	if (nibble & 8) diff = -diff;

	c->predictor = clamp(c->predictor + diff, -32768, 32767);
	c->index = clamp(c->index + ima_index_adjust[nibble & 7], 0, 88);
	return (short)c->predictor;
}

struct channel ima_header(uint word)
{
	struct channel c;
	c.predictor = (short)(word & 0xffff);
	c.index = min((word >> 16) & 0xff, 88u);	/* corrupt files exist */
	return c;
}

kernel void ima_adpcm_stereo(global const uint2 *blocks, global short2 *pcm, int n_blocks)
{
	int b = get_global_id(0);
	if (b >= n_blocks)
		return;

	global const uint2 *in = blocks + b * (BLOCK_BYTES / 8);
	global short2 *out = pcm + (size_t)b * FRAMES_PER_BLOCK;

	struct channel left = ima_header(in[0].x);
	struct channel right = ima_header(in[0].y);
	*out++ = (short2)(left.predictor, right.predictor);

	for (int i = 1; i < BLOCK_BYTES / 8; i++) {
		uint2 word = in[i];
		for (int k = 0; k < 8; k++) {
			short l = ima_expand(&left, word.x & 15);
			short r = ima_expand(&right, word.y & 15);
			*out++ = (short2)(l, r);
			word >>= 4;
		}
	}
}
