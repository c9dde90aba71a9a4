// Sums in memory: of turns that there are or not, of two loops, of turns that end early; what a store in between or another
// address shows. Values by hand.
//@ section 6.3.5 6.7.1
//@ kernel sums
//@ global 4
//@ arg buffer int[4] = 100 200 300 400
//@ arg buffer short[4] = 1 2 3 4
//@ arg buffer int[4] = 0 1 3 4
//@ result 0 = 100 201 306 410
//@ kernel untouched
//@ global 2
//@ arg buffer int[2] = 7 8
//@ arg buffer int[2] = 0 2
//@ result 0 = 7 1
//@ kernel nested
//@ global 2
//@ local 2
//@ arg buffer float[2] = 0.5 1
//@ arg buffer int[2] = 2 3
//@ result 0 = 22.5 40
//@ kernel until
//@ global 3
//@ arg buffer uint[3] = 1 5 100
//@ arg buffer uint[3] = zero
//@ result 0 = 64 80 100
//@ result 1 = 6 4 0
//@ kernel same
//@ arg buffer int[6] = 1 0 0 0 0 0
//@ result 0 = 63 1 3 7 15 31
//@ kernel members
//@ global 2
//@ arg buffer float[8] = 0 1 2 3  4 5 6 7
//@ arg buffer uchar[4] = 1 2 3 4
//@ result 0 = 10 17 32 43  14 21 36 47

// What is added is of another type, so that it is elsewhere.
kernel void sums(global int *out, global const short *in, global const int *counts)
{
    const int id = get_global_id(0), n = counts[id];
    for (int i = 0; i < n; i++)
        out[id] += in[i];
}

// Nothing is stored where there is no turn.
kernel void untouched(global int *out, global const int *counts)
{
    const int id = get_global_id(0), n = counts[id];
    for (int i = 0; i < n; i++)
        out[id] = i;
}

kernel void nested(global float *out, global const int *counts)
{
    local int table[6];
    const int id = get_global_id(0);
    for (int i = get_local_id(0); i < 6; i += get_local_size(0))
        table[i] = i + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < counts[id]; j++)
            out[id] += 2 * table[i * 3 + j] - i;
    if (id == 0)
        out[id] += 0.0f;
}

kernel void until(global uint *out, global uint *turns)
{
    const int id = get_global_id(0);
    uint count = 0;
    if (out[id] < 64)
        do {
            out[id] += out[id];
            count++;
        } while (out[id] < 64);
    turns[id] = count;
}

// All is in one array: each turn sees what was stored before.
kernel void same(global int *a)
{
    for (int i = 1; i < 6; i++) {
        a[i] = a[0];
        a[0] += 1 << i;
    }
}

typedef struct { float v, x, y, z; } four;

kernel void members(global four *out, global const uchar *in)
{
    const int id = get_global_id(0);
    for (int i = 0; i < 4; i++) {
        out[id].v += in[i];
        out[id].x += 2 * in[i] - 1;
        out[id].y += 3 * in[i];
        out[id].z += 4 * in[i];
    }
}
