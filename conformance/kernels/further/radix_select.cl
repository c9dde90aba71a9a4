// @ select_kth 8192|1048576 128 f32:262144|33554432:-100..100 u32:64|8192:1..1025 >u32:256|32768 4096
//
// k-th largest of each row of floats, one work-group a row: digits of 8 bits from the top,
// each found from a histogram in local memory of the keys that agree in the digits before.
// A row yields the key, how many keys are greater, how many are equal, and the digits of
// which a histogram was needed.

#define GROUP   128
#define RADIX   256

// order of floats as order of unsigned integers
uint to_key(float f)
{
    const uint u = as_uint(f);
    return u ^ ((uint)(as_int(f) >> 31) | 0x80000000u);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void select_kth(__global const float4 *values, __global const uint *ranks,
                __global uint4 *selected, const uint columns)
{
    __local uint histogram[RADIX];
    __local uint pair_sums[GROUP];
    __local uint digit, above, equal;

    const uint lid = get_local_id(0);
    const size_t row = get_group_id(0);
    __global const float4 *v = values + row * (columns / 4);

    uint rank = min(ranks[row], columns);       // from 1
    uint prefix = 0, mask = 0, greater = 0, matching = columns, passes = 0;

    for (int shift = 24; shift >= 0 && matching > 1; shift -= 8) {
        for (uint i = lid; i < RADIX; i += GROUP)
            histogram[i] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);

        for (uint i = lid; i < columns / 4; i += GROUP) {
            const float4 f = v[i];
            const uint keys[4] = { to_key(f.x), to_key(f.y), to_key(f.z), to_key(f.w) };
#pragma unroll
            for (int k = 0; k < 4; k++)
                if ((keys[k] & mask) == prefix)
                    atomic_inc(&histogram[(keys[k] >> shift) & (RADIX - 1)]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        // suffix sums over pairs of bins: bin 2 * lid and the one after it
        const uint low = histogram[2 * lid], high = histogram[2 * lid + 1];
        pair_sums[lid] = low + high;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint d = 1; d < GROUP; d *= 2) {
            const uint t = lid + d < GROUP ? pair_sums[lid + d] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            pair_sums[lid] += t;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        const uint beyond = pair_sums[lid] - low - high;
        if (beyond < rank && rank <= beyond + high) {
            digit = 2 * lid + 1;
            above = beyond;
            equal = high;
        } else if (beyond + high < rank && rank <= beyond + high + low) {
            digit = 2 * lid;
            above = beyond + high;
            equal = low;
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        prefix |= digit << shift;
        mask |= 0xffu << shift;
        greater += above;
        rank -= above;
        matching = equal;
        passes++;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // with one key left, its other digits are still to be had
    if (mask != ~0u) {
        for (uint i = lid; i < columns; i += GROUP) {
            const uint key = to_key(((__global const float *)v)[i]);
            if ((key & mask) == prefix)
                digit = key;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        prefix = digit;
    }
    if (lid == 0)
        selected[row] = (uint4)(prefix, greater, matching, passes);
}
