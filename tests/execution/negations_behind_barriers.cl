// A number that is negated before a barrier is the work-item's own behind it, however the negation is written.
//@ section 6.3.1 6.15.8
//@ kernel forms
//@ local 4
//@ global 4
//@ arg buffer float[4] = 1.5 -2 0 inf
//@ arg buffer float[32] = zero
//@ result 1 = -1.5 -1.5 -1.5 -1.5 -1.5 -1.5 -1.5 1.5  2 2 2 2 2 2 2 -2  -0.0 -0.0 -0.0 -0.0 -0.0 -0.0 -0.0 0  -inf -inf -inf -inf -inf -inf -inf inf
//@ kernel sums
//@ local 4
//@ global 4
//@ arg buffer float[4] = 1 2 3 4
//@ arg buffer float[8] = zero
//@ arg int = 2
//@ result 1 = 9 -2  18 -4  27 -6  36 -8
//@ kernel vectors
//@ local 2
//@ global 2
//@ arg buffer float4[2] = 1 -2 3 -4  5 -6 7 -8
//@ arg buffer float4[4] = zero
//@ result 1 = -1 2 -3 4  -1 2 3 -4  -5 6 -7 8  -5 6 7 -8
//@ kernel doubles
//@ local 2
//@ global 2
//@ arg buffer double2[2] = 1 -2  3 -4
//@ arg buffer double2[2] = zero
//@ result 1 = -1 2  -3 4
//@ kernel choices
//@ local 4
//@ global 4
//@ arg buffer float[4] = 1 2 3 4
//@ arg buffer float[4] = zero
//@ result 1 = -1 2 -3 4
//@ kernel functions
//@ local 4
//@ global 4
//@ arg buffer float[4] = 1 2 3 4
//@ arg buffer float[4] = zero
//@ result 1 = -3 -6 -9 -12
//@ kernel derived
//@ local 4
//@ global 4
//@ arg buffer float[4] = 1 2 3 4
//@ arg buffer float[4] = 2 -2 4 -4
//@ arg buffer float[40] = zero
//@ result 2 = -2 -0.5 -1 -1 -2 -2 -1 1 0 -2  4 1 2 -2 2 2 2 2 -6 -4  -12 -0.75 -3 -3 -4 -4 -3 3 -6 -6  16 1 4 -4 4 4 4 4 -36 -8
//@ kernel mistaken
//@ local 4
//@ global 4
//@ arg buffer float[4] = 1 2 3 4
//@ arg buffer float[32] = zero
//@ arg float = 2
//@ arg int = 3
//@ result 1 = -2 1 -2 -2 2 4 -2 -8  -4 0 -2 -4 4 3 -4 -16  -6 -1 -3 -6 6 2 -8 -24  -8 -2 -4 -8 8 1 -16 -32
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void forms(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i];
    float a = -x;
    float b = x * -1.0f;
    float c = -0.0f - x;
    float d = as_float(as_uint(x) ^ 0x80000000u);
    float e = as_float(as_uint(x) + 0x80000000u);
    float f = copysign(x, -x);
    f = x == 0 ? -0.0f : signbit(x) ? fabs(x) : f;
    float g = (float)-(double)x;
    float h = -a;
    barrier(CLK_LOCAL_MEM_FENCE);
    out += 8 * i;
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
    out[6] = g;
    out[7] = h;
}

kernel void sums(global const float *in, global float *out, int turns)
{
    local float tile[4];
    size_t i = get_local_id(0);
    float x = in[i], negative = -x, sum = 0;
    for (int t = 0; t < turns; t++) {
        tile[i] = x * 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[i] * 3 + negative * 1.5f;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[2 * i] = sum;
    out[2 * i + 1] = negative + negative;
}

kernel void vectors(global const float4 *in, global float4 *out)
{
    size_t i = get_global_id(0);
    float4 all = -in[i];
    float4 half_of = (float4)(-in[i].xy, in[i].zw);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[2 * i] = all;
    out[2 * i + 1] = half_of;
}

kernel void doubles(global const double2 *in, global double2 *out)
{
    size_t i = get_global_id(0);
    double2 v = -in[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = v;
}

kernel void choices(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i];
    float y = x;
    if ((i & 1) == 0)
        y = -x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = y;
}

float wait(float x)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    return x;
}

__attribute__((noinline)) float opposite(float x)
{
    return -x;
}

kernel void functions(global const float *in, global float *out)
{
    float x = in[get_global_id(0)];
    float y = opposite(x);
    float z = wait(-x);
    out[get_global_id(0)] = wait(z + y + y);
}

kernel void derived(global const float *in, global const float *other, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i], y = other[i];
    float2 v = -(float2)(x, y);
    float product = -x * y;
    float quotient = -x / y;
    float choice = (i & 1) ? -y : -x;
    float first = v.x;
    float2 swapped = v.yx;
    float2 both = (float2)(-y, -x);
    float sign = y > 0 ? -x : x;
    float absolute = y > 0 ? fabs(-x) : -(-x);
    float fused = fma(-x, x, x) * (y > 0 ? 1 : 3);
    float sum = -x - x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out += 10 * i;
    out[0] = product;
    out[1] = quotient;
    out[2] = choice;
    out[3] = first;
    out[4] = swapped.x;
    out[5] = both.x;
    out[6] = sign;
    out[7] = absolute;
    out[8] = fused;
    out[9] = sum;
}

// Of nothing but negations and what is the same in all work-items.
kernel void mistaken(global const float *in, global float *out, float same, int turns)
{
    size_t i = get_global_id(0);
    float x = in[i];
    float product = -x * same;
    float sum = -x + same;
    float smallest = min(-x, trunc(-same));
    float choice = i & 1 ? -x - x : -x * 2;
    float positive = fabs(-x * same);
    float element = in[convert_int(-x) & 3];
    float shifted = 0;
    for (int t = 0; t < x; t++)
        shifted = t ? shifted * same : -same;
    float power = -x;
    for (int t = 0; t < turns; t++)
        power *= same;
    barrier(CLK_LOCAL_MEM_FENCE);
    out += 8 * i;
    out[0] = product;
    out[1] = sum;
    out[2] = smallest;
    out[3] = choice;
    out[4] = positive;
    out[5] = element;
    out[6] = shifted;
    out[7] = power;
}
