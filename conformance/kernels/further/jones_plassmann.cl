// @ colour_round 65536|2097152 128 u32:1048576|33554432:0..65536|2097152 u8:65536|2097152:0..64 u32:65536|2097152 >u8:65536|2097152 12345u

// One round of Jones and Plassmann's graph colouring. Vertices have 16 neighbours; colours
// are from 1 to 32, 0 and all above 32 mean none yet. A vertex without a colour whose
// priority is greatest among its uncoloured neighbours takes the least colour that none of
// its neighbours has. Priorities are hashes, with the vertex number against ties.

#define DEGREE  16
#define NONE    0
#define COLOURS 32

typedef struct {
    uint forbidden;             // bit c - 1 for colour c
    bool greatest;
} Verdict;

inline uint priority_hash(uint seed, uint vertex)
{
    uint h = vertex * 0xcc9e2d51u ^ seed;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ h >> 16;
}

inline bool beats(uint h, uint v, uint other_h, uint other)
{
    return h != other_h ? h > other_h : v >= other;
}

inline void visit(Verdict *verdict, uint v, uint h, uint n,
                  __global const uchar *colours, __global const uint *weights, uint seed)
{
    const uint c = colours[n];
    if (c != NONE && c <= COLOURS)
        verdict->forbidden |= 1u << (c - 1);
    else if (n != v)
        verdict->greatest = verdict->greatest && beats(h, v, priority_hash(seed, n) + weights[n], n);
}

__kernel void colour_round(__global const uint4 *neighbours,
                           __global const uchar *colours,
                           __global const uint *weights,
                           __global uchar *next,
                           const uint seed)
{
    const uint v = get_global_id(0);
    const uint own = colours[v];
    if (own != NONE && own <= COLOURS) {
        next[v] = (uchar)own;
        return;
    }

    const uint h = priority_hash(seed, v) + weights[v];
    Verdict verdict = { 0, true };
    for (uint i = 0; i < DEGREE / 4; i++) {
        const uint4 n = neighbours[(size_t)v * (DEGREE / 4) + i];
        visit(&verdict, v, h, n.x, colours, weights, seed);
        visit(&verdict, v, h, n.y, colours, weights, seed);
        visit(&verdict, v, h, n.z, colours, weights, seed);
        visit(&verdict, v, h, n.w, colours, weights, seed);
    }

    uchar chosen = NONE;
    if (verdict.greatest && verdict.forbidden != ~0u)
        chosen = (uchar)(1 + popcount(verdict.forbidden & ~(verdict.forbidden + 1)));
    next[v] = chosen;
}
