// Stores of neighbours, which may be done at once where they are aligned.
//@ kernel rows
//@ global 3
//@ arg buffer int[24] = zero
//@ arg int = 8
//@ result 0 = 0 1 2 3 4 5 6 7 100 101 102 103 104 105 106 107 200 201 202 203 204 205 206 207
//@ kernel rows
//@ global 3
//@ arg buffer int[18] = zero
//@ arg int = 6
//@ result 0 = 0 1 2 3 0*2 100 101 102 103 0*2 200 201 202 203 0*2
//@ kernel parts
//@ global 2
//@ arg buffer int[8] = zero
//@ arg int = -7
//@ result 0 = 1069547520 -7 131073 67305985 1075838976 -6 196610 84148994
//@ kernel same_place
//@ global 1
//@ arg buffer int[8] = zero
//@ arg int = 0
//@ result 0 = 2 3 0*2 3 2 0*2
//@ kernel same_place
//@ global 1
//@ arg buffer int[8] = zero
//@ arg int = 1
//@ result 0 = 1 3 2 0 0 2 0*2

// A row for each work-item, whether rows are aligned or not.
kernel void rows(global int *out, int n)
{
    const int i = get_global_id(0);
    for (int k = 0; k + 4 <= n; k += 4) {
        global int *at = out + i * n + k;
        at[0] = 100 * i + k;
        at[1] = 100 * i + k + 1;
        at[3] = 100 * i + k + 3;
        at[2] = 100 * i + k + 2;
    }
}

struct part {
    float f;
    int i;
    ushort s[2];
    uchar b[4];
} __attribute__((aligned(16)));

// Of several types, aligned by theirs.
kernel void parts(global struct part *out, int n)
{
    const int i = get_global_id(0);
    out[i].s[0] = i + 1;
    out[i].s[1] = i + 2;
    out[i].f = 1.5f + i;
    out[i].i = n + i;
    out[i].b[3] = i + 4;
    out[i].b[0] = i + 1;
    out[i].b[1] = i + 2;
    out[i].b[2] = i + 3;
}

struct pair {
    int a, b;
} __attribute__((aligned(8)));

// What may be the same memory is stored and loaded in the order of the program.
kernel void same_place(global struct pair *out, int distance)
{
    global struct pair *other = out + distance;
    out->a = 1;
    other->a = 2;
    out->b = 3;
    out[2].a = other->b;
    out[2].b = other->a;
}
