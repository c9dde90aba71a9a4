// @ radix_count 16384|1048576 256 u32:262144|16777216 >u32:16384|1048576 8
/* Counting pass of an LSD radix sort with 8-bit digits.
 *
 * A group counts 4096 keys (16 per work-item). Four sub-histograms, selected
 * by the low bits of the local id, take the edge off contended atomics. The
 * result is stored digit-major so that one linear scan gives the offsets. */

#define DIGITS          256
#define SUB             4
#define VECS_PER_ITEM   4

__kernel void radix_count(const __global uint4* keys, __global uint* counts, const int shift)
{
	__local uint hist[SUB * DIGITS];

	const uint lid = get_local_id(0);
	const uint group = get_group_id(0);
	const uint lsize = get_local_size(0);

	for(uint i = lid; i < SUB * DIGITS; i += lsize)
		hist[i] = 0;

	barrier(CLK_LOCAL_MEM_FENCE);

	__local uint* mine = hist + (lid & (SUB - 1)) * DIGITS;
	const __global uint4* p = keys + group * lsize * VECS_PER_ITEM + lid;

	for(int v = 0; v < VECS_PER_ITEM; ++v)
	{
		uint4 d = (p[v * lsize] >> (uint)shift) & (uint4)(DIGITS - 1);
		atomic_inc(&mine[d.x]);
		atomic_inc(&mine[d.y]);
		atomic_inc(&mine[d.z]);
		atomic_inc(&mine[d.w]);
	}

	barrier(CLK_LOCAL_MEM_FENCE);

	for(uint d = lid; d < DIGITS; d += lsize)
	{
		uint sum = 0;
		for(int s = 0; s < SUB; ++s)
			sum += hist[s * DIGITS + d];
		counts[d * get_num_groups(0) + group] = sum;
	}
}
