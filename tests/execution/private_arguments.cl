// Private variables as arguments of functions that stay functions: arrays of two lengths, the same one twice, places in
// them, and structs with bytes and counts.
//@ section 6.7.1
//@ kernel mixed
//@ global 4
//@ arg buffer uint[8] = 3 1 4 1 5 9 2 6
//@ arg buffer uint[4] = zero
//@ result 1 = 912731736 1538852302 2164972868 2791093434
//@ kernel words
//@ global 4
//@ arg buffer uint[8] = 3 1 4 1 5 9 2 6
//@ arg buffer uint[4] = zero
//@ result 1 = 1408785695 474745467 268743352 2048901407
//@ kernel wide_parts
//@ global 4
//@ local 4
//@ arg buffer uint[8] = 3 1 4 1 5 9 2 6
//@ arg buffer uint[4] = zero
//@ result 1 = 200429 199967 200660 199967

#define NOINLINE __attribute__((noinline))

NOINLINE void mix(uint *out, const uint *a, const uint *b, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = a[i] * 3 + b[(i + 1) % n];
}

kernel void mixed(global const uint *in, global uint *out)
{
    const int id = get_global_id(0);
    uint x[8], y[8], z[5];
    for (int i = 0; i < 8; i++) {
        x[i] = in[i] * (id + 1);
        y[i] = in[i] + id;
    }
    mix(x, x, y, 8);
    mix(x, x, x, 8);
    mix(y, x, y, 8);
    mix(z, x + 2, y + 1, 5);
    uint digest = 0;
    for (int i = 0; i < 8; i++)
        digest = digest * 31 + x[i];
    for (int i = 0; i < 8; i++)
        digest = digest * 31 + y[i];
    for (int i = 0; i < 5; i++)
        digest = digest * 31 + z[i];
    out[id] = digest;
}

typedef struct {
    uchar letters[24];
    int count;
} word;

NOINLINE void push(word *w, uchar letter)
{
    w->letters[w->count++] = letter;
}

NOINLINE bool is_late(const word *w, int i, uchar than)
{
    return w->letters[i] > than;
}

NOINLINE void strip(word *w)
{
    while (w->count > 0 && is_late(w, w->count - 1, 't'))
        w->letters[--w->count] = 0;
}

kernel void words(global const uint *in, global uint *out)
{
    const int id = get_global_id(0);
    word w;
    for (int i = 0; i < 24; i++)
        w.letters[i] = 0;
    w.count = 0;
    for (int i = 0; i < 8; i++)
        push(&w, 'a' + (in[i] * 7 + id * 3) % 26);
    for (int i = 0; i < 8; i++)
        if (is_late(&w, i, 'm'))
            push(&w, w.letters[i] ^ 1);
    strip(&w);
    uint digest = w.count;
    for (int i = 0; i < 24; i++)
        digest = digest * 33 + w.letters[i];
    out[id] = digest;
}

struct Wide {
    uchar tag[3];
    ushort8 parts;
};

NOINLINE uint sum_wide(struct Wide a, struct Wide *b)
{
    b->parts += a.parts;
    b->tag[1] += a.tag[2];
    const ushort8 p = b->parts;
    return p.s0 + 3 * p.s3 + 7 * p.s6 + 1000 * b->tag[1];
}

// Structs with vectors of eight, by value and by address, from private and from local memory.
kernel void wide_parts(global const uint *in, global uint *out)
{
    local struct Wide shared[4];
    const uint id = get_global_id(0);
    struct Wide own = { { 1, 2, 3 }, (ushort8)(in[id]) };
    struct Wide other = { { 4, 5, 6 }, (ushort8)(1, 2, 3, 4, 5, 6, 7, 8) };
    shared[get_local_id(0)] = other;
    uint total = sum_wide(other, &own);
    total = total * 3 + sum_wide(shared[get_local_id(0)], &own);
    out[id] = total * 5 + sum_wide(own, &other);
}
