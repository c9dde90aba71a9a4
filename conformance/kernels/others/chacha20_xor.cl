// @ chacha20_encrypt 16384|1048576 128 u32:262144|16777216 >u32:262144|16777216 u32:8 150994944u 1241513984u 0u 1u
/* ChaCha20 (RFC 8439), one 64-byte block per work-item, one row of the state
 * per uint4. */

#define ROUNDS 20

#define QR(a, b, c, d)                              \
    do {                                            \
        a += b; d ^= a; d = rotate(d, (uint4)(16)); \
        c += d; b ^= c; b = rotate(b, (uint4)(12)); \
        a += b; d ^= a; d = rotate(d, (uint4)(8));  \
        c += d; b ^= c; b = rotate(b, (uint4)(7));  \
    } while (0)

__kernel void chacha20_encrypt(__global const uint4 *plain,
                               __global uint4 *cipher,
                               __constant uint4 *key,
                               uint nonce0, uint nonce1, uint nonce2,
                               uint counter)
{
    const uint blk = get_global_id(0);

    const uint4 a0 = (uint4)(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);
    const uint4 b0 = key[0];
    const uint4 c0 = key[1];
    const uint4 d0 = (uint4)(counter + blk, nonce0, nonce1, nonce2);
    uint4 a = a0, b = b0, c = c0, d = d0;

    for (int i = 0; i < ROUNDS / 2; i++) {
        QR(a, b, c, d);
        b = b.yzwx;
        c = c.zwxy;
        d = d.wxyz;
        QR(a, b, c, d);
        b = b.wxyz;
        c = c.zwxy;
        d = d.yzwx;
    }

    plain  += 4 * blk;
    cipher += 4 * blk;
    cipher[0] = plain[0] ^ (a + a0);
    cipher[1] = plain[1] ^ (b + b0);
    cipher[2] = plain[2] ^ (c + c0);
    cipher[3] = plain[3] ^ (d + d0);
}
