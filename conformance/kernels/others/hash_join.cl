// @ join_build 65536|4194304 256 u32:65536|4194304:0..100000|8000000 u32:65536|4194304:0..1000 zeros:u32:131072|8388608 zeros:u32:131072|8388608 131071u|8388607u
// @ join_probe 262144|16777216 256 u32:262144|16777216:0..100000|8000000 u32:262144|16777216:0..50 #2 #3 >u32:524288|33554432 131071u|8388607u 10u
//
// select s.id, count(*), sum(s.qty * r.price) from s join r using (key)
//  where s.qty >= :min group by s.id
//
// Open addressing with linear probing. A slot is free while its key is zero;
// keys are stored plus one. Equal keys take a slot each.

#define FREE_SLOT 0u

static uint hash_key(uint k)
{
	/* Thomas Wang */
	k = (k ^ 61u) ^ (k >> 16);
	k += k << 3;
	k ^= k >> 4;
	k *= 0x27d4eb2du;
	k ^= k >> 15;
	return k;
}

__kernel void join_build(__global const uint *r_key,
			 __global const uint *r_price,
			 __global volatile uint *slot_key,
			 __global uint *slot_price,
			 uint mask)
{
	const size_t row = get_global_id(0);
	const uint key = r_key[row];
	uint slot = hash_key(key) & mask;

	while (atomic_cmpxchg(&slot_key[slot], FREE_SLOT, key + 1u) != FREE_SLOT)
		slot = (slot + 1u) & mask;
	slot_price[slot] = r_price[row];
}

__kernel void join_probe(__global const uint *s_key,
			 __global const uint *s_qty,
			 __global const uint *slot_key,
			 __global const uint *slot_price,
			 __global uint2 *result,
			 uint mask,
			 uint min_qty)
{
	const size_t row = get_global_id(0);
	const uint qty = s_qty[row];
	uint2 agg = (uint2)(0u, 0u);

	if (qty >= min_qty) {
		const uint wanted = s_key[row] + 1u;
		uint slot = hash_key(s_key[row]) & mask;
		uint k;

		while ((k = slot_key[slot]) != FREE_SLOT) {
			if (k == wanted)
				agg += (uint2)(1u, qty * slot_price[slot]);
			slot = (slot + 1u) & mask;
		}
	}
	result[row] = agg;
}
