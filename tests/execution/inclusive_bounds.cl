// Loops that go on while a variable is not above a bound.
//@ kernel to_bound
//@ global 16
//@ arg buffer int[80] = 469 415 288 693 80 572 872 472 182 741 568 950 491 845 900 680 475 625 546 805 609 605 308 463 818 845 823 76 498 373 135 973 533 632 248 313 503 627 285 658 315 273 971 29 718 856 142 686 315 138 233 305 896 380 90 953 735 770 619 35 685 855 977 963 709 545 727 605 29 946 306 76 791 398 278 373 648 499 551 276
//@ arg buffer int[16] = zero
//@ result 1 = 1407 3335 5335 11482 12199 17887 24554 34366 37853 41587 48300 48199 53760 65131 58673 50730
//@ kernel by_three
//@ global 16
//@ arg buffer int[80] = 469 415 288 693 80 572 872 472 182 741 568 950 491 845 900 680 475 625 546 805 609 605 308 463 818 845 823 76 498 373 135 973 533 632 248 313 503 627 285 658 315 273 971 29 718 856 142 686 315 138 233 305 896 380 90 953 735 770 619 35 685 855 977 963 709 545 727 605 29 946 306 76 791 398 278 373 648 499 551 276
//@ arg buffer int[16] = zero
//@ result 1 = 22257 13909 14420 88499 27346 63121 293537 190517 153391 737299 685422 985327 1775027 2445317 2636905 6313057
//@ kernel never
//@ global 16
//@ arg buffer int[80] = 469 415 288 693 80 572 872 472 182 741 568 950 491 845 900 680 475 625 546 805 609 605 308 463 818 845 823 76 498 373 135 973 533 632 248 313 503 627 285 658 315 273 971 29 718 856 142 686 315 138 233 305 896 380 90 953 735 770 619 35 685 855 977 963 709 545 727 605 29 946 306 76 791 398 278 373 648 499 551 276
//@ arg buffer int[16] = zero
//@ result 1 = 0 0 0 0 0 0 0 76 871 1481 2273 2699 2856 3266 3222 3974
//@ kernel near_end
//@ global 16
//@ arg buffer int[80] = 469 415 288 693 80 572 872 472 182 741 568 950 491 845 900 680 475 625 546 805 609 605 308 463 818 845 823 76 498 373 135 973 533 632 248 313 503 627 285 658 315 273 971 29 718 856 142 686 315 138 233 305 896 380 90 953 735 770 619 35 685 855 977 963 709 545 727 605 29 946 306 76 791 398 278 373 648 499 551 276
//@ arg buffer int[16] = zero
//@ result 1 = 0 0 0 0 0 380 1366 2624 0 138 686 1677 2715 3951 4759 5741
//@ kernel unsigned_end
//@ global 16
//@ arg buffer int[80] = 469 415 288 693 80 572 872 472 182 741 568 950 491 845 900 680 475 625 546 805 609 605 308 463 818 845 823 76 498 373 135 973 533 632 248 313 503 627 285 658 315 273 971 29 718 856 142 686 315 138 233 305 896 380 90 953 735 770 619 35 685 855 977 963 709 545 727 605 29 946 306 76 791 398 278 373 648 499 551 276
//@ arg buffer int[16] = zero
//@ result 1 = 5004 5537 6169 6417 6730 7233 7860 8145 8803 9118 9391 10362 10391 11109 11965 12107
kernel void to_bound(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int k = -n; k <= n; k++)
        sum += data[k + n] * (k + 3);
    out[n] = sum;
}

kernel void by_three(global const uint *data, global uint *out)
{
    uint n = get_global_id(0), sum = 0;
    for (uint k = n; k <= 2 * n + 9; k += 3)
        sum = sum * 3 + data[k];
    out[n] = sum;
}

// Where the bound is below.
kernel void never(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int k = 20 + n; k <= 13 + 2 * n; k++)
        sum += data[k];
    out[n] = sum;
}

// The largest numbers.
kernel void near_end(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int k = INT_MAX - 5 - n; k <= 0x7ffffff0 + n % 8; k++)
        sum += data[k & 63];
    out[n] = sum;
}

kernel void unsigned_end(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (uint k = UINT_MAX - 40; k <= UINT_MAX - 32 + n; k++)
        sum += data[k & 63];
    out[n] = sum;
}
