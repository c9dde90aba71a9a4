// Loops that are unrolled four times, whose steps are only known when they run or go down, or that end at a number.
//@ kernel by_an_argument
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ arg int = 3
//@ result 1 = 285870 287550 336990 285857 285686 334437 282777 282241 330789 279088 278673 327504 276248 276440 326040 275715
//@ kernel by_all_work_items
//@ global 16
//@ local 4
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 7604 9984 11401 9862 7494 8036 10578 9120 6833 8456 10079 8702 6496 8200 9904 8608
//@ kernel by_large_steps
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 39 2553 2067 1581 1095 1609 1123 1637 1151 1665 1179 693 207 2721 2235 1749
//@ kernel downwards
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 47690 43632 56184 51440 45426 82860 76836 69380 105210 97420 88036 121776 111734 99936 131100 118320
//@ kernel downwards_unsigned
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 405740 405727 403863 401310 398230 394785 391137 387448 383880 380595 377755 375522 374058 373525 360085 346900
//@ kernel near_the_least
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 0 2796 5349 7659 9726 11550 13131 14469 15564 16416 17025 17391 17514 20394 23031 25425
//@ kernel until_equal
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ arg int = 37
//@ result 1 = 319667 319602 315874 309917 305297 304608 304608 303027 302135 297390 293982 290937 289229 288860 281180 271511
//@ kernel until_zero
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 0 13 946 1799 2572 3265 3878 4411 4864 5237 5530 5743 5876 5929 6902 7795
//@ kernel past_the_largest
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ arg uint = 9
//@ result 1 = 43745 41360 39380 37805 36635 35870 35510 30555 26005 25940 21280 17025 13175 9730 6690 4055
//@ kernel counts
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 158 140 136 132 78 99 96 93 114 124 120 116 162 133 192 187
// Steps that are an argument.
kernel void by_an_argument(global const int *data, global int *out, int step)
{
    int n = get_global_id(0), sum = 0;
    for (int i = n; i < 60; i += step)
        sum += data[i] * (i + 1);
    out[n] = sum;
}

// As many work-items as there are go through all, and those of a work-group.
kernel void by_all_work_items(global const int *data, global int *out)
{
    uint n = get_global_id(0);
    int sum = 0;
    for (uint i = n; i < 50; i += get_global_size(0))
        sum += data[i];
    for (size_t i = n; i < 64; i += get_local_size(0))
        sum += data[i];
    out[n] = sum;
}

// Four steps would be more than the largest number.
kernel void by_large_steps(global const int *data, global int *out)
{
    uint n = get_global_id(0), step = 0x50000000u | n;
    int sum = 0;
    for (uint i = n; i < 0xC0000000u; i += step)
        sum += data[i & 63];
    out[n] = sum;
}

// To zero and below.
kernel void downwards(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = n + 20; i >= 0; i -= 3)
        sum += data[i] * (i + 2);
    out[n] = sum;
}

kernel void downwards_unsigned(global const int *data, global int *out)
{
    uint n = get_global_id(0);
    int sum = 0;
    for (uint i = 40; i > n; i--)
        sum += data[i - 1] * (int)i;
    out[n] = sum;
}

// Three turns less than there are would not be numbers.
kernel void near_the_least(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = INT_MIN + n; i > INT_MIN; i--)
        sum += data[i & 63] * 3;
    out[n] = sum;
}

kernel void until_equal(global const int *data, global int *out, int end)
{
    int n = get_global_id(0), sum = 0;
    for (int i = n; i != end; ++i)
        sum += data[i] * (i ^ 5);
    out[n] = sum;
}

kernel void until_zero(global const int *data, global int *out)
{
    uint n = get_global_id(0), left = n;
    int sum = 0;
    while (left--)
        sum += data[left] + (int)left;
    out[n] = sum;
}

// The variable begins anew at zero on its way.
kernel void past_the_largest(global const int *data, global int *out, uint end)
{
    uint n = get_global_id(0);
    int sum = 0;
    for (uint i = 0xFFFFFFF8u + n; i != end; i++)
        sum += data[i & 63] * 5;
    out[n] = sum;
}

// By atomic operations, each work-item every sixteenth number.
kernel void counts(global const int *data, global int *out)
{
    for (uint i = get_global_id(0); i < 64; i += get_global_size(0))
        atomic_add(&out[data[i] & 15], (int)i + 1);
}
