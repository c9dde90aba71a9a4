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
//@ kernel from_a_start
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 14603 12201 8799 5397 7995 13593 15191 12789 9387 5985 8583 14181 15779 13377 9975 6573
//@ kernel many_from_a_start
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 2588924 2555410 2614360 2574110 2623060 2576074 2615024 2562302 2591252 2531978 2551928 2486102 2597052 2524674 2625624 2546694
//@ kernel to_the_largest
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 8768 8472 8176 7880 7584 7288 6992 7696 0 0 0 0 0 0 0 0
//@ kernel to_the_largest_long
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 25944 25056 24168 23280 22392 21504 20616 22728 0 0 0 0 0 0 0 0
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

// So many turns from a start that is not known.
kernel void from_a_start(global const int *data, global int *out)
{
    uint n = get_global_id(0), turn = 1;
    int sum = 0;
    for (uint i = n * 2; i < n * 2 + 6; i++)
        sum += data[i] * turn++;
    out[n] = sum;
}

// From below zero; a hundred turns.
kernel void many_from_a_start(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0, turn = 1, start = n - 5;
    for (int i = start; i < start + 200; i += 2)
        sum += data[i & 63] * turn++;
    out[n] = sum;
}

// Without a turn where the end is beyond the largest number.
kernel void to_the_largest(global const int *data, global int *out)
{
    uint n = get_global_id(0), start = 0xFFFFFFE8u + n;
    int sum = 0, turn = 0;
    for (uint i = start; i < start + 16; i++)
        sum += data[i & 63] + turn++;
    out[n] = sum;
}

kernel void to_the_largest_long(global const int *data, global int *out)
{
    uint n = get_global_id(0);
    ulong start = 0xFFFFFFFFFFFFFFE8ul + n;
    int sum = 0;
    for (ulong i = start; i < start + 16; i++)
        sum += data[i & 63] * 3;
    out[n] = sum;
}
