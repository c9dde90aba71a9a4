// @ hough_lines 16384|65536 256 u32:16384|524288 >u32:4096|16384 16384|524288
//
// Hough transform for lines. Points of edges come as two halves of a word, 9 bits are used
// of each. A work-group votes for one angle, in local memory, and writes the 64 best cells
// that are not below their neighbours: one of each segment of the accumulator.

#define RHO_CELLS  1280
#define RHO_ZERO   512
#define SEGMENTS   64
#define QUARTER    128

/* sin, first quarter, 14 fractional bits */
__constant int sines[QUARTER + 1] = {
        0,   201,   402,   603,   804,  1005,  1205,  1406,  1606,  1806,  2006,  2205,
     2404,  2603,  2801,  2999,  3196,  3393,  3590,  3786,  3981,  4176,  4370,  4563,
     4756,  4948,  5139,  5330,  5520,  5708,  5897,  6084,  6270,  6455,  6639,  6823,
     7005,  7186,  7366,  7545,  7723,  7900,  8076,  8250,  8423,  8595,  8765,  8935,
     9102,  9269,  9434,  9598,  9760,  9921, 10080, 10238, 10394, 10549, 10702, 10853,
    11003, 11151, 11297, 11442, 11585, 11727, 11866, 12004, 12140, 12274, 12406, 12537,
    12665, 12792, 12916, 13039, 13160, 13279, 13395, 13510, 13623, 13733, 13842, 13949,
    14053, 14155, 14256, 14354, 14449, 14543, 14635, 14724, 14811, 14896, 14978, 15059,
    15137, 15213, 15286, 15357, 15426, 15493, 15557, 15619, 15679, 15736, 15791, 15843,
    15893, 15941, 15986, 16029, 16069, 16107, 16143, 16176, 16207, 16235, 16261, 16284,
    16305, 16324, 16340, 16353, 16364, 16373, 16379, 16383, 16384
};

int sine(int angle)
{
	angle &= 4 * QUARTER - 1;
	int a = angle & (2 * QUARTER - 1);
	if (a > QUARTER)
		a = 2 * QUARTER - a;
	return angle < 2 * QUARTER ? sines[a] : -sines[a];
}

__kernel void hough_lines(__global const uint *points, __global uint *peaks, uint n)
{
	__local uint votes[RHO_CELLS];
	const uint lid = get_local_id(0), size = get_local_size(0);
	const int angle = (int)(get_group_id(0) * (2 * QUARTER) / get_num_groups(0));
	const int s = sine(angle), c = sine(angle + QUARTER);

	for (uint i = lid; i < RHO_CELLS; i += size)
		votes[i] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);

	for (uint i = lid; i < n; i += size) {
		const uint p = points[i];
		const int x = p & 511, y = (p >> 16) & 511;
		const int rho = (x * c + y * s + 8192) >> 14;
		atomic_inc(&votes[rho + RHO_ZERO]);
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	if (lid >= SEGMENTS)
		return;
	const uint length = RHO_CELLS / SEGMENTS;
	uint best = 0;
	for (uint k = 0; k < length; k++) {
		const uint cell = lid * length + k;
		const uint v = votes[cell];
		const uint before = cell ? votes[cell - 1] : 0;
		const uint after = cell + 1 < RHO_CELLS ? votes[cell + 1] : 0;
		if (v >= before && v >= after)
			best = max(best, min(v, 0x1fffffu) << 11 | cell);
	}
	peaks[get_group_id(0) * SEGMENTS + lid] = best;
}
