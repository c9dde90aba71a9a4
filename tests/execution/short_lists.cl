// Short lists in private memory, which loops index that may leave early.
//@ kernel smallest
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 1499985 507323 6777 2044 1974 1891 949 997 715 659 650 512 511 451 432 409
//@ kernel put_in_place
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 12765 13902 9771 10344 14649 10898 5957 9172 14533 11134 6193 7252 14311 15330 11199 7068
//@ kernel bins
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 13196 16844 15972 19660 17828 15476 16604 14292 18460 17108 15236 14924 13092 17740 16868 20556
//@ kernel left_early
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 15432566 13813242 12192918 10572594 8952270 7331946 5711622 4091298 2470974 850650 19231326 19221123 19211001 19200960 17580879 15960798
//@ kernel of_characters
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = -5482 -5482 -4039 -4039 8961 8994 8994 21994 22306 22306 24306 25626 -43859 -43859 -29429 -44279
kernel void smallest(global const int *data, global int *out)
{
    int n = get_global_id(0), best[5];
    for (int k = 0; k < 5; k++)
        best[k] = 99999;
    for (int j = 0; j < 4 * n; j++) {
        int distance = abs(data[j] - 60 * n), at = 4;
        if (distance >= best[4])
            continue;
        for (; at > 0; at--) {
            if (best[at - 1] <= distance)
                break;
            best[at] = best[at - 1];
        }
        best[at] = distance;
    }
    int sum = 0;
    for (int k = 0; k < 5; k++)
        sum += (k + 1) * best[k];
    out[n] = sum;
}

// Two ways out with different values, and the end.
kernel void put_in_place(global const int *data, global int *out)
{
    int n = get_global_id(0), a[6], key = data[n], at = 0, sum = 0;
    for (int k = 0; k < 6; k++)
        a[k] = data[(n * 3 + k) & 63];
    for (int k = 0; k < 6; k++) {
        if (a[k] == key % 7 * 100 + 13)
            break;
        if (a[k] > key) {
            at = k;
            break;
        }
        at = k < 5 ? k + 1 : 5;
    }
    a[at] = key;
    for (int k = 0; k < 6; k++)
        sum += a[k] * (k + 1);
    out[n] = sum;
}

kernel void bins(global const int *data, global int *out)
{
    int n = get_global_id(0), sums[4];
    for (int k = 0; k < 4; k++)
        sums[k] = 0;
    for (int j = 0; j < 8; j++)
        sums[data[(n + j) & 63] & 3] += data[(n + 5 * j) & 63];
    out[n] = sums[0] + 3 * sums[1] + 5 * sums[2] + 7 * sums[3];
}

// What is used behind the loop comes from whichever turn was the last.
kernel void left_early(global const int *data, global int *out)
{
    int n = get_global_id(0), a[4] = {0, 0, 0, 0}, last = -1, k = 0;
    while (k < 4) {
        a[k] = data[(n + k) & 63];
        last = a[k] * 2 + k;
        if (a[k] % 3 == 0)
            break;
        k++;
    }
    out[n] = last * 10000 + a[0] + a[1] + a[2] + a[3];
}

kernel void of_characters(global const int *data, global int *out)
{
    int n = get_global_id(0);
    char least[4] = {127, 127, 127, 127};
    for (int j = 0; j < 9; j++) {
        char x = data[(n + j) & 63];
        if (x < least[3]) {
            int k = 3;
            while (k > 0 && least[k - 1] > x) {
                least[k] = least[k - 1];
                k--;
            }
            least[k] = x;
        }
    }
    out[n] = least[0] + 10 * least[1] + 100 * least[2] + 1000 * least[3];
}
