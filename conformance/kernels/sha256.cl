// Each work-item hashes its 32 bytes `rounds` times over: SHA-256 of SHA-256 of …
constant uint K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constant uint START[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

#define ROTR(x, n) rotate((x), 32u - (n))

void compress(uint *state, uint *w)
{
    uint s[8];
    for (int i = 0; i < 8; i++)
        s[i] = state[i];
    for (int i = 0; i < 64; i++) {
        if (i >= 16) {
            uint a = w[(i + 1) & 15], b = w[(i + 14) & 15];
            w[i & 15] += (ROTR(a, 7u) ^ ROTR(a, 18u) ^ a >> 3) + w[(i + 9) & 15] +
                         (ROTR(b, 17u) ^ ROTR(b, 19u) ^ b >> 10);
        }
        uint t1 = s[7] + (ROTR(s[4], 6u) ^ ROTR(s[4], 11u) ^ ROTR(s[4], 25u)) +
                  bitselect(s[6], s[5], s[4]) + K[i] + w[i & 15];
        uint t2 = (ROTR(s[0], 2u) ^ ROTR(s[0], 13u) ^ ROTR(s[0], 22u)) +
                  bitselect(s[0], s[1], s[0] ^ s[2]);
        s[7] = s[6];
        s[6] = s[5];
        s[5] = s[4];
        s[4] = s[3] + t1;
        s[3] = s[2];
        s[2] = s[1];
        s[1] = s[0];
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

kernel void sha256(global uint *digests, uint rounds)
{
    global uint *mine = digests + 8 * get_global_id(0);
    uint state[8], w[16];
    for (int i = 0; i < 8; i++)
        state[i] = mine[i];
    for (uint round = 0; round < rounds; round++) {
        for (int i = 0; i < 8; i++) {
            w[i] = state[i];
            w[i + 8] = 0;
            state[i] = START[i];
        }
        w[8] = 0x80000000;
        w[15] = 256;
        compress(state, w);
    }
    for (int i = 0; i < 8; i++)
        mine[i] = state[i];
}
