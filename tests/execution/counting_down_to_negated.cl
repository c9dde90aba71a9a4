// Counting down to negated numbers, which differ from work-item to work-item: values by Python.
//@ kernel with
//@ global 16
//@ local 8
//@ arg buffer int[16] = -9 -13 -17 20 16 12 8 4 0 -4 -8 -12 -16 -20 17 13
//@ arg buffer int[16] = zero
//@ result 1 = 0 8 184 718 142 29 287 -10 12 281 346 948 497 153 254 707
//@ kernel without
//@ global 16
//@ local 8
//@ arg buffer int[16] = -9 -13 -17 20 16 12 8 4 0 -4 -8 -12 -16 -20 17 13
//@ arg buffer int[16] = zero
//@ result 1 = 0 3 62 913 385 684 434 -1 343 433 455 656 506 728 762 577
//@ kernel twos
//@ global 16
//@ local 8
//@ arg buffer int[16] = -9 -13 -17 20 16 12 8 4 0 -4 -8 -12 -16 -20 17 13
//@ arg buffer int[16] = zero
//@ result 1 = 0 6 124 610 595 267 885 191 778 614 192 834 813 660 95 63
//@ kernel nested
//@ global 16
//@ local 8
//@ arg buffer int[16] = -9 -13 -17 20 16 12 8 4 0 -4 -8 -12 -16 -20 17 13
//@ arg buffer int[16] = zero
//@ result 1 = 0 8 940 717 172 499 179 -339 956 529 649 118 360 513 463 705
//@ kernel longs
//@ global 16
//@ local 8
//@ arg buffer int[16] = -9 -13 -17 20 16 12 8 4 0 -4 -8 -12 -16 -20 17 13
//@ arg buffer int[16] = zero
//@ result 1 = 0 0 0 60 611 642 453 737 -880 -626 -109 0 0 0 62 311
//@ kernel turned
//@ global 16
//@ local 8
//@ arg buffer int[16] = -9 -13 -17 20 16 12 8 4 0 -4 -8 -12 -16 -20 17 13
//@ arg buffer int[16] = zero
//@ result 1 = 0 8 184 718 142 29 287 -10 12 281 346 948 497 153 254 707
kernel void with(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = n; i >= -n; i--)
        sum = sum * 3 % 1009 + i;
    out[n] = sum;
}

kernel void without(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = n; i > -n; i--)
        sum = sum * 3 % 1009 + i;
    out[n] = sum;
}

kernel void twos(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = 2 * n; -n <= i; i -= 2)
        sum = sum * 3 % 1009 + i;
    out[n] = sum;
}

kernel void nested(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = n; i > 0; i--)
        for (int j = i; j >= -i; j--)
            sum = sum * 3 % 1009 + j;
    out[n] = sum;
}

kernel void longs(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (long i = data[n]; i >= -(long)n; i--)
        sum = sum * 3 % 1009 + (int)i;
    out[n] = sum;
}

kernel void turned(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    int i = n;
    do {
        sum = sum * 3 % 1009 + i;
        i--;
    } while (i >= -n);
    out[n] = sum;
}
