// Loops over halves of private matrices: bounds of inner loops count in outer ones.
//@ kernel halves
//@ global 4
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[20] = zero
//@ result 1 = 3052623 423620 41068 31334 15722 4142707 664882 31932 -31647 148389 -17022033 -3416288 -476550 -59974 -7294 319970505 76397934 12405454 1771623 199301
//@ kernel bubbles
//@ global 4
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[24] = zero
//@ result 1 = 13 608 689 770 851 932 203 284 365 446 527 608 41 122 203 798 879 960 393 474 555 636 717 798
//@ kernel kept_in_memory
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 945 932 1946 1824 1297 608 1650 852 649 284 2354 1880 1001 960 2058 1908
//@ kernel used_afterwards
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 14496 17254 18107 11337 12151 11789 8178 11048 13471 8019 17945 24153 14860 17842 18835 11701
//@ kernel left_early
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 92 145 92 134 194 155 176 98 104 159 110 146 208 173 188 106
kernel void halves(global const int *data, global int *out)
{
    int n = get_global_id(0), a[5][5], x[5];
    for (int r = 0; r < 5; r++) {
        for (int c = 0; c <= r; c++)
            a[r][c] = data[(n + 7 * r + c) & 63] % 10;
        x[r] = data[(n + r) & 63];
    }
    for (int r = 0; r < 5; r++)
        for (int k = 0; k < r; k++)
            x[r] -= a[r][k] * x[k];
    for (int r = 4; r >= 0; r--)
        for (int k = r + 1; k < 5; k++)
            x[r] += a[k][r] * x[k];
    for (int r = 0; r < 5; r++)
        out[5 * n + r] = x[r];
}

kernel void bubbles(global const int *data, global int *out)
{
    int n = get_global_id(0), a[6];
    for (uint k = 0; k < 6; k++)
        a[k] = data[(n * 5 + k) & 63];
    for (uint end = 6; end > 1; end--)
        for (uint k = 1; k < end; k++)
            if (a[k - 1] > a[k]) {
                int least = a[k];
                a[k] = a[k - 1];
                a[k - 1] = least;
            }
    for (uint k = 0; k < 6; k++)
        out[6 * n + k] = a[k];
}

// What the last line reads is in memory, whatever the loops do.
kernel void kept_in_memory(global const int *data, global int *out)
{
    int n = get_global_id(0), totals[4] = {0, 0, 0, 0};
    for (int r = 0; r < 4; r++)
        for (int k = 0; k <= r; k++)
            totals[r] += data[(n + r * k) & 63];
    out[n] = totals[data[n] & 3];
}

kernel void used_afterwards(global const int *data, global int *out)
{
    int n = get_global_id(0), totals[4] = {0, 0, 0, 0}, r;
    for (r = 0; r < 4; r++)
        for (int k = r; k < 4; k++) {
            if ((k + n) % 3 == 0)
                continue;
            totals[k] += data[(r + k + n) & 63];
        }
    out[n] = totals[0] + 2 * totals[1] + 3 * totals[2] + 4 * totals[3] + 1000 * r;
}

kernel void left_early(global const int *data, global int *out)
{
    int n = get_global_id(0), a[4];
    for (int k = 0; k < 4; k++)
        a[k] = data[(n + k) & 63] % 50;
    for (int r = 0; r < 4; r++)
        for (int k = 0; k < r; k++) {
            if (a[k] > a[r])
                break;
            a[r] += a[k];
        }
    out[n] = a[0] + a[1] + a[2] + a[3];
}
