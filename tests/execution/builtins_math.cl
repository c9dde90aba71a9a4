// Built-in functions whose results are exact or nearly so.
//@ section 6.15.2
//@ kernel exact
//@ global 6
//@ arg buffer float[6] = 0 1.5 -2.5 3.75 -0.25 1e6
//@ arg buffer float[96] = zero
//@ result 1 = 0*9 3 1 0*5 1.5 1 2 1 2*2 1 1.5*2 3 3.25 1*2 1.5 12 1.5 2.5 -3 -2*3 -3 -2.5 -1*2 -3 7.25 -1 0 -0.5 -20 -2.5 3.75 3 4 3 4*2 1 3.75 2 3 15.0625 1*2 1.75 30 3.75 0.25 -1 -0*4 -0.25*3 -3 1.0625 -1 0 -0.25 -2 -0.25 1000000*6 1 1000000 2 3 1000000000000 1*2 0 8000000 1000000
//@ kernel approximate
//@ global 4
//@ arg buffer float[4] = 0.5 1 2.25 7
//@ arg buffer float[64] = zero
//@ result 1 ~ 1e-5 zero
//@ kernel integers
//@ global 5
//@ arg buffer int[5] = 0 5 -5 2147483647 -2147483648
//@ arg buffer int[5] = 3 -3 7 2 -1
//@ arg buffer int[60] = zero
//@ result 2 = 0 3*2 -3 1 2 0 3 0*3 3 5 8 2 8 1*2 3 5 -3 -1 160 -12 5 12 2 -12 1*2 -3 7 -5 -1 -129 458720 2147483647 2147483645 2147483647 2147483645 1073741824 1073741825 3 2147483647 2 0 -17 131073 -2147483648 2147483647 -2147483648 -2147483647 -1073741825 -1073741824 -3 -1 -2147483648 0 16 3
//@ kernel unsigned_integers
//@ global 4
//@ arg buffer uint[4] = 0 5 0x80000001 0xffffffff
//@ arg buffer uint[4] = 3 9 33 7
//@ arg buffer uint[40] = zero
//@ result 2 = 32 0*2 3 0*2 3 1*2 3 29 2 2560 14 0 45 327689 1 46 9 0 2 3 2147483682 2147483616 33 65569 17 4294967295 2147483681 0 32 4294967295*2 4294967288 28665 4294901767 7 4294967295 4278255367
//@ kernel relational
//@ global 5
//@ arg buffer float[5] = 0 nan inf -inf -1
//@ arg buffer int[60] = zero
//@ result 1 = 0*2 1 0*2 1*4 0 1*3 0*8 1 0 1 0 1 0*3 1 0 1*2 0*4 1 0*2 1*5 0 1*2 0*2 1*7 0 1*2
//@ kernel geometric
//@ global 1
//@ arg float4 = 1 2 2 4
//@ arg float4 = 3 4 0 1
//@ arg buffer float[32] = zero
//@ result 2 = 15 11 5*3 0*3 -8 6 -2 0 -8 6 -2 0 3 4 1 0 2 3 1 2.5 2*3 4 1.5 2 0 1
//@ kernel shuffles
//@ global 1
//@ arg buffer int[16] = zero
//@ result 0 = 13 12 11 10*2 20 13 23 11*2 0*2 1 2*2 1
kernel void exact(global const float *in, global float *out)
{
    const float x = in[get_global_id(0)];
    global float *o = out + 16 * get_global_id(0);
    o[0] = fabs(x);
    o[1] = floor(x);
    o[2] = ceil(x);
    o[3] = trunc(x);
    o[4] = rint(x);
    o[5] = round(x);
    o[6] = fmin(x, 1.0f);
    o[7] = fmax(x, -1.0f);
    o[8] = clamp(x, -1.0f, 2.0f);
    o[9] = copysign(3.0f, x);
    o[10] = fma(x, x, 1.0f);
    o[11] = sign(x);
    o[12] = step(1.0f, x);
    o[13] = fmod(x, 2.0f);
    o[14] = ldexp(x, 3);
    float whole;
    o[15] = fract(x, &whole) + whole;
}

kernel void approximate(global const float *in, global float *out)
{
    const float x = in[get_global_id(0)];
    global float *o = out + 16 * get_global_id(0);
    // Identities, so that the expected result is zero whatever the last digit.
    o[0] = sqrt(x) * sqrt(x) / x - 1;
    o[1] = exp(log(x)) / x - 1;
    o[2] = exp2(log2(x)) / x - 1;
    o[3] = sin(x) * sin(x) + cos(x) * cos(x) - 1;
    o[4] = pow(x, 2.0f) / (x * x) - 1;
    o[5] = tan(x) * cos(x) - sin(x);
    o[6] = rsqrt(x) * sqrt(x) - 1;
    o[7] = cbrt(x) * cbrt(x) * cbrt(x) / x - 1;
    o[8] = atan2(sin(0.5f), cos(0.5f)) - 0.5f;
    o[9] = hypot(3.0f * x, 4.0f * x) / (5 * x) - 1;
    float c, s = sincos(x, &c);
    o[10] = s * s + c * c - 1;
    o[11] = native_divide(x, x) > 0.99f ? 0 : 1;
    o[12] = asin(sin(0.25f)) - 0.25f;
    o[13] = mix(x, 3 * x, 0.5f) / (2 * x) - 1;
    int e;
    const float m = frexp(x, &e);
    o[14] = ldexp(m, e) - x;
    o[15] = pown(x, 3) / (x * x * x) - 1 + (powr(x, 0.5f) / sqrt(x) - 1);
}

kernel void integers(global const int *a, global const int *b, global int *out)
{
    const int i = get_global_id(0);
    const int x = a[i], y = b[i];
    global int *o = out + 12 * i;
    o[0] = abs(x);
    o[1] = abs_diff(x, y);
    o[2] = add_sat(x, y);
    o[3] = sub_sat(x, y);
    o[4] = hadd(x, y);
    o[5] = rhadd(x, y);
    o[6] = clamp(x, -3, 3);
    o[7] = max(x, y);
    o[8] = min(x, y);
    o[9] = mul_hi(x, y);
    o[10] = rotate(x, 5);
    o[11] = mad24(x & 0xffff, y, 3);
}

kernel void unsigned_integers(global const uint *a, global const uint *b, global uint *out)
{
    const int i = get_global_id(0);
    const uint x = a[i], y = b[i];
    global uint *o = out + 10 * i;
    o[0] = clz(x);
    o[1] = popcount(x);
    o[2] = rotate(x, y);
    o[3] = add_sat(x, y);
    o[4] = sub_sat(x, y);
    o[5] = mul24(x & 0xfff, y);
    o[6] = upsample((ushort)x, (ushort)y);
    o[7] = mad_hi(x, y, 1u);
    o[8] = mad_sat(x, y, 1u);
    o[9] = bitselect(x, y, 0xff00ffu);
}

kernel void relational(global const float *in, global int *out)
{
    const float x = in[get_global_id(0)];
    global int *o = out + 12 * get_global_id(0);
    o[0] = isnan(x);
    o[1] = isinf(x);
    o[2] = isfinite(x);
    o[3] = isnormal(x);
    o[4] = signbit(x);
    o[5] = isequal(x, x);
    o[6] = isless(x, 1.0f);
    o[7] = isordered(x, 0.0f);
    o[8] = x == x;
    o[9] = x != x;
    o[10] = x < 1;
    o[11] = !(x >= 1);
}

kernel void geometric(float4 a, float4 b, global float *o)
{
    o[0] = dot(a, b);
    o[1] = dot(a.xy, b.xy);
    o[2] = length(a);
    o[3] = length(b.xy);
    o[4] = distance(a.xyz, (float3)(1, 5, 6));
    vstore4(cross(a, b), 2, o);
    vstore3(cross(a.xyz, b.xyz), 4, o);
    vstore2(normalize(b.xy) * 5, 8, o);
    o[18] = fast_length(b.xy) > 4.99f;
    vstore4(mix(a, b, 0.5f), 5, o);
    vstore4(max(a, 2.0f), 6, o);
    vstore4(clamp(a, b * 0.5f, b), 7, o);
}

kernel void shuffles(global int *o)
{
    const int4 a = (int4)(10, 11, 12, 13), b = (int4)(20, 21, 22, 23);
    vstore4(shuffle(a, (uint4)(3, 2, 1, 0)), 0, o);
    vstore4(shuffle2(a, b, (uint4)(0, 4, 3, 7)), 1, o);
    vstore2(shuffle(a, (uint2)(1, 1)), 4, o);
    vstore4(shuffle((int2)(1, 2), (uint4)(0, 1, 1, 0)), 3, o);
}
