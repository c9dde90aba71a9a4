// Cases in a row that go to one place, among others, signed ones and those at the ends of the range.
//@ kernel characters
//@ global 16
//@ arg buffer uchar[32] = 48 57 47 58 45 44 46 97 103 102 65 70 71 0 255 32 49 51 54 98 101 104 69 96 64 9 10 11 13 12 127 128
//@ arg buffer int[16] = zero
//@ result 1 = 1 30 0 5 11 -8 8 28 -8 145 130 43 94 -8 -8 298
//@ kernel ends
//@ global 16
//@ arg buffer int[16] = -2147483648 -2147483647 -2147483646 -2147483645 2147483647 2147483646 2147483645 2147483644 -1 0 1 2 -2 -3 5 6
//@ arg buffer int[16] = zero
//@ result 1 = 10 11 12 49 24 25 26 53 240 270 300 57 62 63 -26 61
//@ kernel wide
//@ global 8
//@ arg buffer long[8] = 4294967295 4294967296 4294967297 4294967298 0 1 2 -1
//@ arg buffer int[8] = zero
//@ result 1 = 1 2 3 0 -4 0 0 0
int value_of(uchar c)
{
    switch (c) {
    case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9':
        return c - '0';
    case 'a': case 'b': case 'c': case 'd': case 'e': case 'f':
        return c - 'a' + 10;
    case 'A': case 'B': case 'C': case 'D': case 'E': case 'F':
        return c - 'A' + 10;
    case ' ': case '\t': case '\n': case '\r':
        return 100;
    case '-':
        return -1;
    default:
        return -2;
    }
}

kernel void characters(global const uchar *text, global int *out)
{
    int n = get_global_id(0), state = 0;
    for (int i = 0; i < 2; i++)
        state = state * 3 + value_of(text[n + 16 * i]);
    out[n] = state;
}

kernel void ends(global const int *numbers, global int *out)
{
    int n = get_global_id(0), sum = n;
    switch (numbers[n]) {
    case INT_MIN: case INT_MIN + 1: case INT_MIN + 2:
        sum += 10;
        break;
    case INT_MAX: case INT_MAX - 1: case INT_MAX - 2:
        sum += 20;
        break;
    case -1: case 0: case 1:
        sum *= 30;
        break;
    case 5:
        sum -= 40;
        break;
    default:
        sum ^= 50;
    }
    out[n] = sum;
}

kernel void wide(global const long *numbers, global int *out)
{
    int n = get_global_id(0);
    switch (numbers[n]) {
    case 4294967295: case 4294967296: case 4294967297:
        out[n] = n + 1;
        break;
    case 0:
        out[n] = -n;
    }
}
