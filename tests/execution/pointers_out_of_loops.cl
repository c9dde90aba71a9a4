// Addresses of elements that are used behind the loop in which they were computed.
//@ kernel insert
//@ global 1
//@ arg buffer float[12] = 9 5 3 8 1 7 2 2 6 4 0.5 3
//@ arg buffer float[4] = zero
//@ arg int = 12
//@ result 1 = 0.5 1 2 2
//@ kernel mark
//@ global 4
//@ arg buffer int[96] = 84 37 50 88 72 8 64 36 88 11 25 19 52 65 36 53 74 2 78 36 6 32 57 40 28 54 25 14 22 84 84 61 21 21 5 5 31 32 26 26 42 45 30 74 85 31 28 30 3 43 7 51 58 26 23 38 13 47 43 82 80 5 81 48 13 44 50 44 66 45 28 66 65 27 12 37 7 50 56 7 75 4 51 53 79 6 62 10 28 84 30 20 36 64 49 1
//@ arg buffer uint[8] = zero
//@ result 1 = 923586302 1 923586316 0 923586316 0 3178378502 1
kernel void insert(global const float *in, global float *out, int n)
{
    float best[100];
    int count = 0;
    for (int y = 1; y < n; y++) {
        const float d = in[y];
        if (count < 4)
            best[count++] = d;
        for (int i = count - 1; i >= 0; i--) {
            if (d > best[i])
                break;
            if (d < best[i] && (i == 0 || d >= best[i - 1])) {
                for (int j = count - 1; j > i; j--)
                    best[j] = best[j - 1];
                best[i] = d;
                break;
            }
        }
    }
    for (int i = 0; i < 4; i++)
        out[i] = best[i];
}

// Out of two loops at once, by an element that the inner one has just asked about.
static bool find(const int *p, uchar *order)
{
    for (int i = 1; i < 24; i++)
        for (int j = i; j < 24; j++)
            if (p[order[j]] < 5) {
                order[j] = 3;
                return true;
            }
    return false;
}

kernel void mark(global const int *in, global uint *out)
{
    const int id = get_global_id(0);
    int p[24];
    uchar order[24];
    for (int i = 0; i < 24; i++) {
        p[i] = in[24 * id + i];
        order[i] = 7 * i % 24;
    }
    const bool found = find(p, order);
    uint digest = 0;
    for (int i = 0; i < 24; i++)
        digest = digest * 31 + order[i];
    out[2 * id] = digest;
    out[2 * id + 1] = found;
}
