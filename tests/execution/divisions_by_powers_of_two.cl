// Signed divisions by powers of two, of numbers of which some cannot be negative: values by Python.
//@ kernel halved
//@ global 16
//@ local 8
//@ arg buffer int[64] = -1000 416 -169 -753 663 78 -506 910 326 -259 -844 573 -12 -597 820 235 -349 -934 482 -102 -687 730 145 -440 977 392 -193 -777 639 55 -530 886 302 -283 -867 549 -36 -620 796 211 -373 -958 459 -126 -711 706 121 -464 953 368 -216 -801 615 31 -554 863 278 -307 -891 525 -60 -644 772 188
//@ arg buffer int[16] = zero
//@ result 1 = 70 140 210 280 350 420 490 560 70 140 210 280 350 420 490 560
//@ kernel counted
//@ global 16
//@ local 8
//@ arg buffer int[64] = -1000 416 -169 -753 663 78 -506 910 326 -259 -844 573 -12 -597 820 235 -349 -934 482 -102 -687 730 145 -440 977 392 -193 -777 639 55 -530 886 302 -283 -867 549 -36 -620 796 211 -373 -958 459 -126 -711 706 121 -464 953 368 -216 -801 615 31 -554 863 278 -307 -891 525 -60 -644 772 188
//@ arg buffer int[16] = zero
//@ result 1 = 60 -608 -3122 -1470 2343 -1695 4425 12689 60 -608 -3122 -1470 2343 -1695 4425 12689
//@ kernel down
//@ global 16
//@ local 8
//@ arg buffer int[64] = -1000 416 -169 -753 663 78 -506 910 326 -259 -844 573 -12 -597 820 235 -349 -934 482 -102 -687 730 145 -440 977 392 -193 -777 639 55 -530 886 302 -283 -867 549 -36 -620 796 211 -373 -958 459 -126 -711 706 121 -464 953 368 -216 -801 615 31 -554 863 278 -307 -891 525 -60 -644 772 188
//@ arg buffer int[16] = zero
//@ result 1 = 0 8 184 2736 80368 49653 57469 31946 31837 28495 62278 96307 85117 96006 25931 65278
//@ kernel both
//@ global 16
//@ local 8
//@ arg buffer int[64] = -1000 416 -169 -753 663 78 -506 910 326 -259 -844 573 -12 -597 820 235 -349 -934 482 -102 -687 730 145 -440 977 392 -193 -777 639 55 -530 886 302 -283 -867 549 -36 -620 796 211 -373 -958 459 -126 -711 706 121 -464 953 368 -216 -801 615 31 -554 863 278 -307 -891 525 -60 -644 772 188
//@ arg buffer int[16] = zero
//@ result 1 = 33580 33642 33408 7819 33467 32395 30952 30985 29074 28291 28310 28362 26741 26741 26779 25918
kernel void halved(global const int *data, global int *out)
{
    int me = get_local_id(0), width = get_local_size(0), sum = 0, span;
    for (span = width / 2; span > 0; span /= 2)
        sum += span * (me + 1);
    out[get_global_id(0)] = sum * 10 + span;
}

kernel void counted(global const int *data, global int *out)
{
    int me = get_local_id(0), width = get_local_size(0), sum = 0;
    for (int i = me; i < 40; i += width)
        sum += i / 4 * 3 + i % 8 * data[i];
    out[get_global_id(0)] = sum;
}

// Counts down to what is negative.
kernel void down(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = n; i >= -n; i--)
        sum = sum * 3 % 100003 + i / 4 * 7 + i % 8;
    out[n] = sum;
}

kernel void both(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = n; i < 64; i++) {
        int v = data[i];
        sum += v / 16;
        if (v >= 0 && n != 3)
            sum += v % 16 * 100;
        if (v <= -5)
            sum += v % 4;
        else
            sum += v / 2;
    }
    out[n] = sum;
}
