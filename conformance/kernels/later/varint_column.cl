// @ decode_sint64_pages 4096|524288 128 u8:262144|33554432 >i64:262144|33554432

/**
 * Decodes pages of a "packed repeated sint64" column (protobuf varints,
 * zigzag) and writes the values densely. Pages have 8192 bytes, 64 for each
 * work-item; a varint belongs to the work-item that has its last byte. A page
 * has room for 8192 values; unused places keep what they had.
 */

#define PAGE       8192
#define PER_ITEM   64
#define ITEMS      (PAGE / PER_ITEM)
#define MAX_VARINT 10

inline long unzigzag(ulong v)
{
	return (long)(v >> 1) ^ -(long)(v & 1);
}

kernel void decode_sint64_pages(global const uchar *column, global long *values)
{
	local uint words[PAGE / 4];
	local ushort ends[ITEMS];

	const uint lid = get_local_id(0);
	const size_t page = get_group_id(0);
	global const uint *in = (global const uint *)(column + page * PAGE);

	for (uint i = lid; i < PAGE / 4; i += ITEMS)
		words[i] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);

	/* last bytes of varints have a clear top bit */
	uint count = 0;
	for (uint i = 0; i < PER_ITEM / 4; i++)
		count += popcount(~words[lid * (PER_ITEM / 4) + i] & 0x80808080u);
	ends[lid] = (ushort)count;
	barrier(CLK_LOCAL_MEM_FENCE);

	/* exclusive sums: up-sweep and down-sweep (Blelloch) */
	for (uint d = 1; d < ITEMS; d <<= 1) {
		const uint k = (lid + 1) * 2 * d - 1;
		if (k < ITEMS)
			ends[k] += ends[k - d];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (lid == 0)
		ends[ITEMS - 1] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint d = ITEMS / 2; d > 0; d >>= 1) {
		const uint k = (lid + 1) * 2 * d - 1;
		if (k < ITEMS) {
			const ushort t = ends[k - d];
			ends[k - d] = ends[k];
			ends[k] += t;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}

	local const uchar *bytes = (local const uchar *)words;
	const uint begin = lid * PER_ITEM;
	global long *out = values + page * PAGE + ends[lid];

	/* go back to where a varint that reaches into this part begins */
	uint at = begin;
	while (at > 0 && begin - at < MAX_VARINT - 1 && (bytes[at - 1] & 0x80))
		at--;

	ulong value = 0;
	uint shift = 0;
	for (; at < begin + PER_ITEM; at++) {
		const uchar b = bytes[at];
		if (shift < 64)
			value |= (ulong)(b & 0x7f) << shift;
		shift += 7;
		if (!(b & 0x80)) {
			*out++ = unzigzag(value);
			value = 0;
			shift = 0;
		}
	}
}
