// @ romix 512|32768 64 u32:16384|1048576 zeros:u32:1048576|67108864 >u32:16384|1048576
//
// scrypt's ROMix with r = 1 and a small N. The scratchpad is in global memory,
// interleaved between work-items: vector v of entry n of item i is
// pad[(n * 8 + v) * items + i].

#define SCRYPT_N 64

#define ROTL32(x, n) rotate((x), (uint4)(n))

// The state is kept as the four diagonals.
static void salsa20_8(uint4 *b0, uint4 *b1, uint4 *b2, uint4 *b3)
{
    uint4 a = *b0, b = *b1, c = *b2, d = *b3;

#pragma unroll
    for (int i = 0; i < 4; ++i) {
        // columns
        b ^= ROTL32(a + d, 7u);
        c ^= ROTL32(b + a, 9u);
        d ^= ROTL32(c + b, 13u);
        a ^= ROTL32(d + c, 18u);
        // to rows
        b = b.wxyz;
        c = c.zwxy;
        d = d.yzwx;
        d ^= ROTL32(a + b, 7u);
        c ^= ROTL32(d + a, 9u);
        b ^= ROTL32(c + d, 13u);
        a ^= ROTL32(b + c, 18u);
        // and back
        b = b.yzwx;
        c = c.zwxy;
        d = d.wxyz;
    }

    *b0 += a;
    *b1 += b;
    *b2 += c;
    *b3 += d;
}

static void blockmix(uint4 X[8])
{
    for (int k = 0; k < 4; ++k)
        X[k] ^= X[k + 4];
    salsa20_8(&X[0], &X[1], &X[2], &X[3]);
    for (int k = 0; k < 4; ++k)
        X[k + 4] ^= X[k];
    salsa20_8(&X[4], &X[5], &X[6], &X[7]);
}

__kernel void romix(__global const uint4 *input, __global uint4 *pad, __global uint4 *output)
{
    const uint gid = get_global_id(0);
    const uint items = get_global_size(0);
    uint4 X[8];

    for (int k = 0; k < 8; ++k)
        X[k] = input[gid * 8 + k];

    for (uint n = 0; n < SCRYPT_N; ++n) {
        for (uint k = 0; k < 8; ++k)
            pad[(n * 8 + k) * items + gid] = X[k];
        blockmix(X);
    }

    for (uint n = 0; n < SCRYPT_N; ++n) {
        // Integerify
        const uint j = X[4].x & (SCRYPT_N - 1);
        for (uint k = 0; k < 8; ++k)
            X[k] ^= pad[(j * 8 + k) * items + gid];
        blockmix(X);
    }

    for (int k = 0; k < 8; ++k)
        output[gid * 8 + k] = X[k];
}
