// Ten rounds on four words by tables in local memory, as AES has them, with counters for a text.
kernel void cipher(global const uint *tables, global const uint *keys, global uint4 *stream)
{
    local uint table[4][256];
    for (uint k = get_local_id(0); k < 1024; k += get_local_size(0))
        table[k / 256][k % 256] = tables[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint i = get_global_id(0);
    uint a = i ^ keys[0], b = keys[1], c = keys[2], d = ~i ^ keys[3];
    for (int round = 1; round <= 10; round++) {
        uint e = table[0][a >> 24] ^ table[1][(b >> 16) & 255] ^ table[2][(c >> 8) & 255] ^ table[3][d & 255];
        uint f = table[0][b >> 24] ^ table[1][(c >> 16) & 255] ^ table[2][(d >> 8) & 255] ^ table[3][a & 255];
        uint g = table[0][c >> 24] ^ table[1][(d >> 16) & 255] ^ table[2][(a >> 8) & 255] ^ table[3][b & 255];
        uint h = table[0][d >> 24] ^ table[1][(a >> 16) & 255] ^ table[2][(b >> 8) & 255] ^ table[3][c & 255];
        a = e ^ keys[4 * round];
        b = f ^ keys[4 * round + 1];
        c = g ^ keys[4 * round + 2];
        d = h ^ keys[4 * round + 3];
    }
    stream[i] = (uint4)(a, b, c, d);
}
