// @ decode_segments 2048|131072 64 u8:524288|33554432 u16:64:1..20 >i16:1048576|67108864 256u
//
// Entropy decoder of a JPEG-like format. Every restart segment has the same
// number of bytes (stuffing already removed) and holds up to 8 blocks of 64
// coefficients, run/size coded. The canonical Huffman code is fixed; each
// work-group expands it to a look-up table in local memory.

#define MAX_BITS        12
#define TABLE_SIZE      (1 << MAX_BITS)
#define SEG_BLOCKS      8
#define N_SYMBOLS       71

/* number of codes of each length, complete (Kraft sum is one) */
__constant uchar codes_of_length[MAX_BITS + 1] = { 0, 0, 1, 2, 3, 4, 5, 6, 6, 12, 8, 8, 16 };

/* run << 4 | size in order of the codes; 0x00 is the end of the block */
__constant uchar symbols[N_SYMBOLS] = {
    0x01, 0x02, 0x11, 0x00, 0x03, 0x21, 0x12, 0x04, 0x31, 0x22,
    0x13, 0x05, 0x41, 0x32, 0x23, 0x51, 0x14, 0x06, 0x42, 0x33, 0x61,
    0x24, 0x15, 0x07, 0x71, 0x52, 0x43, 0x34, 0x25, 0x16, 0x08, 0x81,
    0x62, 0x53, 0x44, 0x35, 0x26, 0x17, 0x91, 0x72, 0xa1, 0x63, 0x54,
    0x45, 0x36, 0x27, 0x18, 0x82, 0x73, 0x64, 0x55, 0x46, 0x37, 0x28,
    0xb1, 0x92, 0x83, 0x74, 0x65, 0x56, 0x47, 0x38, 0xc1, 0xa2, 0x93,
    0xd1, 0xe1, 0xf1, 0xf0, 0x66, 0x57
};

__constant uchar zigzag[64] = {
     0,  1,  8, 16,  9,  2,  3, 10, 17, 24, 32, 25, 18, 11,  4,  5,
    12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13,  6,  7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
    58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63
};

typedef struct {
    __global const uchar *next;
    __global const uchar *end;
    ulong acc;              /* left aligned */
    int   have;             /* valid bits of acc */
    int   overrun;          /* zero bits handed out beyond the end */
} bitreader;

static void refill(bitreader *br)
{
    while (br->have <= 56) {
        if (br->next == br->end)
            return;
        br->acc |= (ulong)*br->next++ << (56 - br->have);
        br->have += 8;
    }
}

static uint peek(const bitreader *br, int n)
{
    return (uint)(br->acc >> (64 - n));
}

static void skip(bitreader *br, int n)
{
    br->acc <<= n;
    br->have -= n;
    if (br->have < 0) {
        br->overrun = 1;
        br->have = 0;
    }
}

/* F.12 of the standard */
static int extend(uint v, int size)
{
    return v < (1u << (size - 1)) ? (int)v - (1 << size) + 1 : (int)v;
}

static ushort lookup(uint window)
{
    uint first = 0, index = 0;
    for (int len = 1; len <= MAX_BITS; len++) {
        uint count = codes_of_length[len];
        uint code = window >> (MAX_BITS - len);
        if (code - first < count)
            return (ushort)(len << 8 | symbols[index + code - first]);
        index += count;
        first = (first + count) << 1;
    }
    return 0x0100;          /* not reached, the code is complete */
}

__kernel void decode_segments(__global const uchar *data,
                              __global const ushort *quant,
                              __global short8 *coefs,
                              uint seg_bytes)
{
    __local ushort table[TABLE_SIZE];
    for (uint i = get_local_id(0); i < TABLE_SIZE; i += get_local_size(0))
        table[i] = lookup(i);
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint seg = get_global_id(0);
    bitreader br;
    br.next = data + (size_t)seg * seg_bytes;
    br.end = br.next + seg_bytes;
    br.acc = 0;
    br.have = 0;
    br.overrun = 0;

    short block[64];
    int dc = 0;
    for (int b = 0; b < SEG_BLOCKS; b++) {
        for (int i = 0; i < 64; i++)
            block[i] = 0;

        int k = 1;
        while (k < 64 && !br.overrun) {
            refill(&br);
            ushort entry = table[peek(&br, MAX_BITS)];
            skip(&br, entry >> 8);
            int run = (entry >> 4) & 15;
            int size = entry & 15;
            if (size == 0) {
                if (run != 15)
                    break;
                k += 16;
                continue;
            }
            int value = extend(peek(&br, size), size);
            skip(&br, size);
            k += run;
            if (k > 63)
                break;
            int z = zigzag[k++];
            block[z] = convert_short_sat(value * quant[z]);
        }

        /* DC is the difference to the last block, 6 bits plain */
        refill(&br);
        dc += (int)peek(&br, 6) - 32;
        skip(&br, 6);
        block[0] = convert_short_sat(dc * quant[0]);

        __global short8 *to = coefs + ((size_t)seg * SEG_BLOCKS + b) * 8;
        for (int i = 0; i < 8; i++)
            to[i] = vload8(i, block);
    }
}
