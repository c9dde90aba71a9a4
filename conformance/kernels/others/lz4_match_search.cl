// @ lz_estimate 1024|65536 64 u8:524288|33554432:0..4 >u32:2048|131072 512u
/*
 * How well would these pages compress?  Runs the greedy parser of an
 * LZ4-like compressor over every page (one page per work-item) without writing
 * the output and returns the number of matches and of bytes.
 */

#define HASH_LOG    7
#define MIN_MATCH   4
#define LAST_BYTES  5
#define NOTHING     0xffff

static uint read32(__global const uchar *p)
{
    return (uint)p[0] | (uint)p[1] << 8 | (uint)p[2] << 16 | (uint)p[3] << 24;
}

static uint hash(uint v)
{
    return (v * 2654435761u) >> (32 - HASH_LOG);
}

/* token, length bytes, literals and the offset */
static uint sequence_size(uint literals, uint match)
{
    uint n = 1 + literals;
    if (literals >= 15)
        n += 1 + (literals - 15) / 255;
    if (match) {
        n += 2;
        if (match - MIN_MATCH >= 15)
            n += 1 + (match - MIN_MATCH - 15) / 255;
    }
    return n;
}

__kernel void lz_estimate(__global const uchar *pages,
                          __global uint2 *result,
                          uint page_size)
{
    uint id = get_global_id(0);
    __global const uchar *src = pages + (size_t)id * page_size;
    ushort table[1 << HASH_LOG];
    uint limit = page_size - LAST_BYTES - MIN_MATCH;
    uint match_end = page_size - LAST_BYTES;
    uint pos = 0, anchor = 0, matches = 0, size = 0;

    for (int i = 0; i < 1 << HASH_LOG; i++)
        table[i] = NOTHING;

    while (pos <= limit) {
        uint v = read32(src + pos);
        uint h = hash(v);
        uint ref = table[h];
        table[h] = (ushort)pos;

        if (ref == NOTHING || read32(src + ref) != v) {
            pos++;
            continue;
        }

        uint len = MIN_MATCH;
        while (pos + len < match_end && src[ref + len] == src[pos + len])
            len++;
        /* and backwards */
        while (pos > anchor && ref > 0 && src[ref - 1] == src[pos - 1]) {
            pos--;
            ref--;
            len++;
        }

        size += sequence_size(pos - anchor, len);
        matches++;
        pos += len;
        anchor = pos;
    }

    size += sequence_size(page_size - anchor, 0);
    result[id] = (uint2)(matches, size);
}
