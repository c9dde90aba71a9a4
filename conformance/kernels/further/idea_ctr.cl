// @ idea_ctr 131072|4194304 64 u8:2097152|67108864 u16:16384|524288 u32:4096|131072 >u8:2097152|67108864

// IDEA in counter mode for a batch of sessions: a work-group has a session of its own key
// (expanded in local memory) and nonce, a work-item two blocks of 64 bits.

typedef ushort u16_t;

#define ROUNDS  8
#define SUBKEYS (6 * ROUNDS + 4)
#define BLOCKS_PER_ITEM 2

// modulo 65537, 0 stands for 65536
u16_t mul(u16_t a, u16_t b)
{
    const uint p = (uint)a * b;
    if (p == 0)
        return (u16_t)(1 - a - b);
    const u16_t lo = (u16_t)p, hi = (u16_t)(p >> 16);
    return (u16_t)(lo - hi + (lo < hi ? 1 : 0));
}

ushort4 encrypt_block(ushort4 x, __local const u16_t *k)
{
    for (int r = 0; r < ROUNDS; r++, k += 6) {
        x.x = mul(x.x, k[0]);
        x.y += k[1];
        x.z += k[2];
        x.w = mul(x.w, k[3]);

        const u16_t t1 = mul(x.x ^ x.z, k[4]);
        const u16_t t2 = mul((u16_t)((x.y ^ x.w) + t1), k[5]);
        const u16_t t3 = t1 + t2;

        x.x ^= t2;
        x.w ^= t3;
        const u16_t swap = x.y ^ t3;
        x.y = x.z ^ t2;
        x.z = swap;
    }
    // the last swap is undone
    return (ushort4)(mul(x.x, k[0]), (u16_t)(x.z + k[1]), (u16_t)(x.y + k[2]), mul(x.w, k[3]));
}

__kernel void idea_ctr(__global const ushort4 *text,
                       __global const u16_t *keys,
                       __global const uint *nonces,
                       __global ushort4 *cipher)
{
    __local u16_t sub[SUBKEYS];

    const size_t session = get_group_id(0);
    const uint lid = get_local_id(0);

    // subkey i is 16 bits of the key, rotated left by 25 for each eight
    if (lid < SUBKEYS) {
        const uint bit = ((lid >> 3) * 25 + (lid & 7) * 16) & 127;
        __global const u16_t *key = keys + session * 8;
        const uint pair = (uint)key[bit >> 4] << 16 | key[((bit >> 4) + 1) & 7];
        sub[lid] = (u16_t)((pair << (bit & 15)) >> 16);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint nonce = nonces[session * 2] ^ rotate(nonces[session * 2 + 1], 7u);
    const uint size = get_local_size(0);
    for (uint b = 0; b < BLOCKS_PER_ITEM; b++) {
        const uint counter = b * size + lid;
        const ushort4 c = (ushort4)((u16_t)(nonce >> 16), (u16_t)nonce,
                                    (u16_t)(counter >> 16), (u16_t)counter);
        const size_t at = session * size * BLOCKS_PER_ITEM + counter;
        cipher[at] = text[at] ^ encrypt_block(c, sub);
    }
}
