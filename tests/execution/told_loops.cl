// Loops that turn as often as they are told and access an element of a private array in each turn, and one that does so at
// times.
//@ kernel filled
//@ global 8
//@ arg buffer uint[8] = 3 17 250 1000 77 4242 9 31337
//@ arg uint = 6
//@ arg buffer uint[8] = zero
//@ result 2 = 0 3 1300 29379 9964 2068147 21581 56757128
//@ kernel downwards
//@ global 8
//@ arg buffer uint[8] = 3 17 250 1000 77 4242 9 31337
//@ arg int = 0
//@ arg buffer uint[8] = zero
//@ result 2 = 10267 17589 48210 36259 3651 13859080 10661 5643870
//@ kernel at_times
//@ global 8
//@ arg buffer uint[8] = 3 17 250 1000 77 4242 9 31337
//@ arg uint = 9
//@ arg buffer uint[8] = zero
//@ result 2 = 54 180 2252 8724 815 36646 222 270440
kernel void filled(global const uint *in, const uint most, global uint *out)
{
    uint n = get_global_id(0), x = in[n], count = min(n, most);
    uint p[6], top = 0, sum = n;
    for (uint c = 0; c < count; c++) {
        p[c] = x * (c + 3) ^ x >> c;
        top = max(top, p[c]);
    }
    for (uint c = 0; c < count; c++) {
        p[c] = top - p[c];
        sum = sum * 3 + p[c];
    }
    for (uint c = 0; c < count; c++)
        sum ^= p[c] << c;
    out[n] = sum;
}

kernel void downwards(global const uint *in, const int least, global uint *out)
{
    uint n = get_global_id(0), x = in[n], sum = 0;
    uint p[5] = {1, 2, 3, 4, 5};
    int end = least + n % 5;
    for (int c = 4; c >= end; c--)
        p[c] = p[c] * x + c;
    for (int c = 0; c < 5; c++)
        sum = sum * 7 + p[c];
    out[n] = sum;
}

kernel void at_times(global const uint *in, const uint most, global uint *out)
{
    uint n = get_global_id(0), x = in[n], sum = 0;
    uint p[4] = {x, x >> 1, x >> 2, x >> 3};
    for (uint c = 0; c < most; c++)
        if ((x >> c & 1) && c < 4)
            p[c] += c + n;
        else
            sum += c;
    out[n] = sum + p[0] * 3 + p[1] * 5 + p[2] * 7 + p[3] * 11;
}
