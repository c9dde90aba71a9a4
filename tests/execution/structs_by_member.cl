// Structs and arrays that functions take and give by value, nested, packed, in loops, and from several returns.
//@ kernel steps
//@ local 4
//@ global 4
//@ arg buffer int[4] = 1 2 3 4
//@ arg buffer int[12] = zero
//@ result 1 = 24 7 3  48 22 4  72 45 5  96 76 6
//@ kernel packed
//@ global 2
//@ arg buffer int[2] = 300 -2
//@ arg buffer long[4] = zero
//@ result 1 = 44 301  254 -1
//@ kernel choices
//@ global 4
//@ arg buffer float[4] = -1 0.5 2 100
//@ arg buffer float[8] = zero
//@ result 1 = 0 -1  0.5 0.5  1 3  1 101

typedef struct {
    int x, y;
} Pair;

typedef struct {
    Pair first;
    int rest[3];
    char tag;
} State;

__attribute__((noinline)) State step(State s, int by)
{
    State t;
    t.first.x = s.first.x + by * 2;
    t.first.y = s.first.y + s.first.x;
    for (int i = 0; i < 3; i++)
        t.rest[i] = s.rest[i] * 2;
    t.tag = s.tag + 1;
    return t;
}

__attribute__((noinline)) State twice(State s, int by)
{
    return step(step(s, by), by);
}

kernel void steps(global const int *in, global int *out)
{
    const int id = get_global_id(0);
    const int n = in[id];
    State s = { { 0, n }, { n, n * 2, n * 3 }, (char)n };
    s = twice(s, n);
    out[3 * id] = s.rest[0] + s.rest[1] + s.rest[2];
    s.tag = (char)(s.tag - 2);
    s.first.y += s.first.x * (n - 1);
    out[3 * id + 1] = s.first.y + s.first.x;
    out[3 * id + 2] = s.tag + 2;
}

typedef struct __attribute__((packed)) {
    uchar low;
    long wide;
} Packed;

__attribute__((noinline)) Packed pack(int n)
{
    Packed p;
    p.low = (uchar)n;
    p.wide = n + 1L;
    return p;
}

__attribute__((noinline)) long low_of(Packed p)
{
    return p.low;
}

kernel void packed(global const int *in, global long *out)
{
    const int id = get_global_id(0);
    const Packed p = pack(in[id]);
    out[2 * id] = low_of(p);
    out[2 * id + 1] = p.wide;
}

typedef struct {
    float clamped, moved;
} Choice;

__attribute__((noinline)) Choice choose(float x)
{
    Choice c = { x, x };
    if (x < 0.0f) {
        c.clamped = 0.0f;
        return c;
    }
    if (x > 1.0f) {
        Choice d = { 1.0f, x + 1.0f };
        return d;
    }
    return c;
}

kernel void choices(global const float *in, global float *out)
{
    const int id = get_global_id(0);
    const Choice c = choose(in[id]);
    out[2 * id] = c.clamped;
    out[2 * id + 1] = c.moved;
}
