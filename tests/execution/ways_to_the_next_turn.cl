// Several tests in a turn of a loop that lead to the same way, for work-items that decide differently: values by Python.
//@ kernel matches
//@ global 16
//@ arg buffer int[64] = 11 0 15 8 11 8 15 14 6 8 4 10 10 4 1 12 1 0 9 12 9 4 2 10 12 8 14 14 7 8 3 8 7 0 3 10 14 12 4 6 2 8 13 4 5 0 5 4 13 0 10 14 12 4 6 2 3 0 7 8 3 8 7 6
//@ arg buffer int[16] = zero
//@ result 1 = 5957 5134 7560 11594 2823 5833 8457 5513 6411 4870 6219 8781 3973 8717 1671 6795
//@ kernel turns
//@ global 16
//@ arg buffer int[64] = 11 0 15 8 11 8 15 14 6 8 4 10 10 4 1 12 1 0 9 12 9 4 2 10 12 8 14 14 7 8 3 8 7 0 3 10 14 12 4 6 2 8 13 4 5 0 5 4 13 0 10 14 12 4 6 2 3 0 7 8 3 8 7 6
//@ arg buffer int[16] = zero
//@ result 1 = 6426 3533 6360 3472 5981 3499 6297 3480 6120 3251 6246 3443 6214 3358 5758 3400
//@ kernel nested
//@ global 16
//@ arg buffer int[64] = 11 0 15 8 11 8 15 14 6 8 4 10 10 4 1 12 1 0 9 12 9 4 2 10 12 8 14 14 7 8 3 8 7 0 3 10 14 12 4 6 2 8 13 4 5 0 5 4 13 0 10 14 12 4 6 2 3 0 7 8 3 8 7 6
//@ arg buffer int[16] = zero
//@ result 1 = 4886 6499 5843 6829 4375 5460 4548 5448 5486 6120 5618 6219 6641 5258 5987 4988
//@ kernel pair
//@ global 16
//@ arg buffer int[64] = 11 0 15 8 11 8 15 14 6 8 4 10 10 4 1 12 1 0 9 12 9 4 2 10 12 8 14 14 7 8 3 8 7 0 3 10 14 12 4 6 2 8 13 4 5 0 5 4 13 0 10 14 12 4 6 2 3 0 7 8 3 8 7 6
//@ arg buffer int[16] = zero
//@ result 1 = 1556 2616 2803 2491 2691 2660 2461 2141 3263 3226 2799 1046 2319 4550 3380 2078
kernel void matches(global const int *data, global int *out)
{
    int n = get_global_id(0), pos = n, sum = 0, count = 0;
    while (pos < 56) {
        int v = data[pos], ref = v * 5 + n & 31, w;
        if (ref >= pos || (w = data[ref] ^ v) > 6) {
            pos++;
            continue;
        }
        int length = 1;
        while (pos + length < 60 && (data[ref + length] ^ data[pos + length]) < 10)
            length++;
        sum += length * (w + 1);
        count++;
        pos += length;
    }
    out[n] = sum * 64 + count;
}

kernel void turns(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = n, next; i < 64; i = next) {
        next = i + 1 + (data[i] & 1);
        if (data[i] < n % 5)
            continue;
        int x = data[i * 3 & 63];
        if (x > 11)
            continue;
        for (int k = 0; k < x; k += 1 + (n & 1))
            sum += k ^ i;
        sum += x;
    }
    out[n] = sum;
}

// Tests of tests, and a loop that is left early.
kernel void nested(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = n; i < 48; i++) {
        if ((data[i] > 4 && data[i + n & 63] > 7) || data[i * 5 & 63] == n) {
            sum += 3;
            continue;
        }
        int j = 0;
        for (int y = data[i * 7 & 63]; j < y; j++) {
            if (data[i + j & 63] == 9)
                break;
            sum += j + i;
        }
        sum ^= j;
    }
    out[n] = sum;
}

// The way that both tests lead to is the end of the turn.
kernel void pair(global const int *data, global int *out)
{
    int n = get_global_id(0), sum = 0;
    for (int i = 0; i < 40; i++) {
        int a = data[i + n & 63];
        if (!(a & 1)) {
            int b = data[a + i & 63];
            if (b > 5) {
                for (int t = b; t > 0; t -= 3)
                    sum += t * a;
                sum += b;
            } else {
                i++;
            }
        }
    }
    out[n] = sum;
}
