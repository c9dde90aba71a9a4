// Vectors of which components are asked for in loops: functions of components, and conversions that saturate.
//@ section 6.15.3
//@ kernel functions
//@ global 3
//@ arg buffer int[12] = 1 -2 2147483000 -2147483648 77777 -123456789 1048576 2147483647 0 -1 65535 12345
//@ arg buffer int[12] = zero
//@ result 1 = -1946160091 -1285302069 -896706451 -288555805 -1868423503 1991313228 743235659 678423167 -348292427 391985937 -507134980 -2144961878
//@ kernel conversions
//@ global 3
//@ arg buffer int[12] = 1 -2 2147483000 -2147483648 77777 -123456789 1048576 2147483647 0 -1 65535 12345
//@ arg buffer int[12] = zero
//@ result 1 = 1 -2 2147483000 -2147483648 574 -257 130 526 0 -1 65535 12345
//@ kernel relations
//@ global 3
//@ arg buffer float[12] = 1 nan 3 -2 0.5 0.25 nan nan -1 -2 -3 8
//@ arg buffer float[12] = zero
//@ arg buffer int[3] = zero
//@ result 1 = 0.71875 0.65625 1.40625 1.0 1.25 0.859375 0.65625 0.5 -0.25 -0.75 -0.5 4.25
//@ result 2 = 4 4 1
kernel void functions(global const int4 *in, global int4 *out)
{
    const size_t i = get_global_id(0);
    int4 v = in[i];
    for (int j = 0; j < 3; j++) {
        const int4 w = v.yzwx;
        int4 x = add_sat(v, w) ^ mul_hi(v, w);
        x = sub_sat(x, hadd(v, w)) + popcount(w);
        x = rhadd(x, w) - clz(v);
        x = mad_sat(x, w, v) ^ mad_hi(v, x, w);
        v = x + as_int4(abs_diff(v, w));
    }
    out[i] = v;
}

// Only some work-items convert.
kernel void conversions(global const int4 *in, global int4 *out)
{
    const size_t i = get_global_id(0);
    int4 v = in[i];
    if (i & 1)
        for (int j = 0; j < 3; j++) {
            const int4 w = v.yzwx;
            v = convert_int4(convert_uchar4_sat(v >> j)) * 3 - convert_int4(convert_uchar4_sat(w)) + (v >> 9);
        }
    out[i] = v;
}

kernel void relations(global const float4 *in, global float4 *out, global int *turns)
{
    const size_t i = get_global_id(0);
    float4 v = in[i];
    int j = 0;
    while (j < 4) {
        const float4 w = v.yzwx;
        float4 x = select(v, w, isnan(v));
        x = select(x, (float4)(0.0f), isunordered(x, x));
        v = x * 0.5f + select((float4)(0.25f), (float4)(1.0f), isless(v, w));
        j++;
        if (all(isgreater(v, (float4)(1.0f))) || any(v > 4.0f))
            break;
    }
    out[i] = v;
    turns[i] = j;
}
