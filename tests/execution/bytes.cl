// Bytes that are compared and chosen among, in arrays and as vectors: what is chosen is cut and extended as the
// types say.
//@ kernel unsigned_bytes
//@ global 2
//@ arg buffer uchar[6] = 200 3 128 255 0 127
//@ arg buffer int[12] = zero
//@ result 1 = 3 128 200 200 328 72 0 127 255 255 382 126
//@ kernel signed_bytes
//@ global 2
//@ arg buffer char[6] = -56 3 -128 -1 0 127
//@ arg buffer int[10] = zero
//@ result 1 = -128 -56 3 1 128 -1 0 127 1 255
//@ kernel vectors
//@ global 1
//@ arg buffer uchar[8] = 200 3 128 255 100 4 127 254
//@ arg buffer uchar[8] = zero
//@ arg buffer int[4] = zero
//@ result 1 = 100 3 127 254 56 10 127 127
//@ result 2 = -1 0 -1 -1
//@ kernel stored
//@ global 1
//@ arg buffer uchar[5] = 250 10 7 251 252
//@ arg buffer uchar[5] = zero
//@ arg buffer int[2] = zero
//@ result 1 = 4 10 14 251 252
//@ result 2 = 531 -9
//@ kernel joined
//@ arg buffer uchar[8] = 1 2 3 255 128 0 127 254
//@ arg buffer uint[5] = zero
//@ result 1 = 4278387201 16909311 4269736064 2147516414 196353
void sort3(uchar *a, uchar *b, uchar *c)
{
    uchar low = min(*a, *b), high = max(*a, *b);
    *a = min(low, *c);
    uchar rest = max(low, *c);
    *b = min(high, rest);
    *c = max(high, rest);
}

//@ kernel equality
//@ global 8
//@ arg buffer uchar[8] = 200 65 0 255 128 127 200 65
//@ arg buffer uchar[8] = 200 66 0 255 127 128 56 65
//@ arg buffer int[8] = zero
//@ result 2 = 25 2 11 11 2 2 16 15
kernel void unsigned_bytes(global const uchar *in, global int *out)
{
    int i = get_global_id(0);
    uchar three[3];
    for (int k = 0; k < 3; k++)
        three[k] = in[3 * i + k];
    for (int k = 0; k < 1; k++)
        sort3(&three[k], &three[k + 1], &three[k + 2]);
    for (int k = 0; k < 3; k++)
        out[6 * i + k] = three[k];
    uchar largest = 0;
    for (int k = 0; k < 3; k++)
        largest = max(largest, in[3 * i + k]);
    out[6 * i + 3] = largest;
    // The sum of two as an int, and as a byte.
    out[6 * i + 4] = three[1] + three[2];
    out[6 * i + 5] = (uchar)(three[1] + three[2]);
}

kernel void signed_bytes(global const char *in, global int *out)
{
    int i = get_global_id(0);
    char three[3];
    for (int k = 0; k < 3; k++)
        three[k] = in[3 * i + k];
    char low = min(min(three[0], three[1]), three[2]), high = max(max(three[0], three[1]), three[2]);
    out[5 * i] = low;
    out[5 * i + 1] = clamp(three[0], low, high) == three[0] ? max(min(three[0], three[1]), min(max(three[0], three[1]), three[2])) : 99;
    out[5 * i + 2] = high;
    out[5 * i + 3] = three[0] < three[1];
    out[5 * i + 4] = (uchar)low;
}

kernel void vectors(global const uchar4 *in, global uchar4 *out, global int4 *less)
{
    uchar4 a = in[0], b = in[1];
    uchar4 low = min(a, b);
    out[0] = low;
    // Cut to a byte before it is chosen.
    out[1] = min(max(a, b) + low - (uchar4)(244, 253, 128, 126), (uchar4)(127));
    less[0] = convert_int4(b < a) ;
}

kernel void stored(global const uchar *in, global uchar *out, global int *words)
{
    uchar five[5];
    for (int k = 0; k < 5; k++)
        five[k] = in[k];
    five[0] += five[1];
    five[2] *= 2;
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        out[k] = five[k];
        sum += max(five[k], (uchar)4);
    }
    words[0] = sum;
    char minus[2] = {(char)-9, 5};
    words[1] = min(minus[sum & 0], minus[1]);
}

// Nothing but whether they are equal: as unsigned ones, as signed ones, and with numbers that no byte is.
kernel void equality(global const uchar *a, global const uchar *b, global int *out)
{
    size_t i = get_global_id(0);
    global const char *signed_a = (global const char *)a, *signed_b = (global const char *)b;
    int found = (a[i] == b[i]) + 2 * (a[i] != 200) + 4 * (b[i] == 65);
    found += 8 * (signed_a[i] == signed_b[i]) + 16 * (signed_a[i] == -56) + 32 * (signed_a[i] == 200);
    out[i] = found + 64 * (a[i] == b[i] + 256);
}

kernel void joined(global const uchar *in, global uint *out)
{
    out[0] = (uint)in[3] << 24 | (uint)in[2] << 16 | (uint)in[1] << 8 | in[0];
    out[1] = (uint)in[0] << 24 | (uint)in[1] << 16 | (uint)in[2] << 8 | in[3];
    out[2] = ((((uint)in[7] << 8 | in[6]) << 8 | in[5]) << 8) + in[4];
    out[3] = ((uint)in[4] << 24) + (in[6] << 8) ^ (in[5] << 16 | in[7]);
    // Two at one place.
    out[4] = (uint)in[3] << 8 | (uint)in[2] << 8 | (uint)in[1] << 16 | in[0];
}
