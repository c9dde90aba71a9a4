// Loads that give the same in each turn of a loop, and such as seem to.
//@ kernel nearest
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg int = 5
//@ arg buffer int[16] = zero
//@ result 2 = 201000 200860 101000 101000 201000 201000 101140 101140 201140 860 910 201000 201000 200866 101000 101000
//@ kernel scaled
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 0 12116 804195 1382920 1767974 1979040 2035801 1957940 1765140 1477084 1113455 693936 238210 5616960 5986869 6136620
//@ kernel written_in_the_loop
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798
//@ result 1 = 13 2809 8630 24554 67871 184619 495416 1309628 3397889 8599709 21016442 48700622 103055267 1774348679 640659212 759717048
//@ kernel no_turns
//@ global 16
//@ arg null
//@ arg int = 0
//@ arg buffer int[16] = zero
//@ result 2 = 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7
//@ kernel through_a_table
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = 3 8 13 2 7 12 1 6 11 0 5 10 15 4 9 14
//@ arg buffer int[16] = zero
//@ result 2 = 0 122 5513 54729 210866 2235664 7160187 127946399 195202532 884866406 1938094061 -1439427315 908491286 2114312852 -2030797409 -339700997
//@ kernel left_early
//@ global 16
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg buffer int[16] = zero
//@ result 1 = 0 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502
//@ kernel behind_barriers
//@ global 16
//@ local 8
//@ arg buffer int[64] = 13 932 851 770 689 608 527 446 365 284 203 122 41 960 879 798 717 636 555 474 393 312 231 150 69 988 907 826 745 664 583 502 421 340 259 178 97 16 935 854 773 692 611 530 449 368 287 206 125 44 963 882 801 720 639 558 477 396 315 234 153 72 991 910
//@ arg int = 3
//@ arg buffer int[16] = zero
//@ result 2 = 104 1023 942 861 780 699 618 537 2920 2839 2758 2677 2596 3515 3434 3353
//@ kernel guarded
//@ global 8
//@ local 8
//@ arg buffer int[32] = -59989 48 35 22 9 -59954 33 20 7 44 -59969 18 5 42 29 -59984 3 40 27 14 -59999 38 25 12 49 -59964 23 10 47 34 -59979 8
//@ arg buffer int[64] = 3 32 -939 19 48 6 35 64 22 -949 9 38 67 25 54 12 -959 70 28 57 15 44 2 -969 60 18 47 5 34 63 -979 50 8 37 66 24 53 -989 40 69 27 56 14 43 -999 30 59 17 46 4 33 -938 20 49 7 36 65 23 -948 10 39 68 26 55
//@ arg buffer short[32] = 0 13 9 5 1 14 10 6 2 15 11 7 3 16 12 8 4 0 13 9 5 1 14 10 6 2 15 11 7 3 16 12
//@ arg buffer int[8] = zero
//@ result 3 = 199 154 201 230 185 223 67 235
kernel void nearest(global const int *points, int count, global int *out)
{
    int n = get_global_id(0), best = 0, least = INT_MAX;
    for (int c = 0; c < count; c++) {
        int distance = 0;
        for (int k = 0; k < 4; k++)
            distance += abs(points[(n + 16 * k) & 63] - points[(3 * c + k) & 63]);
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    out[n] = best * 100000 + least;
}

kernel void scaled(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = 0; i < n; i++)
        sum += data[i] * data[n];
    out[n] = sum;
}

kernel void written_in_the_loop(global const int *data, global int *out)
{
    int n = get_global_id(0);
    for (int i = 0; i < n; i++)
        out[n] = (uint)out[n] * 3 + data[i];
}

// Nothing is to be loaded from the null pointer.
kernel void no_turns(global const int *data, int count, global int *out)
{
    int n = get_global_id(0), sum = 7;
    for (int i = 0; i < count; i++)
        sum += data[n] + i;
    out[n] = sum;
}

kernel void through_a_table(global const int *data, global const int *table, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = 0; i < n; i++)
        sum = (uint)sum * 7 + data[table[table[n]]] + i;
    out[n] = sum;
}

kernel void left_early(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = 0; i < n; i++) {
        if (data[i] > 900)
            break;
        sum += data[n + 16];
    }
    out[n] = sum;
}

kernel void behind_barriers(global const int *data, int turns, global int *out)
{
    local int values[8];
    int n = get_global_id(0), lane = get_local_id(0);
    values[lane] = data[n];
    for (int turn = 0; turn < turns; turn++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int sum = values[lane] + values[0];
        barrier(CLK_LOCAL_MEM_FENCE);
        values[lane] = sum;
    }
    out[n] = values[lane];
}

// Loads whose index, and whether there is one, another load says.
kernel void guarded(global const int *rules, global const int *scores, global const short *weights,
                    global int *out)
{
    local int first[32], second[64];
    local short weight[32];
    const int lid = get_local_id(0);
    for (int i = lid; i < 32; i += 8) {
        first[i] = rules[i];
        weight[i] = weights[i];
    }
    for (int i = lid; i < 64; i += 8)
        second[i] = scores[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    int best = -100000;
    for (int r = lid * 4; r < (lid + 1) * 4; r++) {
        const int f = first[r];
        if (f < 0)
            continue;
        const int s = second[f];
        if (s < 0)
            continue;
        best = max(best, f + s * 3 + weight[r]);
    }
    out[lid] = best;
}
