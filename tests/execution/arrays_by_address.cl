// Private arrays that are written out with tests, that functions take the address of, and that stay in memory.
//@ kernel rolled_back
//@ global 8
//@ arg buffer uint[8] = 3 17 250 1000 77 4242 9 31337
//@ arg buffer uint[8] = zero
//@ result 1 = 50495 35384 2997 9402 50757 53263 12102 55065
//@ kernel rounds
//@ global 8
//@ arg buffer uint[8] = 3 17 250 1000 77 4242 9 31337
//@ arg buffer ulong[8] = zero
//@ result 1 = 18230680260720666159 17028478592281114416 8004558200391488805 7768494077416208259 8355878197549383225 2517362967723956348 12890390631721068526 2835336892845059439
//@ kernel differences
//@ global 8
//@ local 8
//@ arg buffer uint[8] = 3 17 250 1000 77 4242 9 31337
//@ arg buffer uint[8] = zero
//@ result 1 = 258282 57084 44245 212361 97064 276095 1244 143146
//@ kernel hashed
//@ global 8
//@ arg buffer uint[8] = 3 17 250 1000 77 4242 9 31337
//@ arg buffer uint[8] = zero
//@ result 1 = 5295 4790 4848 4529 5154 5113 4736 4954
//@ kernel steps
//@ global 8
//@ arg buffer uint[8] = 3 17 250 1000 77 4242 9 31337
//@ arg buffer uint[8] = zero
//@ result 1 = 1032 5868 68674 276026 25294 1533630 2764 9064476
//@ kernel rows
//@ global 8
//@ arg buffer uint[8] = 3 17 250 1000 77 4242 9 31337
//@ arg buffer uint[8] = zero
//@ result 1 = 78 4294965736 4294650720 4289950470 4294936516 4204922536 4294966912 3679364192
kernel void rolled_back(global const uint *in, global uint *out)
{
    uint n = get_global_id(0), x = in[n], v[33];
    for (int i = 0; i <= 32; i++)
        v[i] = (x * i + (x >> 3)) & 0xffff;
    for (int t = 31; t >= 0; t--) {
        uint s = x;
        for (int i = 0; i <= t; i++) {
            uint w = (v[i] * 3 ^ v[i + 1] * 5) + t;
            w = (w + (s ^ w >> 2)) & 0xffff;
            v[i] = (w * 7 + (w >> 4) + s) & 0xffff;
            s = s * 5 + 1;
        }
    }
    out[n] = v[0];
}

typedef struct {
    ulong a, b, c, d;
} state;

void mix(state *s, uint count)
{
    s->a += s->b;
    s->b = rotate(s->b, 13UL) ^ s->a;
    s->a = rotate(s->a, 32UL);
    s->c += s->d;
    s->d = rotate(s->d, (ulong)count) ^ s->c;
    s->b = rotate(s->b, 61UL) ^ s->c;
}

kernel void rounds(global const uint *in, global ulong *out)
{
    uint n = get_global_id(0), x = in[n];
    state s = {0x736f6d6570736575UL ^ x, 0x646f72616e646f6dUL, 0x6c7967656e657261UL, x * 0x9e3779b97f4a7c15UL};
    mix(&s, x);
    mix(&s, x + 20);
    for (uint k = 0; k < 4; k++)
        mix(&s, 16 + k);
    out[n] = s.a ^ s.b ^ s.c ^ s.d;
}

short2 slope(local const uchar *p)
{
    int across = (p[0] - p[2]) * 2 + p[1];
    return (short2)((short)across, 0);
}

kernel void differences(global const uint *in, global uint *out)
{
    local uchar tile[10];
    uint n = get_local_id(0);
    tile[n] = in[n] * 37 + 5;
    if (n < 2)
        tile[8 + n] = n + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    ushort2 here = abs(slope(tile + n)), there = abs(slope(tile + (n + 3) % 8));
    out[n] = here.x + 1000 * there.x + abs_diff(tile[n], tile[n + 1]);
}

kernel void hashed(global const uint *in, global uint *out)
{
    uint n = get_global_id(0), v = in[n], hits = 0;
    ushort table[128];
    for (int k = 0; k < 128; k++)
        table[k] = 0xffff;
    for (uint k = 0; k < 200; k++) {
        v = v * 1103515245 + 12345;
        uint h = v >> 16 & 127, before = table[h];
        hits += before != 0xffff ? k - before : 0;
        table[h] = (ushort)k;
    }
    out[n] = hits;
}

void neighbours(uint *m)
{
    m[0] = m[1] * 3 + m[2];
    m[2] ^= m[0];
}

void last(uint *e)
{
    e[0] += e[-3];
}

kernel void steps(global const uint *in, global uint *out)
{
    uint n = get_global_id(0), x = in[n];
    uint t[4] = {x, x * 3, 5, x >> 2};
    neighbours(t);
    neighbours(t + 1);
    last(t + 3);
    neighbours(&t[3] - 2);
    out[n] = t[0] * 7 ^ t[1] * 5 ^ t[2] * 3 ^ t[3];
}

void next_row(uint (*row)[2])
{
    row[1][0] = row[0][1] + 7;
    row[1][1] -= row[0][0];
}

kernel void rows(global const uint *in, global uint *out)
{
    uint n = get_global_id(0), x = in[n];
    uint g[3][2] = {{x, x * x}, {1, 2}, {x ^ 5, 9}};
    next_row(g);
    next_row(g + 1);
    out[n] = g[0][0] + g[0][1] * 3 + g[1][0] * 5 + g[1][1] * 7 + g[2][0] * 11 + g[2][1] * 13;
}
