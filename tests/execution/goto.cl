// Jumps into and out of loops; a loop with two entries.
//@ kernel irreducible
//@ global 6
//@ arg buffer int[6] = zero
//@ result 0 = 1 5 11 35 71 215
//@ kernel gotos
//@ global 6
//@ arg buffer int[6] = zero
//@ result 0 = 1005 1105 106 101 106*2
kernel void irreducible(global int *out)
{
    int n = get_global_id(0), r = 0, steps = 0;
    if (n & 1)
        goto second;
first:
    r = r * 2 + 1;
    if (++steps > n)
        goto done;
second:
    r = r * 3 + 2;
    if (++steps <= n)
        goto first;
done:
    out[get_global_id(0)] = r;
}

kernel void gotos(global int *out)
{
    int n = get_global_id(0), r = 0, i = 0;
    if (n == 5)
        goto inside;
    for (i = 0; i < n; ++i) {
        r += i;
        if (r > 4)
            goto out_of_loop;
inside:
        r += 100;
    }
    r += 1000;
out_of_loop:
    out[get_global_id(0)] = r;
    if (n == 3)
        goto end;
    out[get_global_id(0)] += 5;
end:
    ;
}
