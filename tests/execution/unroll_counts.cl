// Loops of which the source says how many turns are to be one: numbers of turns that are multiples of it, and others;
// and loops with hints that step by several blocks, that only returns leave, and that begin with a switch.
//@ kernel by_threes
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 0 13 1877 4430 7510 10955 14603 18292 21860 25145 27985 30218 31682 32215 45655 58840
//@ kernel signed_by_fives
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 0 83530 87992 131160 148842 196408 224718 273442 275788 290430 302220 375540 394182 464940 465842 510798
//@ kernel all_of_twelve
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 13918 12650 14382 14114 12846 14578 14310 13042 14774 14506 13238 14970 14702 13434 15166 14898
//@ kernel many_by_fours
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = -302263368 937650153 20717114 401225835 2116699580 564929517 12757054 1037515887 -1393607744 -778060815 2058835522 -16122765 1791110596 -79562763 1499095110 2011201655
//@ kernel no_loads
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 0 1 5 14 30 55 91 140 204 285 385 506 650 819 1015 1240
//@ kernel nested
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 0 0 13 876 2185 3295 5312 7089 10286 13234 17279 22490 26567 29881 39946 47279
//@ kernel steps_of_blocks
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 0 971 3521 3404 10847 97005 101139 84858 303729 706597 2737189 613612 8211907 14833603 73907903 13382678
//@ kernel left_by_returns
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 1 0 11 10 9 8 7 6 5 4 3 2 1 0 11 10
//@ kernel begins_with_switch
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 0 0 6 4 131 7 81 207 6106 496 9556 7984 208181 9407 179331 259531
kernel void by_threes(global const int *data, global int *out)
{
    size_t n = get_global_id(0);
    int sum = 0;
    __attribute__((opencl_unroll_hint(3)))
    for (size_t i = 0; i < n; i++)
        sum += data[i] * (int)(i + 1);
    out[n] = sum;
}

// From below zero.
kernel void signed_by_fives(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    __attribute__((opencl_unroll_hint(5)))
    for (int i = -2 * n; i < n; i += 2)
        sum += data[(i + 40) & 63] * (i + 50);
    out[n] = sum;
}

kernel void all_of_twelve(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
#pragma unroll 16
    for (int i = 0; i < 12; i++)
        sum += data[(i + n) & 63] << i % 3;
    out[n] = sum;
}

kernel void many_by_fours(global const int *data, global int *out)
{
    uint n = get_global_id(0), sum = n;
#pragma unroll 4
    for (uint i = 0; i < 400; i++)
        sum = sum * 3 + data[(i ^ n) & 63];
    out[n] = sum;
}

kernel void no_loads(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    __attribute__((opencl_unroll_hint(8)))
    for (int i = 0; i < n; i++)
        sum += i * i + n;
    out[n] = sum;
}

kernel void nested(global const int *data, global int *out)
{
    uint n = get_global_id(0);
    int sum = 0;
    __attribute__((opencl_unroll_hint(2)))
    for (uint i = 0; i < n; i++) {
        __attribute__((opencl_unroll_hint(4)))
        for (uint j = 0; j < i; j++)
            sum += data[i * j & 63] ^ j;
    }
    out[n] = sum;
}

// The step is a call with ways of its own, and several blocks enter the loop.
int next_of(int i, global const int *data)
{
    if (data[i & 63] & 1)
        return i + 1;
    return i + 1 + (data[i + 1 & 63] & 3);
}

kernel void steps_of_blocks(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0, i = 0;
    if (n & 1)
        i = n >> 1;
    __attribute__((opencl_unroll_hint(2)))
    for (; i < 3 * n; i = next_of(i, data))
        sum = sum * 3 + data[i & 63];
    out[n] = sum;
}

kernel void left_by_returns(global const int *data, global int *out)
{
    int n = get_global_id(0);
#pragma unroll 4
    for (int i = 0;; i++) {
        if (data[i + n & 63] > 900) {
            out[n] = i;
            return;
        }
    }
}

kernel void begins_with_switch(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0, i = 0;
#pragma unroll
    do {
        switch (data[i + n & 63] & 3) {
        case 0: sum += i; break;
        case 1: sum ^= n; break;
        default: sum = sum * 5 + 1; break;
        }
        i++;
    } while (i < n);
    out[n] = sum;
}
