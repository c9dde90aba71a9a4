// Remainders of what loops count, by divisors that are the same in all turns: of all signs, and zero where no turn divides.
//@ kernel with_sign
//@ global 16
//@ arg buffer int[16] = 1 -1 2 3 -3 7 -2147483648 0 5 100 -100 2147483647 4 6 -7 1000
//@ arg buffer int[16] = zero
//@ arg int = 200
//@ result 1 = 0 0 139903716 -1473186719 -1473186719 266434 1294555236 -181951616 1334581504 609814372 609814372 1294555236 1827909476 -1052927068 266434 1294555236
//@ kernel without_sign
//@ global 16
//@ arg buffer int[16] = 1 -1 2 3 -3 7 -2147483648 0 5 100 -100 2147483647 4 6 -7 1000
//@ arg buffer int[16] = zero
//@ arg int = 200
//@ result 1 = 0 1294555236 139903716 -1473186719 1294555236 266434 1294555236 -181951616 1334581504 609814372 1294555236 1294555236 1827909476 -1052927068 1294555236 1294555236
//@ kernel longs
//@ global 16
//@ arg buffer int[16] = 1 -1 2 3 -3 7 -2147483648 0 5 100 -100 2147483647 4 6 -7 1000
//@ arg buffer int[16] = zero
//@ arg int = 200
//@ result 1 = -1151665499 -646175643 983692133 -342561755 -646175643 -1765073883 -646175643 456824542 952700069 -646175643 -646175643 -646175643 -663616411 -1237363867 -646175643 -646175643
kernel void with_sign(global const int *divisors, global int *out, int turns)
{
    int n = divisors[get_global_id(0)];
    uint sum = 0;
    for (int i = 0; i < turns; i++)
        sum = sum * 31 + (n ? i % n : -1);
    out[get_global_id(0)] = sum;
}

kernel void without_sign(global const uint *divisors, global uint *out, int turns)
{
    uint n = divisors[get_global_id(0)], sum = 0;
    for (uint i = 0; i < (uint)turns; i++)
        sum = sum * 31 + (n ? i % n : -1);
    out[get_global_id(0)] = sum;
}

// Of two loops, the outer one's in the inner.
kernel void longs(global const uint *divisors, global uint *out, int turns)
{
    ulong n = (ulong)divisors[get_global_id(0)] * 2;
    uint sum = 0, all = 0;
    if (n == 0)
        n = 9;
    for (ulong i = 0; all < turns; i++)
        for (int k = 0; k < 3 && all < turns; k++, all++)
            sum = sum * 31 + (uint)(all % n) + (uint)(i % n);
    out[get_global_id(0)] = sum;
}
