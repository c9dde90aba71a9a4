// @ json_index 32768|4194304 64 u8:2097152|268435456:32..127 >u64:32768|4194304
//
// The first stage of simdjson (Langdale & Lemire): for each byte of a JSON
// document a bit that says whether a structural character or a scalar begins
// there. Documents have 4096 bytes, a work-item looks at 64 of them.

#define CHUNK 64
#define EVEN_BITS 0x5555555555555555UL

typedef struct {
    ulong backslash, quote, space, op;
} chunk_masks;

#define LOW7 0x7f7f7f7f7f7f7f7fUL

/* one bit for each of the eight bytes that is equal to c */
static inline ulong eq8(ulong word, uchar c)
{
    const ulong x = word ^ (0x0101010101010101UL * c);
    const ulong nonzero = ((x & LOW7) + LOW7) | x;
    return (((~nonzero & ~LOW7) >> 7) * 0x0102040810204080UL) >> 56;
}

static chunk_masks classify(__global const ulong *words)
{
    chunk_masks m = { 0, 0, 0, 0 };
    for (int i = 0; i < CHUNK / 8; ++i) {
        const ulong w = words[i];
        const ulong curled = w | 0x2020202020202020UL;  /* [ { and ] } */
        const int at = 8 * i;
        m.backslash |= eq8(w, '\\') << at;
        m.quote     |= eq8(w, '"') << at;
        m.space     |= (eq8(w, ' ') | eq8(w, '\n') | eq8(w, '\r') | eq8(w, '\t')) << at;
        m.op        |= (eq8(curled, '{') | eq8(curled, '}') | eq8(w, ':') | eq8(w, ',')) << at;
    }
    return m;
}

/* is the character before text[at] an escaping backslash? */
static uint ends_odd_run(__global const uchar *text, uint at)
{
    uint run = 0;
    while (at > run && text[at - run - 1] == '\\')
        ++run;
    return run & 1;
}

static ulong find_escaped(ulong backslash, ulong carry)
{
    backslash &= ~carry;
    const ulong follows = backslash << 1 | carry;
    const ulong odd_starts = backslash & ~EVEN_BITS & ~follows;
    const ulong even_sequences = odd_starts + backslash;
    return (EVEN_BITS ^ (even_sequences << 1)) & follows;
}

static ulong prefix_xor(ulong x)
{
    for (int s = 1; s < 64; s <<= 1)
        x ^= x << s;
    return x;
}

__kernel void json_index(__global const uchar *text, __global ulong *structurals)
{
    __local uint odd_quotes[2];
    __local uchar scalar_at_end[CHUNK];

    const uint lid = get_local_id(0);
    __global const uchar *document = text + (size_t)get_group_id(0) * CHUNK * CHUNK;

    if (lid < 2)
        odd_quotes[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    const chunk_masks m = classify((__global const ulong *)(document + lid * CHUNK));
    const ulong escaped = find_escaped(m.backslash, ends_odd_run(document, lid * CHUNK));
    const ulong quote = m.quote & ~escaped;
    const ulong scalar = ~(m.op | m.space);
    const ulong plain_scalar = scalar & ~quote;

    if (popcount(quote) & 1)
        atomic_or(&odd_quotes[lid >> 5], 1u << (lid & 31));
    scalar_at_end[lid] = (uchar)(plain_scalar >> 63);
    barrier(CLK_LOCAL_MEM_FENCE);

    const ulong odd = upsample(odd_quotes[1], odd_quotes[0]);
    const ulong before = popcount(odd & ((1UL << lid) - 1)) & 1;
    const ulong in_string = prefix_xor(quote) ^ (0 - before);
    const ulong string_tail = in_string ^ quote;

    const ulong carry = lid > 0 ? scalar_at_end[lid - 1] : 0;
    const ulong scalar_start = scalar & ~(plain_scalar << 1 | carry);
    structurals[get_global_id(0)] = (m.op | scalar_start) & ~string_tail;
}
