// Quotients and remainders that are the same in all turns of a loop, also of loops that do not turn, where they would be by
// zero or too large.
//@ kernel pooled
//@ global 3
//@ arg buffer int[3] = 5 -7 0
//@ arg buffer int[9] = zero
//@ arg int = 3
//@ arg int = 2
//@ result 1 = 12 6 3  -18 -6 0  0 0 3
//@ kernel never
//@ global 2
//@ arg buffer int[2] = -2147483648 5
//@ arg buffer int[2] = zero
//@ arg int = 0
//@ result 1 = 7 7

kernel void pooled(global const int *in, global int *out, int turns, int by)
{
    size_t id = get_global_id(0);
    int x = in[id];
    int sum = 0, rest = 0, mixed = 0;
    for (int l = 0; l < turns; l++)
        for (int m = 0; m < 2; m++) {
            sum += x / by;
            rest += x % by;
            if (m)
                mixed += (x + 3 * by) / (by + 2) - (x % 4 + 3) / 4;
        }
    out[3 * id] = sum;
    out[3 * id + 1] = rest;
    out[3 * id + 2] = mixed;
}

kernel void never(global const int *in, global int *out, int turns)
{
    size_t id = get_global_id(0);
    int by = id ? 0 : -1, sum = 7;
    for (int l = 0; l < turns; l++)
        sum += in[id] / by + in[id] % by;
    out[id] = sum;
}
