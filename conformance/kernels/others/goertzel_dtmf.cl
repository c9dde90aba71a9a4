// @ dtmf_detect 8192|524288 64 i16:209920|13434880:-256..256 >u32:1024|65536 1024|65536 205 1000000L
/*
 * DTMF detector, fixed point Goertzel, 8 kHz.
 * 8 work-items per line, one for each of the tones; the first of them then
 * decides about the digit.  PCM is stored sample by sample over all lines.
 */
#define TONES            8
#define LINES_PER_GROUP  8

/* cos(2 pi f / 8000) in Q31 */
__constant int coef[TONES] = {
	1833669510, 1766607061, 1684364823, 1587210069,	/* 697 770 852 941 */
	1249947177, 1069844367,  857509966,  610457346	/* 1209 1336 1477 1633 */
};

__constant char keypad[16] = {
	'1', '2', '3', 'A',
	'4', '5', '6', 'B',
	'7', '8', '9', 'C',
	'*', '0', '#', 'D'
};

__kernel void dtmf_detect(__global const short *pcm, __global uint *digits,
			  int lines, int n, long threshold)
{
	__local long energy[LINES_PER_GROUP][TONES];

	int lid = get_local_id(0);
	int tone = lid % TONES;
	int sub = lid / TONES;
	int line = get_group_id(0) * LINES_PER_GROUP + sub;
	int c = coef[tone];
	int s0, s1 = 0, s2 = 0;
	int i;

	for (i = 0; i < n; i++) {
		/* 2 cos(w) s1; the factor 256 keeps the fraction that mul_hi drops */
		int fb = mul_hi(s1 * 256, c) >> 6;
		s0 = pcm[i * lines + line] + fb - s2;
		s2 = s1;
		s1 = s0;
	}

	long l1 = s1, l2 = s2;
	energy[sub][tone] = l1 * l1 + l2 * l2 - ((l1 * (c >> 15)) >> 15) * l2;
	barrier(CLK_LOCAL_MEM_FENCE);

	if (tone != 0)
		return;

	int row = 0, col = 4;
	for (i = 1; i < 4; i++) {
		if (energy[sub][i] > energy[sub][row])
			row = i;
		if (energy[sub][4 + i] > energy[sub][col])
			col = 4 + i;
	}

	long weaker = min(energy[sub][row], energy[sub][col]);
	uint level = 64 - (uint)clz(weaker);
	uint key = weaker > threshold ? keypad[row * 4 + (col - 4)] : '-';
	digits[line] = (level << 8) | key;
}
