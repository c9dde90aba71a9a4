// @ sha3_merkle_level 4096|262144 64 u64:32768|2097152 >u64:16384|1048576
/*
 * One level of a Merkle tree over SHA3-256: every node is the hash of the two
 * 32-byte hashes below it.
 */
typedef ulong u64;

__constant u64 RC[24] = {
    0x0000000000000001UL, 0x0000000000008082UL, 0x800000000000808aUL,
    0x8000000080008000UL, 0x000000000000808bUL, 0x0000000080000001UL,
    0x8000000080008081UL, 0x8000000000008009UL, 0x000000000000008aUL,
    0x0000000000000088UL, 0x0000000080008009UL, 0x000000008000000aUL,
    0x000000008000808bUL, 0x800000000000008bUL, 0x8000000000008089UL,
    0x8000000000008003UL, 0x8000000000008002UL, 0x8000000000000080UL,
    0x000000000000800aUL, 0x800000008000000aUL, 0x8000000080008081UL,
    0x8000000000008080UL, 0x0000000080000001UL, 0x8000000080008008UL
};

__constant uchar RHO[24] = {
     1,  3,  6, 10, 15, 21, 28, 36, 45, 55,  2, 14,
    27, 41, 56,  8, 25, 43, 62, 18, 39, 61, 20, 44
};

__constant uchar PI[24] = {
    10,  7, 11, 17, 18, 3,  5, 16,  8, 21, 24, 4,
    15, 23, 19, 13, 12, 2, 20, 14, 22,  9,  6, 1
};

static void keccak_f1600(u64 *st)
{
    u64 c[5];

    for (int round = 0; round < 24; ++round) {
        /* theta */
        for (int x = 0; x < 5; ++x)
            c[x] = st[x] ^ st[x + 5] ^ st[x + 10] ^ st[x + 15] ^ st[x + 20];
        for (int x = 0; x < 5; ++x) {
            u64 d = c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], (u64)1);
            for (int y = 0; y < 25; y += 5)
                st[x + y] ^= d;
        }

        /* rho and pi */
        u64 t = st[1];
        for (int i = 0; i < 24; ++i) {
            int j = PI[i];
            u64 s = st[j];
            st[j] = rotate(t, (u64)RHO[i]);
            t = s;
        }

        /* chi */
        for (int y = 0; y < 25; y += 5) {
            for (int x = 0; x < 5; ++x)
                c[x] = st[y + x];
            for (int x = 0; x < 5; ++x)
                st[y + x] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5]);
        }

        /* iota */
        st[0] ^= RC[round];
    }
}

__kernel void sha3_merkle_level(__global const u64 *children, __global u64 *parents)
{
    const size_t node = get_global_id(0);
    u64 st[25];

    for (int i = 0; i < 8; ++i)
        st[i] = children[node * 8 + i];
    st[8] = 0x06;                       /* SHA-3 domain bits and first pad bit */
    for (int i = 9; i < 25; ++i)
        st[i] = 0;
    st[16] = 0x8000000000000000UL;      /* last bit of the rate */

    keccak_f1600(st);

    for (int i = 0; i < 4; ++i)
        parents[node * 4 + i] = st[i];
}
