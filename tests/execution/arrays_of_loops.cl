// Private arrays that loops in loops index, of which some have to be written out.
//@ kernel sweeps
//@ global 16
//@ arg buffer int[80] = 469 415 288 693 80 572 872 472 182 741 568 950 491 845 900 680 475 625 546 805 609 605 308 463 818 845 823 76 498 373 135 973 533 632 248 313 503 627 285 658 315 273 971 29 718 856 142 686 315 138 233 305 896 380 90 953 735 770 619 35 685 855 977 963 709 545 727 605 29 946 306 76 791 398 278 373 648 499 551 276
//@ arg buffer int[16] = zero
//@ result 1 = 7993 7901 8841 9825 6829 6471 9755 7821 5782 8735 6006 4456 7901 7518 5520 7245
//@ kernel rows
//@ global 16
//@ arg buffer int[80] = 469 415 288 693 80 572 872 472 182 741 568 950 491 845 900 680 475 625 546 805 609 605 308 463 818 845 823 76 498 373 135 973 533 632 248 313 503 627 285 658 315 273 971 29 718 856 142 686 315 138 233 305 896 380 90 953 735 770 619 35 685 855 977 963 709 545 727 605 29 946 306 76 791 398 278 373 648 499 551 276
//@ arg buffer int[16] = zero
//@ result 1 = 13517 17563 15471 17060 13517 17563 15471 17060 13517 17563 15471 17060 13517 17563 15471 17060
//@ kernel binned
//@ global 16
//@ arg buffer int[80] = 469 415 288 693 80 572 872 472 182 741 568 950 491 845 900 680 475 625 546 805 609 605 308 463 818 845 823 76 498 373 135 973 533 632 248 313 503 627 285 658 315 273 971 29 718 856 142 686 315 138 233 305 896 380 90 953 735 770 619 35 685 855 977 963 709 545 727 605 29 946 306 76 791 398 278 373 648 499 551 276
//@ arg buffer int[16] = zero
//@ result 1 = 14829 13751 18585 11811 12805 14463 13825 15371 14829 13751 18585 11811 12805 14463 13825 15371
//@ kernel reactions
//@ global 16
//@ arg buffer int[80] = 469 415 288 693 80 572 872 472 182 741 568 950 491 845 900 680 475 625 546 805 609 605 308 463 818 845 823 76 498 373 135 973 533 632 248 313 503 627 285 658 315 273 971 29 718 856 142 686 315 138 233 305 896 380 90 953 735 770 619 35 685 855 977 963 709 545 727 605 29 946 306 76 791 398 278 373 648 499 551 276
//@ arg buffer int[16] = zero
//@ result 1 = 985 -863 -784 8254 2248 4194 -3596 1344 2260 2379 752 5980 3795 2921 5779 4872
// The loop of sweeps counts nothing that indexes.
kernel void sweeps(global const int *data, global int *out)
{
    int n = get_global_id(0), a[3][3], sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a[i][j] = data[(3 * i + j + n) % 80] % 17;
    for (int sweep = 0; sweep < 20; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if ((a[p][q] & 3) == 0) {
                    a[p][q]++;
                    continue;
                }
                for (int k = 0; k < 3; k++) {
                    int x = a[k][p], y = a[k][q];
                    a[k][p] = (x + 3 * y) & 255;
                    a[k][q] = (y - x) & 255;
                }
            }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += a[i][j] * (1 + i + 4 * j);
    out[n] = sum;
}

// More turns than drivers write out.
kernel void rows(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    short best[71];
    for (int j = 0; j <= 70; j++)
        best[j] = 0;
    for (int i = 0; i < 5; i++) {
        int left = 0, corner = 0;
        for (int j = 1; j <= 70; j++) {
            int here = corner + (data[j] % 4 == (n + i) % 4 ? 5 : -4);
            here = max(max(here, max((int)best[j], left) - 3), 0);
            corner = best[j];
            best[j] = here;
            left = here;
        }
    }
    for (int j = 0; j <= 70; j++)
        sum += best[j] * j;
    out[n] = sum;
}

// A loop that does nothing but index.
kernel void binned(global const int *data, global int *out)
{
    int n = get_global_id(0), bins[8], sum = 0;
    for (int i = 0; i < 8; i++)
        bins[i] = 0;
    for (int k = 0; k < 40; k++)
        bins[(data[k] + n) % 8] += k;
    for (int i = 0; i < 8; i++)
        sum += bins[i] * (i * i + 1);
    out[n] = sum;
}

typedef struct {
    int left[2], right[2];
    int factor;
} reaction;

constant reaction table[] = {
    { { 0, 3 }, { 2, 5 }, 3 }, { { 1, -1 }, { 4, 0 }, -2 }, { { 4, 5 }, { 0, 3 }, 7 },
    { { 2, 0 }, { 1, -1 }, 1 }, { { 5, 3 }, { 3, 1 }, -5 },
};

// A table says which elements.
kernel void reactions(global const int *data, global int *out)
{
    int n = get_global_id(0), a[6], w[6], sum = 0;
    for (int i = 0; i < 6; i++) {
        a[i] = data[(i * 7 + n) % 80];
        w[i] = 0;
    }
    for (int k = 0; k < 5; k++) {
        constant reaction *r = &table[k];
        int q = r->factor;
        for (int i = 0; i < 2; i++)
            if (r->left[i] >= 0)
                q += a[r->left[i]] % 13;
        for (int i = 0; i < 2; i++) {
            if (r->left[i] >= 0)
                w[r->left[i]] -= q;
            if (r->right[i] >= 0)
                w[r->right[i]] += q * (i + 1);
        }
    }
    for (int i = 0; i < 6; i++)
        sum = sum * 3 + w[i];
    out[n] = sum;
}
