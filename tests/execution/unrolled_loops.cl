// Loops that are unrolled four times, by numbers of turns that are no multiples of it, too.
//@ kernel upwards
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 0 13 1877 4430 7510 10955 14603 18292 21860 25145 27985 30218 31682 32215 45655 58840
//@ kernel signed_steps
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 3844 2411 3860 4508 3156 4686 5415 4144 4755 5565 4375 5067 5958 4849 5622 6594
//@ kernel near_the_largest
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 0 932 1783 2553 3242 3850 4377 4823 5188 5472 5675 5797 5838 6798 7677 8475
//@ kernel stores
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[1024] = zero
//@ arg buffer int[16] = zero
//@ result 2 = 0 13 945 1796 2566 3255 3863 4390 4836 5201 5485 5688 5810 5851 6811 7690
//@ kernel calls
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 0 13 945 1796 2566 3255 3863 4390 4836 5201 5485 5688 5810 5851 6811 7690
kernel void upwards(global const int *data, global int *out)
{
    size_t n = get_global_id(0);
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += data[i] * (int)(i + 1);
    out[n] = sum;
}

// From below zero.
kernel void signed_steps(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = -n; i < 20; i += 3)
        sum += data[i + 32];
    out[n] = sum;
}

// Three more turns than there are would not be numbers.
kernel void near_the_largest(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = INT_MAX - n; i < INT_MAX; i++)
        sum += data[INT_MAX - i];
    out[n] = sum;
}

// Each turn reads what the one before has written.
kernel void stores(global const int *data, global int *memory, global int *out)
{
    uint n = get_global_id(0);
    global int *sums = memory + 64 * n;
    for (uint k = 0; k < n; k++)
        sums[k + 1] = sums[k] + data[k];
    out[n] = sums[n];
}

// With functions that drivers inline.
kernel void calls(global const int *data, global int *out)
{
    uint n = get_global_id(0);
    int sum = 0;
    for (uint k = 0; k < n; k++)
        sum += (int)(sqrt((float)(data[k] * data[k])) + 0.5f);
    out[n] = sum;
}
