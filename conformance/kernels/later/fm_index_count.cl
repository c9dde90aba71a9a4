// @ rank_blocks 4096|1048576 256 u64:8192|2097152 zeros:u16:16384|4194304 zeros:u32:64|16384
// @ rank_superblocks 256 256 #2 zeros:u32:8 16u|4096u
// @ count_patterns 16384|2097152 128 #0 #1 #2 #3 u64:16384|2097152 >u32:32768|4194304 4096u|1048576u

/*
 * Backward search in an FM-index of DNA.  The Burrows-Wheeler transform is
 * kept as two bit planes, 64 bases per block; ranks are sums of superblocks
 * (256 blocks), blocks (16 bits, within the superblock), and a popcount.
 */

#define SUPER 256
#define PATTERN 28

kernel void rank_blocks(global const ulong2 *bwt, global ushort4 *block_rank, global uint4 *super_count)
{
	local uint4 sums[SUPER];
	const uint lid = get_local_id(0);
	const size_t block = get_global_id(0);

	const ulong2 planes = bwt[block];
	const uint4 own = (uint4)(popcount(~planes.y & ~planes.x), popcount(~planes.y & planes.x),
	                          popcount(planes.y & ~planes.x), popcount(planes.y & planes.x));
	sums[lid] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint d = 1; d < SUPER; d <<= 1) {
		uint4 t = lid >= d ? sums[lid - d] : (uint4)(0);
		barrier(CLK_LOCAL_MEM_FENCE);
		sums[lid] += t;
		barrier(CLK_LOCAL_MEM_FENCE);
	}

	block_rank[block] = convert_ushort4(sums[lid] - own);
	if (lid == SUPER - 1)
		super_count[block / SUPER] = sums[lid];
}

/* One work-group: counts of superblocks become ranks; and where the rows of
   the suffixes that begin with each base start. */
kernel void rank_superblocks(global uint4 *super_rank, global uint4 *first, uint n)
{
	local uint4 sums[SUPER];
	const uint lid = get_local_id(0);
	const uint each = (n + SUPER - 1) / SUPER;
	const uint begin = min(lid * each, n);
	const uint end = min(begin + each, n);

	uint4 sum = (uint4)(0);
	for (uint i = begin; i < end; i++)
		sum += super_rank[i];
	sums[lid] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint d = 1; d < SUPER; d <<= 1) {
		uint4 t = lid >= d ? sums[lid - d] : (uint4)(0);
		barrier(CLK_LOCAL_MEM_FENCE);
		sums[lid] += t;
		barrier(CLK_LOCAL_MEM_FENCE);
	}

	uint4 running = sums[lid] - sum;
	for (uint i = begin; i < end; i++) {
		const uint4 c = super_rank[i];
		super_rank[i] = running;
		running += c;
	}
	if (lid == 0) {
		const uint4 all = sums[SUPER - 1];
		first[0] = (uint4)(0, all.x, all.x + all.y, all.x + all.y + all.z);
	}
}

uint occurrences(global const ulong2 *bwt, global const ushort *block_rank,
                 global const uint *super_rank, uint n_blocks, uint base, uint row)
{
	const uint block = min(row >> 6, n_blocks - 1);
	const uint rest = row - (block << 6);		/* 64 at the very end */
	const ulong2 planes = bwt[block];
	ulong hits = (base & 1 ? planes.x : ~planes.x) & (base & 2 ? planes.y : ~planes.y);
	if (rest < 64)
		hits &= (1UL << rest) - 1;
	return super_rank[block / SUPER * 4 + base] + block_rank[block * 4 + base] + (uint)popcount(hits);
}

kernel void count_patterns(global const ulong2 *bwt, global const ushort *block_rank,
                           global const uint *super_rank, global const uint *first,
                           global const ulong *patterns, global uint2 *found, uint n_blocks)
{
	const size_t id = get_global_id(0);
	ulong pattern = patterns[id];
	uint low = 0;
	uint high = n_blocks * 64;
	uint matched = 0;

	/* extend to the left while there are occurrences */
	while (matched < PATTERN) {
		const uint base = pattern & 3;
		const uint l = first[base] + occurrences(bwt, block_rank, super_rank, n_blocks, base, low);
		const uint h = first[base] + occurrences(bwt, block_rank, super_rank, n_blocks, base, high);
		if (l >= h)
			break;
		low = l;
		high = h;
		pattern >>= 2;
		matched++;
	}
	found[id] = (uint2)(matched, high - low);
}
