// @ ghash_tags 512|131072 64 u64:2 u64:65536|16777216 u32:512|131072:32..65 >u64:1024|262144

/*
 * GHASH, the authenticator of AES-GCM, over packets of 32 to 64 blocks.
 * Multiplication in GF(2^128) by H with Shoup's tables of 4 bits (16 entries,
 * made by each work-group in local memory), as mbed TLS does it.
 */

typedef struct {
    ulong hi;
    ulong lo;
} gf128;

__constant ushort reduce4[16] = {
    0x0000, 0x1c20, 0x3840, 0x2460, 0x7080, 0x6ca0, 0x48c0, 0x54e0,
    0xe100, 0xfd20, 0xd940, 0xc560, 0x9180, 0x8da0, 0xa9c0, 0xb5e0
};

static ulong load_be64(ulong x)
{
    return as_ulong(as_uchar8(x).s76543210);
}

static void make_table(__local gf128 *table, gf128 h)
{
    table[0].hi = table[0].lo = 0;
    table[8] = h;
    for (int i = 4; i > 0; i >>= 1) {
        const ulong poly = (h.lo & 1) ? 0xe100000000000000UL : 0;
        h.lo = (h.hi << 63) | (h.lo >> 1);
        h.hi = (h.hi >> 1) ^ poly;
        table[i] = h;
    }
    for (int i = 2; i <= 8; i *= 2) {
        for (int j = 1; j < i; j++) {
            table[i + j].hi = table[i].hi ^ table[j].hi;
            table[i + j].lo = table[i].lo ^ table[j].lo;
        }
    }
}

static void shift4(gf128 *z)
{
    const uint rem = (uint)z->lo & 0xf;
    z->lo = (z->hi << 60) | (z->lo >> 4);
    z->hi = (z->hi >> 4) ^ ((ulong)reduce4[rem] << 48);
}

static void add_entry(gf128 *z, __local const gf128 *table, uint nibble)
{
    z->hi ^= table[nibble].hi;
    z->lo ^= table[nibble].lo;
}

static gf128 multiply(gf128 x, __local const gf128 *table)
{
    gf128 z = { 0, 0 };
    for (int i = 0; i < 16; i++) {
        if (i > 0)
            shift4(&z);
        add_entry(&z, table, (uint)(x.lo >> (4 * i)) & 0xf);
    }
    for (int i = 0; i < 16; i++) {
        shift4(&z);
        add_entry(&z, table, (uint)(x.hi >> (4 * i)) & 0xf);
    }
    return z;
}

__kernel void ghash_tags(__global const ulong *subkey,
                         __global const ulong2 *packets,
                         __global const uint *block_counts,
                         __global ulong2 *tags)
{
    __local gf128 table[16];

    if (get_local_id(0) == 0) {
        gf128 h = { load_be64(subkey[0]), load_be64(subkey[1]) };
        make_table(table, h);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const size_t id = get_global_id(0);
    const uint blocks = block_counts[id];
    __global const ulong2 *in = packets + id * 64;

    gf128 y = { 0, 0 };
    for (uint b = 0; b < blocks; b++) {
        const ulong2 x = in[b];
        y.hi ^= load_be64(x.x);
        y.lo ^= load_be64(x.y);
        y = multiply(y, table);
    }

    /* lengths in bits: no additional data */
    y.lo ^= (ulong)blocks * 128;
    y = multiply(y, table);
    tags[id] = (ulong2)(load_be64(y.hi), load_be64(y.lo));
}
