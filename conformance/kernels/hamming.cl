// The nearest of some descriptors of 256 bits for each, by the number of bits that differ.
kernel void hamming(global const ulong4 *queries, global const ulong4 *known, global uint2 *matches, uint count)
{
    size_t i = get_global_id(0);
    ulong4 query = queries[i];
    uint best = 257, index = 0;
    for (uint k = 0; k < count; k++) {
        ulong4 bits = popcount(query ^ known[k]);
        uint distance = bits.x + bits.y + bits.z + bits.w;
        if (distance < best) {
            best = distance;
            index = k;
        }
    }
    matches[i] = (uint2)(index, best);
}
