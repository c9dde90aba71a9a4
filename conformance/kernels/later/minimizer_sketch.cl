// @ sketch_reads 2048|131072 64 u8:307200|19660800:4..168 >u64:65536|4194304 2u

/*
 * (w,k)-minimizers of short reads, in the manner of minimap2: of each window
 * of W consecutive k-mers the one with the least hash; k-mers and their
 * reverse complements are the same.
 *
 * A byte of a read is (quality << 2 | base). Bases of a low quality count as
 * N, no k-mer reaches over them.
 */

#define READ_LENGTH 150
#define K           15
#define W           10
#define CAPACITY    31          /* per read; the 32nd word is the number found */
#define KMER_MASK   ((1u << 2 * K) - 1u)

/* invertible hash of 2K bits (Thomas Wang's, restricted to a mask) */
uint hash_kmer(uint kmer)
{
    ulong key = kmer;
    key = (~key + (key << 21)) & KMER_MASK;
    key = key ^ key >> 24;
    key = (key + (key << 3) + (key << 8)) & KMER_MASK;
    key = key ^ key >> 14;
    key = (key + (key << 2) + (key << 4)) & KMER_MASK;
    key = key ^ key >> 28;
    key = (key + (key << 31)) & KMER_MASK;
    return (uint)key;
}

#define POSITION(entry) ((int)((uint)(entry) >> 1))

__kernel void sketch_reads(__global const uchar *reads,
                           __global ulong *sketches,
                           const uint min_quality)
{
    const size_t id = get_global_id(0);
    __global const uchar *read = reads + id * READ_LENGTH;
    __global ulong *sketch = sketches + id * (CAPACITY + 1);

    ulong window[W];            /* hash << 32 | position << 1 | strand */
    ulong least = ULONG_MAX;
    ulong emitted = ULONG_MAX;
    uint forward = 0, reverse = 0;
    int run = 0;                /* of bases without N */
    int slot = 0;
    uint found = 0;

    for (int i = 0; i < READ_LENGTH; ++i) {
        const uint byte = read[i];
        if (byte >> 2 < min_quality) {
            run = 0;
            continue;
        }

        const uint base = byte & 3;
        forward = (forward << 2 | base) & KMER_MASK;
        reverse = reverse >> 2 | (3 - base) << 2 * (K - 1);
        if (++run < K)
            continue;
        if (run == K) {         /* the first k-mer since an N */
            for (int j = 0; j < W; ++j)
                window[j] = ULONG_MAX;
            least = ULONG_MAX;
            slot = 0;
        }

        const uint strand = reverse < forward;
        const ulong entry = upsample(hash_kmer(strand ? reverse : forward),
                                     (uint)(i - K + 1) << 1 | strand);
        window[slot] = entry;
        slot = slot + 1 == W ? 0 : slot + 1;

        if (entry < least) {
            least = entry;
        } else if (POSITION(least) <= POSITION(entry) - W) {
            least = ULONG_MAX;
            for (int j = 0; j < W; ++j)
                least = min(least, window[j]);
        }

        if (run >= K + W - 1 && least != emitted) {
            if (found < CAPACITY)
                sketch[found] = least;
            ++found;
            emitted = least;
        }
    }
    sketch[CAPACITY] = found;
}
