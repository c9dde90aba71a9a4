// Private arrays with an index that is not known among many that are: the diagonal of a row, the pivot of an elimination,
// wide and short elements, arrays in arrays and in structs.
//@ section 6.7.1
//@ kernel diagonal
//@ global 8
//@ arg buffer int[8] = 3 1 4 1 5 9 2 6
//@ arg buffer int[8] = zero
//@ arg int = 5
//@ result 1 = 1320365097 -2141335322 253480179 -1126155408 -900629827 1291605242 -1587212921 -429759100
//@ kernel pivots
//@ global 4
//@ arg buffer int[36] = -1 2 7 -9 5 -2 -8 -4 -6 2 6 -2 3 8 -6 9 -2 -9 -3 4 -1 -4 3 -4 -7 -5 5 -5 -5 -9 -9 -3 -3 -4 -4 0
//@ arg buffer int[4] = zero
//@ result 1 = -44458 15661 -11618 -19439
//@ kernel mixed
//@ global 4
//@ arg buffer int[4] = 2 0 1 2
//@ arg buffer long[12] = zero
//@ result 1 = 4294934536 8589901841 17179803709 4294934542 8589901841 17179803683 4294934536 8589901845 17179803692 4294934536 8589901841 17179803703

kernel void diagonal(global const int *in, global int *out, int times)
{
    const int id = get_global_id(0);
    int row[8];
    for (int i = 0; i < 8; i++)
        row[i] = in[i] * (id + 1);
    row[id] += 100;
    uint sum = 0;
    for (int t = 0; t < times; t++)
        for (int i = 0; i < 8; i++)
            sum = sum * 3 + row[i] * (t + 1);
    out[id] = (int)sum;
}

// The largest of what is left of a column comes up, as in an elimination, by integers.
kernel void pivots(global const int *in, global int *out)
{
    const int id = get_global_id(0);
    int a[9];
    for (int i = 0; i < 9; i++)
        a[i] = in[9 * id + i];
    int swaps = 0;
    for (int c = 0; c < 2; c++) {
        int p = c;
        for (int r = c + 1; r < 3; r++)
            if (abs(a[3 * r + c]) > abs(a[3 * p + c]))
                p = r;
        if (p != c) {
            swaps++;
            for (int j = 0; j < 3; j++) {
                const int t = a[3 * c + j];
                a[3 * c + j] = a[3 * p + j];
                a[3 * p + j] = t;
            }
        }
        for (int r = c + 1; r < 3; r++)
            for (int j = 2; j >= c; j--)
                a[3 * r + j] = a[3 * r + j] * a[3 * c + c] - a[3 * c + j] * a[3 * r + c];
    }
    out[id] = a[8] * 10 + swaps;
}

struct counts {
    short small[3];
    long wide[2][3];
};

kernel void mixed(global const int *in, global long *out)
{
    const int id = get_global_id(0), at = in[id];
    struct counts c;
    for (int i = 0; i < 3; i++) {
        c.small[i] = 10 * i - 32760;
        c.wide[0][i] = 1L << (32 + i);
        c.wide[1][i] = -i;
    }
    c.small[at] -= id;
    c.wide[0][at] += c.wide[1][at] + 7;
    c.wide[1][2] = c.small[at];
    for (int i = 0; i < 3; i++)
        out[3 * id + i] = c.wide[0][i] + c.wide[1][i] + c.small[i];
}
