// @ q6_revenue 16384|2097152 128 u32:196608|25165824 u32:65536|8388608 u32:98304|12582912 u32:180224|23068672 i32:2048:100..100000 >i64:256|32768 1000u 2024u 5u 7u 24u
//
// TPC-H query 6 on bit-packed columns: date (12 bits), discount in percent (4),
// quantity (6) and extended price, 11 bit codes of a dictionary.  A work-item
// has 32 consecutive rows, which fill W words in a column of W bits.  Filters
// make a mask of the rows; only for those that remain prices are decoded.

#define DATE_BITS      12u
#define DISCOUNT_BITS  4u
#define QUANTITY_BITS  6u
#define PRICE_BITS     11u
#define GROUP          128

inline uint unpack(__global const uint *words, uint bits, uint i)
{
    const uint at = i * bits;
    const uint shift = at & 31u;
    __global const uint *w = words + (at >> 5);

    uint v = w[0] >> shift;
    if (shift + bits > 32u)
        v |= w[1] << (32u - shift);
    return v & ((1u << bits) - 1u);
}

inline uint rows_between(__global const uint *words, uint bits, uint lo, uint hi)
{
    uint mask = 0;
    for (uint i = 0; i < 32; ++i) {
        const uint v = unpack(words, bits, i);
        mask |= (uint)(v >= lo && v <= hi) << i;
    }
    return mask;
}

__kernel void q6_revenue(__global const uint *dates,
                         __global const uint *discounts,
                         __global const uint *quantities,
                         __global const uint *price_codes,
                         __global const int *price_cents,
                         __global long *partial,
                         uint date_from, uint date_to,
                         uint discount_from, uint discount_to,
                         uint quantity_below)
{
    __local long revenue[GROUP];
    __local uint matches[GROUP];

    const size_t pack = get_global_id(0);
    const uint lid = get_local_id(0);
    __global const uint *discount = discounts + pack * DISCOUNT_BITS;
    __global const uint *code = price_codes + pack * PRICE_BITS;

    uint mask = rows_between(discount, DISCOUNT_BITS, discount_from, discount_to);
    if (mask)
        mask &= rows_between(dates + pack * DATE_BITS, DATE_BITS, date_from, date_to - 1);
    if (mask)
        mask &= rows_between(quantities + pack * QUANTITY_BITS, QUANTITY_BITS,
                             0, quantity_below - 1);

    long sum = 0;
    matches[lid] = popcount(mask);
    while (mask != 0) {
        const uint i = 31u - clz(mask & (0u - mask));
        mask &= mask - 1u;
        sum += (long)price_cents[unpack(code, PRICE_BITS, i)] * unpack(discount, DISCOUNT_BITS, i);
    }
    revenue[lid] = sum;

    for (uint half_width = GROUP / 2; half_width > 0; half_width >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < half_width) {
            revenue[lid] += revenue[lid + half_width];
            matches[lid] += matches[lid + half_width];
        }
    }

    if (lid == 0) {
        partial[2 * get_group_id(0)] = revenue[0];
        partial[2 * get_group_id(0) + 1] = matches[0];
    }
}
