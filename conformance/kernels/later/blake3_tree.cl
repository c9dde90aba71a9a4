// @ blake3_64k 512|131072 64 u32:131072|33554432 >u32:64|16384
//
// BLAKE3 of 64 KiB inputs. Each work-item compresses one chunk of 1 KiB; the
// work-group then folds its 64 chaining values up the binary tree.

#define CHUNK_WORDS 256
#define CHUNKS 64

#define CHUNK_START 1u
#define CHUNK_END   2u
#define PARENT      4u
#define ROOT        8u

__constant uint IV[8] = {
    0x6A09E667u, 0xBB67AE85u, 0x3C6EF372u, 0xA54FF53Au,
    0x510E527Fu, 0x9B05688Cu, 0x1F83D9ABu, 0x5BE0CD19u
};

#define G(a, b, c, d, x, y)                                     \
    do {                                                        \
        v[a] += v[b] + (x); v[d] = rotate(v[d] ^ v[a], 16u);    \
        v[c] += v[d];       v[b] = rotate(v[b] ^ v[c], 20u);    \
        v[a] += v[b] + (y); v[d] = rotate(v[d] ^ v[a], 24u);    \
        v[c] += v[d];       v[b] = rotate(v[b] ^ v[c], 25u);    \
    } while (0)

#define ROUND(m)                                \
    do {                                        \
        G(0, 4,  8, 12, m[0],  m[1]);           \
        G(1, 5,  9, 13, m[2],  m[3]);           \
        G(2, 6, 10, 14, m[4],  m[5]);           \
        G(3, 7, 11, 15, m[6],  m[7]);           \
        G(0, 5, 10, 15, m[8],  m[9]);           \
        G(1, 6, 11, 12, m[10], m[11]);          \
        G(2, 7,  8, 13, m[12], m[13]);          \
        G(3, 4,  9, 14, m[14], m[15]);          \
    } while (0)

/* message words of the next round */
#define PERMUTE(to, m)                                                  \
    do {                                                                \
        to[0]  = m[2];  to[1]  = m[6];  to[2]  = m[3];  to[3]  = m[10]; \
        to[4]  = m[7];  to[5]  = m[0];  to[6]  = m[4];  to[7]  = m[13]; \
        to[8]  = m[1];  to[9]  = m[11]; to[10] = m[12]; to[11] = m[5];  \
        to[12] = m[9];  to[13] = m[14]; to[14] = m[15]; to[15] = m[8];  \
    } while (0)

static void compress(uint cv[8], uint m[16], ulong counter, uint flags)
{
    uint t[16];
    uint v[16] = {
        cv[0], cv[1], cv[2], cv[3], cv[4], cv[5], cv[6], cv[7],
        IV[0], IV[1], IV[2], IV[3],
        (uint)counter, (uint)(counter >> 32), 64, flags
    };

    ROUND(m); PERMUTE(t, m);
    ROUND(t); PERMUTE(m, t);
    ROUND(m); PERMUTE(t, m);
    ROUND(t); PERMUTE(m, t);
    ROUND(m); PERMUTE(t, m);
    ROUND(t); PERMUTE(m, t);
    ROUND(m);

    for (int i = 0; i < 8; ++i)
        cv[i] = v[i] ^ v[i + 8];
}

__kernel __attribute__((reqd_work_group_size(CHUNKS, 1, 1)))
void blake3_64k(__global const uint *restrict data, __global uint8 *restrict digests)
{
    __local uint tree[CHUNKS][8];

    const uint lid = get_local_id(0);
    __global const uint *chunk = data + get_global_id(0) * CHUNK_WORDS;

    uint cv[8], m[16];
    for (int i = 0; i < 8; ++i)
        cv[i] = IV[i];
    for (uint b = 0; b < 16; ++b) {
        vstore16(vload16(b, chunk), 0, m);
        compress(cv, m, lid, (b == 0 ? CHUNK_START : 0) | (b == 15 ? CHUNK_END : 0));
    }
    for (int i = 0; i < 8; ++i)
        tree[lid][i] = cv[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint nodes = CHUNKS / 2; nodes >= 1; nodes /= 2) {
        if (lid < nodes) {
            for (int i = 0; i < 8; ++i) {
                m[i] = tree[2 * lid][i];
                m[i + 8] = tree[2 * lid + 1][i];
                cv[i] = IV[i];
            }
            compress(cv, m, 0, PARENT | (nodes == 1 ? ROOT : 0));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < nodes) {
            for (int i = 0; i < 8; ++i)
                tree[lid][i] = cv[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        digests[get_group_id(0)] = vload8(0, tree[0]);
}
