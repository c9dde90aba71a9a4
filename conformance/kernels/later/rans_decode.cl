// @ rans_build_slots 256 256 u16:256:1..1000 zeros:u32:4096
// @ rans_decode 1024|131072 64 u16:393216|50331648 #1 >u32:131072|16777216 local:16384 384u 512u

/* rANS decoder: 8 bit symbols, 12 bit probabilities, 32 bit states which are
   refilled with 16 bit words.  Every work-item decodes one independent
   stream of two interleaved states. */

#define PROB_BITS 12
#define SLOTS     (1 << PROB_BITS)
#define RANS_LOW  (1u << 16)

/* slot entry: symbol | frequency << 8 | (slot - start) << 20 */
#define ENTRY(sym, freq, bias) ((sym) | (freq) << 8 | (bias) << 20)

kernel void rans_build_slots(global const ushort *counts, global uint *slots)
{
    local uint sums[256];
    const uint s = get_local_id(0);
    const uint own = counts[s];

    sums[s] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 256; d *= 2) {
        uint add = s >= d ? sums[s - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[s] += add;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    /* every symbol gets one slot, the others are shared out in proportion */
    const uint total = sums[255];
    const uint start = s + (sums[s] - own) * (SLOTS - 256) / total;
    const uint end = s + 1 + sums[s] * (SLOTS - 256) / total;
    for (uint i = start; i < end; i++)
        slots[i] = ENTRY(s, end - start, i - start);
}

typedef struct {
    global const ushort *next;
    global const ushort *end;
} word_reader;

uint read_word(word_reader *r)
{
    return r->next < r->end ? *r->next++ : 0;
}

uint rans_start(word_reader *r)
{
    uint low = read_word(r);
    return (read_word(r) << 16 | low) | RANS_LOW;
}

uint rans_symbol(uint *state, local const uint *slots, word_reader *r)
{
    const uint x = *state;
    const uint e = slots[x & (SLOTS - 1)];
    uint y = ((e >> 8) & 0xfff) * (x >> PROB_BITS) + (e >> 20);
    if (y < RANS_LOW)
        y = y << 16 | read_word(r);
    *state = y;
    return e & 0xff;
}

kernel void rans_decode(global const ushort *streams, global const uint *table,
                        global uint *symbols, local uint *slots,
                        uint stream_words, uint block_symbols)
{
    for (uint i = get_local_id(0); i < SLOTS; i += get_local_size(0))
        slots[i] = table[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    const size_t id = get_global_id(0);
    word_reader r;
    r.next = streams + id * stream_words;
    r.end = r.next + stream_words;

    uint a = rans_start(&r);
    uint b = rans_start(&r);
    global uint *out = symbols + id * (block_symbols / 4);
    for (uint i = 0; i < block_symbols / 4; i++) {
        uint quad = rans_symbol(&a, slots, &r);
        quad |= rans_symbol(&b, slots, &r) << 8;
        quad |= rans_symbol(&a, slots, &r) << 16;
        quad |= rans_symbol(&b, slots, &r) << 24;
        out[i] = quad;
    }
}
