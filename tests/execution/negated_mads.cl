// `mad` of negated numbers, and a list of the least numbers of which the greatest is replaced: the index of that comes from
// loops through the array, which something else indexes too.
//@ kernel negated
//@ global 4
//@ arg buffer float[4] = 1 2 -3 0.5
//@ arg buffer float[4] = 4 0.25 5 -8
//@ arg buffer float[16] = zero
//@ result 2 = 6 -2 -6 14  9.5 1.5 -9.5 10.5  25 17 -25 -5  14 6 -14 6
//@ kernel least
//@ global 2
//@ arg buffer int[64] = ramp
//@ arg buffer float[4] = zero
//@ result 1 = 496 31  496 31

kernel void negated(global const float *a, global const float *b, global float *out)
{
    size_t i = get_global_id(0);
    out[4 * i] = mad(-a[i], b[i], 10.0f);
    out[4 * i + 1] = mad(a[i], -b[i], 2.0f);
    out[4 * i + 2] = mad(a[i], b[i], -(out[4 * i] + a[i] * b[i]));
    out[4 * i + 3] = mad(-a[i], -b[i], 10.0f);
}

// Of the numbers from 0 to 63 in some order the 32 least.
kernel void least(global const int *in, global float *out)
{
    size_t id = get_global_id(0);
    float list[32];
    for (int i = 0; i < 32; i++)
        list[i] = 1000.0f;
    int at = 0;
    for (int t = 0; t < 64; t++) {
        float v = (in[t] * 37 + (int)id * 11) % 64;
        if (v < list[at]) {
            list[at] = v;
            float most = -1.0f;
            for (int i = 0; i < 32; i++)
                if (list[i] > most) {
                    most = list[i];
                    at = i;
                }
        }
    }
    float sum = 0.0f;
    for (int i = 0; i < 32; i++)
        sum += list[i];
    out[2 * id] = sum;
    out[2 * id + 1] = list[at];
}
