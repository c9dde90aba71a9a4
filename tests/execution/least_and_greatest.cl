// The least and the greatest of integers that are the same for all work-items side by side: values by Python.
//@ kernel rows
//@ global 8 4
//@ local 8 1
//@ arg buffer int[32] = -39 -2 35 -29 8 45 -19 18 -46 -9 28 -36 1 38 -26 11 48 -16 21 -43 -6 31 -33 4 41 -23 14 -50 -13 24 -40 -3
//@ arg buffer int[32] = zero
//@ arg int = 8
//@ arg int = 4
//@ result 1 = -30 91 259 6 56 -96 119 159 290 411 175 -78 -28 -180 35 75 530 348 112 -141 -91 -243 -28 12 488 306 70 -183 -133 -285 -70 -30
//@ kernel counted
//@ global 8
//@ local 8
//@ arg buffer int[8] = zero
//@ arg int = 9
//@ arg int = 2
//@ arg uint = 3
//@ arg short = 20000
//@ result 0 = 62465066 62465067 62465068 62465069 62465070 62465071 62465072 62465073
kernel void rows(global const int *in, global int *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (int i = -2; i <= 2; ++i) {
        int row = clamp(y + i, 0, height - 1), column = clamp(x - i, 0, width - 1);
        sum += in[row * width + column] * (i + 3);
    }
    out[y * width + x] = sum;
}

kernel void counted(global int *out, int n, int low, uint high, short bound)
{
    uint sum = get_global_id(0);
    for (int i = 0; i < n; ++i) {
        sum += min(i - 3, low) * 3;
        sum += max((uint)(i - 3), high) * 5;
        sum += clamp((short)(i * 9000), (short)-bound, bound) * 7;
        sum += min((uchar)(i * 77), (uchar)200) * 11;
        sum += max((char)(i * 77), (char)-5) * 13;
        sum += clamp(((long)i << 33) - (1L << 34), -(1L << 33), (1L << 34) + 9) % 1000003 * 17;
        sum += max(i * 0x123456789ABCDEFUL, 1UL << 62) % 65537 * 19;
    }
    out[get_global_id(0)] = sum;
}
