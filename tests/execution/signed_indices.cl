// Indices that are sums of signed numbers: their parts may be added to the address one by one, as they cannot wrap (C99
// 6.5p5). Those of unsigned numbers can.
//@ kernel neighbours
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg int = 2
//@ arg buffer int[16] = zero
//@ result 2 = 100062 92152 83242 74332 65422 56512 47602 38692 29782 20872 21962 12052 103142 95232 86322 77412
//@ kernel stencil
//@ global 6 6
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg int = 8
//@ arg buffer int[36] = zero
//@ result 2 = 41154 35836 29518 34200 34882 33564 50610 57292 50974 47656 43338 38020 37066 35748 29430 23112 35794 46476 45522 40204 33886 27568 32250 32932 37978 48660 55342 49024 45706 41388 34434 35116 33798 27480 40162 50844
//@ kernel nests
//@ global 4
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg int = 3
//@ arg buffer int[4] = zero
//@ result 2 = 122244 125720 130196 132672
//@ kernel wraps
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg uint = 2147483648
//@ arg buffer int[16] = zero
//@ result 2 = 1743 1500 1257 1014 771 1528 1285 1042 799 2556 2313 2070 1827 1584 1341 1098
//@ kernel longs
//@ global 8
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg long = 5
//@ arg buffer int[8] = zero
//@ result 2 = 673 -651 25 -299 -623 53 -271 405
//@ kernel scattered
//@ global 4
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[6] = -3 2 1 -2 0 -1
//@ arg int = 3
//@ arg int = 8
//@ arg buffer int[4] = zero
//@ result 4 = 2617 3050 2483 1916
kernel void neighbours(global const int *in, int from, global int *out)
{
    int i = (int)get_global_id(0) + from;
    out[i - from] = in[i - 1] * 100 + in[i + 1] * 10 + in[i - 2] - in[i];
}

kernel void stencil(global const int *in, int w, global int *out)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1, sum = 0;
    const int weights[9] = {1, 2, 3, 5, 7, 11, 13, 17, 19};
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += weights[(dy + 1) * 3 + dx + 1] * in[(y + dy) * w + (x + dx)];
    out[(y - 1) * (w - 2) + (x - 1)] = sum;
}

kernel void nests(global const int *in, int count, global int *out)
{
    int i = get_global_id(0), sum = 0;
    global const int *middle = in + 32;
    for (int c = 0; c < count; c++)
        for (int k = 0; k < 8; k++)
            sum += (c * 5 + k + 1) * middle[8 * c + k - 16 + i] + in[63 - (8 * c + k) - i];
    out[i] = sum;
}

kernel void wraps(global const int *in, uint start, global int *out)
{
    uint i = start + (uint)get_global_id(0);
    out[get_global_id(0)] = in[(int)(i + 0x80000004u)] * 2 + in[i + 0x80000008u];
}

kernel void longs(global const int *in, long stride, global int *out)
{
    int i = get_global_id(0);
    long j = 3;
    out[i] = in[(long)i * stride + 2 * j - 3 + 1] - in[40 + (i - 3)];
}

kernel void scattered(global const int *in, global const int2 *steps, int count, int w, global int *out)
{
    const int i = get_global_id(0), x = 20 + i;
    int sum = 0;
    for (int k = 0; k < count; k++) {
        const int2 step = steps[k];
        sum = 2 * sum + in[step.y * w + (x + step.x)];
    }
    out[i] = sum;
}
