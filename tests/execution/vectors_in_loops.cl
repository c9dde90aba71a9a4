// Vectors that loops compute with, whose components are computed one by one: passed around in loops, in loops that
// some leave early, as conditions, from scalars, and as a whole behind the loop.
//@ kernel sums
//@ global 4
//@ arg buffer float[16] = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//@ arg buffer float[16] = zero
//@ result 1 = 5024 6400 7776 20 1664 2336 3008 4 1120 1088 1056 -12 3392 2656 1920 -28
//@ kernel swapped
//@ global 4
//@ arg buffer int[16] = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//@ arg buffer int[16] = zero
//@ result 1 = 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33
//@ kernel chosen
//@ global 4
//@ arg buffer int[16] = 3 -1 4 -1 5 -9 2 -6 5 -3 5 -8 9 -7 9 -3
//@ arg buffer int[16] = zero
//@ result 1 = 35 -1 35 -1 27 -4 27 -4 20 -3 18 -3 20 -2 20 -2
//@ kernel inserted
//@ global 4
//@ arg buffer uint[8] = zero
//@ result 0 = 101 311 100 311 103 311 102 311
//@ kernel converted
//@ global 2
//@ arg buffer float[8] = 0.5 1.5 -2.5 3.75 100.25 -7.5 8 0
//@ arg buffer int[8] = zero
//@ result 1 = 1 10 -28 96 300 -46 96 0
//@ kernel parts
//@ global 4
//@ arg buffer float[16] = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//@ arg buffer float[4] = zero
//@ result 1 = 80 8 224 728
kernel void sums(global const float4 *in, global float4 *out)
{
    size_t i = get_global_id(0);
    float4 sum = 0;
    for (uint k = 0; k < 4; k++) {
        float3 way = in[k].xyz - in[i].wzy;
        sum += (float4)(way * dot(way, in[k].xxy), fmax(way.x, way.y));
    }
    out[i] = sum;
}

// Work-items leave the loop one after the other; each round passes the components on in another order.
kernel void swapped(global const int4 *in, global int4 *out)
{
    size_t i = get_global_id(0);
    int4 a = in[i], b = in[3 - i];
    while (a.x < 40 + 10 * (int)i) {
        int4 old = a;
        a = b.wzyx + old;
        b = old;
    }
    out[i] = a - b;
}

kernel void chosen(global const int4 *in, global int4 *out)
{
    size_t i = get_global_id(0);
    int4 most = INT_MIN;
    for (uint k = 0; k < 4; k++) {
        int4 next = in[(k + i) % 4] * (int)(k + 1);
        most = next > most ? next : most;
        most = k == i ? most : abs_diff(most, (int4)1) > 30u ? most - 1 : most;
    }
    out[i] = most;
}

kernel void inserted(global uint2 *out)
{
    uint i = get_global_id(0);
    uint2 v = (uint2)(i, 1);
    for (uint k = 0; k < 5; k++) {
        v.x = v.y * 3 + k;
        v = v.yx ^ (uint2)(i, k);
    }
    out[i] = v;
}

kernel void converted(global const float4 *in, global int4 *out)
{
    size_t i = get_global_id(0);
    int4 sum = 0;
    for (uint k = 0; k < 3; k++)
        sum += convert_int4_rte(in[i] * (float)k) << (int4)(0, 1, 2, 3);
    out[i] = sum;
}

// No loop, but of what is computed only two components are used.
kernel void parts(global const float4 *in, global float *out)
{
    size_t i = get_global_id(0);
    float4 v = in[i] * 2.0f - in[3 - i];
    out[i] = v.y * v.w;
}
