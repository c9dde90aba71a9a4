// Lengths, distances and vector products of vectors that loops compute with.
//@ kernel lengths
//@ global 16
//@ arg buffer float[64] = 1 -2 2 0 2 -3 6 0 1 -4 8 0 4 -4 7 0 2 -6 9 0 6 -6 7 0 3 -4 12 0 2 -5 14 0 2 -10 11 0 1 -12 12 0 8 -9 12 0 1 -6 18 0 6 -6 17 0 6 -10 15 0 4 -5 20 0 4 -8 19 0
//@ arg buffer float[16] = 7.52316384526264e-37 7.703719777548943e-34 8.077935669463161e-28 4.336808689942018e-19 8.673617379884035e-19 9.313225746154785e-10 1.0 1073741824.0 1.152921504606847e+18 2.305843009213694e+18 1.8446744073709552e+19 1.2379400392853803e+27 1.298074214633707e+33 1.329227995784916e+36 0 0
//@ arg buffer int[16] = zero
//@ result 2 = 42 98 126 126 154 154 182 210 210 238 238 266 266 266 294 294
//@ kernel distances
//@ global 16
//@ arg buffer float[64] = 1 -2 2 0 2 -3 6 0 1 -4 8 0 4 -4 7 0 2 -6 9 0 6 -6 7 0 3 -4 12 0 2 -5 14 0 2 -10 11 0 1 -12 12 0 8 -9 12 0 1 -6 18 0 6 -6 17 0 6 -10 15 0 4 -5 20 0 4 -8 19 0
//@ arg buffer float[16] = 7.52316384526264e-37 7.703719777548943e-34 8.077935669463161e-28 4.336808689942018e-19 8.673617379884035e-19 9.313225746154785e-10 1.0 1073741824.0 1.152921504606847e+18 2.305843009213694e+18 1.8446744073709552e+19 1.2379400392853803e+27 1.298074214633707e+33 1.329227995784916e+36 0 0
//@ arg buffer int[16] = zero
//@ result 2 = 42 98 126 126 154 154 182 210 210 238 238 266 266 266 294 294
//@ kernel fast_lengths
//@ global 16
//@ arg buffer float[64] = 1 -2 2 0 2 -3 6 0 1 -4 8 0 4 -4 7 0 2 -6 9 0 6 -6 7 0 3 -4 12 0 2 -5 14 0 2 -10 11 0 1 -12 12 0 8 -9 12 0 1 -6 18 0 6 -6 17 0 6 -10 15 0 4 -5 20 0 4 -8 19 0
//@ arg buffer float[16] = 7.52316384526264e-37 7.703719777548943e-34 8.077935669463161e-28 4.336808689942018e-19 8.673617379884035e-19 9.313225746154785e-10 1.0 1073741824.0 1.152921504606847e+18 2.305843009213694e+18 1.8446744073709552e+19 1.2379400392853803e+27 1.298074214633707e+33 1.329227995784916e+36 0 0
//@ arg buffer int[16] = zero
//@ result 2 = 18 42 54 54 66 66 78 90 90 102 102 114 114 114 126 126
//@ kernel products
//@ global 16
//@ arg buffer float[64] = 1 -2 2 0 2 -3 6 0 1 -4 8 0 4 -4 7 0 2 -6 9 0 6 -6 7 0 3 -4 12 0 2 -5 14 0 2 -10 11 0 1 -12 12 0 8 -9 12 0 1 -6 18 0 6 -6 17 0 6 -10 15 0 4 -5 20 0 4 -8 19 0
//@ arg buffer float[16] = 7.52316384526264e-37 7.703719777548943e-34 8.077935669463161e-28 4.336808689942018e-19 8.673617379884035e-19 9.313225746154785e-10 1.0 1073741824.0 1.152921504606847e+18 2.305843009213694e+18 1.8446744073709552e+19 1.2379400392853803e+27 1.298074214633707e+33 1.329227995784916e+36 0 0
//@ arg buffer int[16] = zero
//@ result 2 = -4164 -907 -80976 51590 -18081 389218 140884 26675 -279988 -499460 35023 -138284 111164 -14595 71175 -28644
//@ kernel products_of_four
//@ global 16
//@ arg buffer float[64] = 1 -2 2 0 2 -3 6 0 1 -4 8 0 4 -4 7 0 2 -6 9 0 6 -6 7 0 3 -4 12 0 2 -5 14 0 2 -10 11 0 1 -12 12 0 8 -9 12 0 1 -6 18 0 6 -6 17 0 6 -10 15 0 4 -5 20 0 4 -8 19 0
//@ arg buffer float[16] = 7.52316384526264e-37 7.703719777548943e-34 8.077935669463161e-28 4.336808689942018e-19 8.673617379884035e-19 9.313225746154785e-10 1.0 1073741824.0 1.152921504606847e+18 2.305843009213694e+18 1.8446744073709552e+19 1.2379400392853803e+27 1.298074214633707e+33 1.329227995784916e+36 0 0
//@ arg buffer int[16] = zero
//@ result 2 = -4164 -907 -80976 51590 -18081 389218 140884 26675 -279988 -499460 35023 -138284 111164 -14595 71175 -28644
//@ kernel extremes
//@ global 16
//@ arg buffer float[64] = 1 -2 2 0 2 -3 6 0 1 -4 8 0 4 -4 7 0 2 -6 9 0 6 -6 7 0 3 -4 12 0 2 -5 14 0 2 -10 11 0 1 -12 12 0 8 -9 12 0 1 -6 18 0 6 -6 17 0 6 -10 15 0 4 -5 20 0 4 -8 19 0
//@ arg buffer float[16] = 7.52316384526264e-37 7.703719777548943e-34 8.077935669463161e-28 4.336808689942018e-19 8.673617379884035e-19 9.313225746154785e-10 1.0 1073741824.0 1.152921504606847e+18 2.305843009213694e+18 1.8446744073709552e+19 1.2379400392853803e+27 1.298074214633707e+33 1.329227995784916e+36 0 0
//@ arg buffer int[16] = zero
//@ result 2 = 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7
//@ kernel units
//@ global 16
//@ arg buffer float[64] = 1 -2 2 0 2 -3 6 0 1 -4 8 0 4 -4 7 0 2 -6 9 0 6 -6 7 0 3 -4 12 0 2 -5 14 0 2 -10 11 0 1 -12 12 0 8 -9 12 0 1 -6 18 0 6 -6 17 0 6 -10 15 0 4 -5 20 0 4 -8 19 0
//@ arg buffer float[16] = 7.52316384526264e-37 7.703719777548943e-34 8.077935669463161e-28 4.336808689942018e-19 8.673617379884035e-19 9.313225746154785e-10 1.0 1073741824.0 1.152921504606847e+18 2.305843009213694e+18 1.8446744073709552e+19 1.2379400392853803e+27 1.298074214633707e+33 1.329227995784916e+36 0 0
//@ arg buffer int[16] = zero
//@ result 2 = 42 98 126 126 154 154 182 210 210 238 238 266 266 266 294 294
//@ kernel fast_units
//@ global 16
//@ arg buffer float[64] = 1 -2 2 0 2 -3 6 0 1 -4 8 0 4 -4 7 0 2 -6 9 0 6 -6 7 0 3 -4 12 0 2 -5 14 0 2 -10 11 0 1 -12 12 0 8 -9 12 0 1 -6 18 0 6 -6 17 0 6 -10 15 0 4 -5 20 0 4 -8 19 0
//@ arg buffer float[16] = 7.52316384526264e-37 7.703719777548943e-34 8.077935669463161e-28 4.336808689942018e-19 8.673617379884035e-19 9.313225746154785e-10 1.0 1073741824.0 1.152921504606847e+18 2.305843009213694e+18 1.8446744073709552e+19 1.2379400392853803e+27 1.298074214633707e+33 1.329227995784916e+36 0 0
//@ arg buffer int[16] = zero
//@ result 2 = 9 21 27 27 33 33 39 45 45 51 51 57 57 57 63 63
//@ kernel unit_extremes
//@ global 8
//@ arg buffer float[8] = 0 1 inf -inf 3.0e38 1.0e-38 2 0.5
//@ arg int = 5
//@ arg buffer int[8] = zero
//@ result 2 = 31 31 31 31 31 31 31 31
kernel void lengths(global const float4 *points, global const float *scales, global int *out)
{
    int n = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 14; k++) {
        float3 v = points[n].xyz * scales[k];
        sum += length(v) / scales[k];
    }
    out[n] = (int)sum;
}

kernel void distances(global const float4 *points, global const float *scales, global int *out)
{
    int n = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 14; k++) {
        float4 v = points[n] * scales[k];
        sum += distance(2 * v, v) / scales[k];
    }
    out[n] = (int)sum;
}

// Where squares are numbers.
kernel void fast_lengths(global const float4 *points, global const float *scales, global int *out)
{
    int n = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        float4 v = points[n] * (k + 1.0f);
        sum += fast_length(v) / (k + 1) + fast_distance(v, 2 * v) / (k + 1);
    }
    out[n] = (int)(sum + 0.5f);
}

kernel void products(global const float4 *points, global const float *scales, global int *out)
{
    int n = get_global_id(0);
    float3 sum = 0;
    for (int k = 0; k < 4; k++)
        sum += cross(points[n].xyz, points[(n + k + 1) % 16].xyz) * (k + 1);
    out[n] = (int)(sum.x + 100 * sum.y - 1000 * sum.z);
}

kernel void products_of_four(global const float4 *points, global const float *scales, global int *out)
{
    int n = get_global_id(0);
    float4 sum = 0;
    for (int k = 0; k < 4; k++) {
        float4 a = points[n], b = points[(n + k + 1) % 16];
        a.w = 3;
        b.w = 4;
        sum += cross(a, b) * (k + 1);
    }
    out[n] = (int)(sum.x + 100 * sum.y - 1000 * sum.z + 1000000 * sum.w);
}

kernel void extremes(global const float4 *points, global const float *scales, global int *out)
{
    int n = get_global_id(0), right = 0;
    float zero = scales[15];
    for (int k = 0; k < 1; k++) {
        float2 none = points[n].xy * zero;
        float4 largest = (float4)(FLT_MAX, zero, zero, zero);
        right |= length(none) == 0;
        right |= (length(largest) == FLT_MAX) << 1;
        right |= (length((float2)(FLT_MIN, zero)) == FLT_MIN) << 2;
    }
    out[n] = right;
}

kernel void units(global const float4 *points, global const float *scales, global int *out)
{
    int n = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 14; k++) {
        float3 p = points[n].xyz;
        sum += dot(normalize(p * scales[k]), p);
    }
    out[n] = (int)(sum + 0.5f);
}

// Where squares are numbers.
kernel void fast_units(global const float4 *points, global const float *scales, global int *out)
{
    int n = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 3; k++)
        sum += dot(fast_normalize(points[n] * (k + 1.0f)), points[n]);
    out[n] = (int)(sum + 0.5f);
}

int is_half_root(float x) { return fabs(x - 0.70710678f) < 1e-6f; }

// Zeros stay; of infinite components and others these alone count (OpenCL C 7.5.1).
kernel void unit_extremes(global const float *numbers, int count, global int *out)
{
    int n = get_global_id(0), right = 0;
    float4 vectors[5] = {(float4)(numbers[0]), (float4)(numbers[2], numbers[1], numbers[3], numbers[0]),
                         (float4)(numbers[4], -numbers[4], 0, 0), (float4)(0, numbers[5], numbers[5], 0),
                         (float4)(numbers[6], 0, 0, -numbers[6])};
    for (int k = 0; k < count; k++) {
        float4 unit = normalize(vectors[k]);
        int good = k == 0   ? unit.x == 0 && unit.w == 0
                   : k == 1 ? is_half_root(unit.x) && unit.y == 0 && is_half_root(-unit.z)
                   : k == 2 ? is_half_root(unit.x) && is_half_root(-unit.y)
                   : k == 3 ? is_half_root(unit.y) && is_half_root(unit.z)
                            : is_half_root(unit.x) && is_half_root(-unit.w);
        right |= good << k;
    }
    out[n] = right;
}
