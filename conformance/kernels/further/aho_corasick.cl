// @ scan_patterns 4096|524288 128 u8:528384|67633152 u8:256:0..32 u16:8192:0..256 u8:256 >u32:16384|2097152

// Multi-pattern matching with an Aho-Corasick automaton made a DFA: 256 states, 32 classes
// of bytes. Each work-item scans a segment of 128 bytes and a few bytes beyond it, for the
// matches that begin in the segment. A state's `accepts` is the number of the longest of 32
// patterns that ends there, or anything greater.

#define STATES      256
#define CLASSES     32
#define PATTERNS    32
#define SEGMENT     128
#define LOOKAHEAD   8
#define STRIDE      129      // of segments in the text: a newline ends each

typedef struct {
    uint matches;
    uint last;          // offset past the last match, or 0
    uint seen;          // bit set of patterns
    uint digest;
} MatchSummary;

static void record(MatchSummary *m, uint pattern, uint end)
{
    m->matches++;
    m->last = end;
    m->seen |= 1u << pattern;
    m->digest = (m->digest ^ (pattern << 8 | end)) * 16777619u;
}

__kernel void scan_patterns(__global const uchar *text,
                            __global const uchar *classes,
                            __global const ushort *transitions,
                            __global const uchar *accepts,
                            __global MatchSummary *summaries)
{
    __local ushort delta[STATES * CLASSES];
    __local uchar class_of[256];
    __local uchar accept[STATES];

    const uint lid = get_local_id(0);
    for (uint i = lid; i < STATES * CLASSES; i += get_local_size(0))
        delta[i] = transitions[i];
    for (uint i = lid; i < 256; i += get_local_size(0)) {
        class_of[i] = classes[i];
        accept[i] = accepts[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const size_t id = get_global_id(0);
    const size_t start = id * STRIDE;
    const uint beyond = id + 1 < get_global_size(0) ? LOOKAHEAD : 0;
    __global const uchar *s = text + start;

    MatchSummary m = {0, 0, 0, 2166136261u};
    uint state = 0;
    uint i = 0;
    for (; i < SEGMENT; i++) {
        state = delta[state * CLASSES + class_of[s[i]]];
        const uint a = accept[state];
        if (a < PATTERNS)
            record(&m, a, i + 1);
    }
    // the rest only while the automaton is not back in its root
    for (; i < SEGMENT + beyond && state != 0; i++) {
        state = delta[state * CLASSES + class_of[s[i]]];
        const uint a = accept[state];
        if (a < PATTERNS)
            record(&m, a, i + 1);
    }
    summaries[id] = m;
}
