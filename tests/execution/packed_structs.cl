// Small structs with bytes and shorts, from everywhere and to memory that is aligned to their members alone. Values by hand.
//@ section 6.3.5 6.7.1
//@ kernel boxes
//@ global 3
//@ arg buffer short[13] = 99  -1 2 -3 4  5 -6 7 -32768  300 -300 0 1
//@ arg buffer short[13] = zero
//@ arg buffer int[3] = zero
//@ result 1 = 0  4 -3 2 -1  -32768 7 -6 5  1 0 -300 300
//@ result 2 = 2 -32762 1
//@ kernel mixed
//@ global 2
//@ arg buffer uchar[16] = 255 1 254 127  0 0 128 63  7 200 0 128  0 0 0 192
//@ arg buffer float[2] = zero
//@ arg buffer uchar[16] = zero
//@ result 1 = 32513 -32577
//@ result 2 = 1 255 254 127  0 0 0 64  200 7 0 128  0 0 128 191
//@ kernel table
//@ global 4
//@ arg buffer int[4] = zero
//@ result 0 = -257 258 -771 1284
//@ kernel local_pairs
//@ global 4
//@ local 4
//@ arg buffer char[8] = zero
//@ result 0 = 3 -4 2 -3 1 -2 0 -1

typedef struct { short x0, y0, x1, y1; } box;

kernel void boxes(global const short *in, global short *out, global int *sums)
{
    size_t i = get_global_id(0);
    // One short behind what eight bytes would be aligned to.
    global const box *from = (global const box *)(in + 1);
    global box *to = (global box *)(out + 1);
    box b = from[i];
    box turned = { b.y1, b.x1, b.y0, b.x0 };
    to[i] = turned;
    sums[i] = b.x0 + b.y0 + b.x1 + b.y1;
}

typedef struct { uchar low, high; short number; float value; } record;

kernel void mixed(global const record *in, global float *sums, global record *out)
{
    size_t i = get_global_id(0);
    record r = in[i];
    sums[i] = r.value + r.number + (r.high - r.low);
    record changed = { r.high, r.low, r.number, r.value + 1.0f };
    out[i] = changed;
}

typedef struct { char sign; uchar number; } entry;

constant entry entries[4] = { { -1, 1 }, { 1, 2 }, { -3, 3 }, { 5, 4 } };

kernel void table(global int *out)
{
    size_t i = get_global_id(0);
    entry e = entries[i];
    out[i] = e.sign * 256 + (e.sign < 0 ? -e.number : e.number);
}

typedef struct { char a, b; } pair;

kernel void local_pairs(global pair *out)
{
    local pair pairs[4];
    int i = (int)get_local_id(0);
    pair mine = { (char)i, (char)(-1 - i) };
    pairs[i] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    pair other = pairs[3 - i];
    out[i] = other;
}
