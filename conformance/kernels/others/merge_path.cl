// @ merge_sorted 32768|1048576 128 iota:262144|8388608:3 iota:262144|8388608:5 >u32:524288|16777216 262144|8388608 262144|8388608
//
// Merges two sorted arrays. Each work-item finds by a binary search on its
// diagonal where its 16 outputs start in both of them and merges serially.
//
#define ITEMS 16

uint diagonal_split(__global const uint *a, uint na,
                    __global const uint *b, uint nb,
                    uint diag)
{
    uint lo = diag > nb ? diag - nb : 0;
    uint hi = min(diag, na);

    while (lo < hi)
    {
        uint mid = (lo + hi) >> 1;
        if (a[mid] <= b[diag - 1 - mid])
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

__kernel void merge_sorted(__global const uint *a,
                           __global const uint *b,
                           __global uint *out,
                           int na,
                           int nb)
{
    uint begin = get_global_id(0) * ITEMS;
    uint end = min(begin + ITEMS, (uint)(na + nb));
    if (begin >= end)
        return;

    uint i = diagonal_split(a, na, b, nb, begin);
    uint j = begin - i;

    for (uint k = begin; k < end; ++k)
    {
        bool take_a = j >= nb || (i < na && a[i] <= b[j]);
        out[k] = take_a ? a[i++] : b[j++];
    }
}
