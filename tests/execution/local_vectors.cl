// Local arrays whose neighbours are accessed together, and what else is done with them in between.
//@ kernel filtered
//@ global 16
//@ local 8
//@ arg buffer int[64] = 45 518 287 -240 529 2 475 244 -283 190 -41 432 201 674 147 -84 389 -138 631 104 -127 346 -181 588 61 -170 303 -224 545 18 491 260 -267 502 -25 448 217 690 459 -68 405 174 647 120 -111 362 131 604 77 -154 319 -208 561 34 -197 276 -251 518 -9 -240 233 -294 475 -52
//@ arg buffer int[16] = zero
//@ result 1 = 1006040 1384112 1516680 1146512 2750320 674856 1291192 1520968 1253272 551128 457240 1704232 -346720 1265408 692360 713040
//@ kernel vectors
//@ global 16
//@ local 8
//@ arg buffer int[64] = 45 518 287 -240 529 2 475 244 -283 190 -41 432 201 674 147 -84 389 -138 631 104 -127 346 -181 588 61 -170 303 -224 545 18 491 260 -267 502 -25 448 217 690 459 -68 405 174 647 120 -111 362 131 604 77 -154 319 -208 561 34 -197 276 -251 518 -9 -240 233 -294 475 -52
//@ arg buffer int[16] = zero
//@ result 1 = 780 3370 510 3760 4100 2638 -4648 6140 3748 -3518 3494 -6912 -3668 790 -2632 3068
//@ kernel ordered
//@ global 16
//@ local 8
//@ arg buffer int[64] = 45 518 287 -240 529 2 475 244 -283 190 -41 432 201 674 147 -84 389 -138 631 104 -127 346 -181 588 61 -170 303 -224 545 18 491 260 -267 502 -25 448 217 690 459 -68 405 174 647 120 -111 362 131 604 77 -154 319 -208 561 34 -197 276 -251 518 -9 -240 233 -294 475 -52
//@ arg buffer int[16] = zero
//@ result 1 = 37465 42375 20265 1383 11573 17755 21057 31499 39473 37695 14057 22175 20365 12547 24441 46851
//@ kernel arguments
//@ global 16
//@ local 8
//@ arg buffer int[64] = 45 518 287 -240 529 2 475 244 -283 190 -41 432 201 674 147 -84 389 -138 631 104 -127 346 -181 588 61 -170 303 -224 545 18 491 260 -267 502 -25 448 217 690 459 -68 405 174 647 120 -111 362 131 604 77 -154 319 -208 561 34 -197 276 -251 518 -9 -240 233 -294 475 -52
//@ arg buffer int[16] = zero
//@ arg local 36
//@ arg local 44
//@ result 1 = 12414 20260 28106 35952 43798 51644 59490 67336 5014 10036 15058 20080 25102 30124 35146 40168
kernel void filtered(global const int *data, global int *out)
{
    local int weights[16], numbers[2][32];
    int l = get_local_id(0), first = get_group_id(0) * 16;
    weights[(l + 5) & 15] = data[l];
    weights[(l + 13) & 15] = data[l + 8];
    for (int row = 0; row < 2; row++)
        for (int i = l; i < 32; i += 8)
            numbers[row][i] = data[(first + row * 32 + i) & 63];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int row = 0; row < 2; row++)
        for (int i = 0; i < 16; i++)
            sum += weights[i] * numbers[row][l + i];
    out[get_global_id(0)] = sum;
}

kernel void vectors(global const int *data, global int *out)
{
    local int4 memory[16];
    int l = get_local_id(0), i = get_global_id(0);
    local int *numbers = (local int *)memory;
    vstore4(vload4(i, data), l, numbers);
    memory[l + 8] = vload4((i + 1) & 15, data).wzyx;
    barrier(CLK_LOCAL_MEM_FENCE);
    numbers[(l * 5 + 3) & 31] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 a = vload4(l + 7, numbers), b = memory[(l * 3) & 15];
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += (k + 1) * numbers[4 * ((l + 3) & 15) + k];
    out[i] = sum + a.x + 2 * a.y + 3 * a.z + 4 * a.w - b.x - 5 * b.y - 7 * b.z - 9 * b.w;
}

// Stores twice to one place, in an order that must stay, and between loads.
kernel void ordered(global const int *data, global int *out)
{
    local int numbers[64];
    int l = get_local_id(0), i = get_global_id(0);
    local int *own = numbers + 8 * l;
    own[7] = data[i];
    own[7] = data[i + 1];
    own[4] = data[i + 2];
    own[4] = data[i + 3];
    own[5] = data[i + 4];
    own[6] = data[i + 5];
    int a = own[4], b = own[5];
    own[data[i] & 7] = 1000 + l;
    int c = own[6], d = own[7];
    own[0] = a;
    own[1] = own[4] + b;
    own[2] = c;
    own[3] = own[5] + d;
    barrier(CLK_LOCAL_MEM_FENCE);
    local const int *next = numbers + 8 * ((l + 1) & 7);
    out[i] = next[0] + 3 * next[1] + 5 * next[2] + 7 * next[3] + 11 * next[4] + 13 * next[5] + 17 * next[6] + 19 * next[7];
}

// The host chooses 9 elements, and 11.
kernel void arguments(global const int *data, global int *out, local int *a, local int *b)
{
    int l = get_local_id(0), first = get_group_id(0) * 8;
    a[l] = data[first + l];
    b[10 - l] = data[first + 7 - l];
    if (l == 0) {
        a[8] = 17;
        b[0] = 19;
        b[1] = 23;
        b[2] = 29;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += a[i] * (i + l) + b[i] * (i * l + 1);
    out[first + l] = sum + a[8] * b[10];
}
