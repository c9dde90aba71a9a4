// Constants of the library, overloads by type, and edge cases of floating point.
//@ section 6.15 6.15.2.1 6.15.3.2 7.3 7.5.1 7.5.2
//@ options -cl-std=CL1.2
//@ kernel float_macros
//@ arg buffer int[20] = zero
//@ arg buffer float[20] = zero
//@ result 0 = 6 24 38 128 -37 -125 2 15 53 308 1024 -307 -1021 3 11 4 16 -4 -13 2
//@ result 1 = 3.4028235e38 1.17549435e-38 1.1920929e-7 inf nan 3.4028235e38 inf 2.7182817 1.442695 0.4342945 0.6931472 2.3025851 3.1415927 1.5707964 0.7853982 0.31830987 0.63661975 1.1283792 1.4142135 0.70710677
//@ kernel double_macros
//@ arg buffer double[17] = zero
//@ result 0 = 1.7976931348623157e308 2.2250738585072014e-308 2.220446049250313e-16 inf 2.718281828459045 1.4426950408889634 0.4342944819032518 0.6931471805599453 2.302585092994046 3.141592653589793 1.5707963267948966 0.7853981633974483 0.3183098861837907 0.6366197723675814 1.1283791670955126 1.4142135623730951 0.7071067811865476
//@ kernel integer_macros
//@ arg buffer long[16] = zero
//@ result 0 = 8 127 -128 2147483647 -2147483648 9223372036854775807 -9223372036854775808 127 -128 32767 -32768 255 65535 4294967295 -1 0
//@ kernel overloads
//@ arg int = -1
//@ arg buffer double[8] = zero
//@ result 1 = 1 4294967295 0.5 -1 255 3 2 0.25
//@ kernel no_traps
//@ arg float = 0
//@ arg double = 0
//@ arg buffer float[8] = zero
//@ arg buffer double[3] = zero
//@ result 2 = inf -inf nan nan nan inf 0 42
//@ result 3 = inf nan 42
//@ kernel beyond_c99
//@ arg float = 0
//@ arg float = 1
//@ arg float = inf
//@ arg float = nan
//@ arg buffer float[64] = fill 77
//@ result 4 = 0 nan 0 -0 -0 0.5 -0.5  1 -1 0 -0 1 0.5 -0.5 0.5 0.75 0.25  -0 1 0 nan  0 inf  nan nan  0 -0  1 1 inf -inf inf 0 -0  1 inf 0 1 nan nan nan nan nan nan  -0 -0 -0  -0 0 -0 nan  -0 nan -0 inf  1e-45 -1e-45 inf nan nan 0 -0 inf 77
//@ kernel beyond_c99_constants
//@ arg buffer float[16] = fill 77
//@ result 0 = 0 nan 1 -1 0.75 nan 1 1 nan nan -0 -0 -0 -0 nan 77
//@ kernel changed
//@ arg float = inf
//@ arg buffer float[16] = fill 77
//@ result 1 = 0 inf -0 -inf -0 -3 -0.5 -3 nan nan  2 2 -2 4 0 -0
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void float_macros(global int *n, global float *f)
{
    const int numbers[] = {
        FLT_DIG, FLT_MANT_DIG, FLT_MAX_10_EXP, FLT_MAX_EXP, FLT_MIN_10_EXP, FLT_MIN_EXP, FLT_RADIX,
        DBL_DIG, DBL_MANT_DIG, DBL_MAX_10_EXP, DBL_MAX_EXP, DBL_MIN_10_EXP, DBL_MIN_EXP,
        HALF_DIG, HALF_MANT_DIG, HALF_MAX_10_EXP, HALF_MAX_EXP, HALF_MIN_10_EXP, HALF_MIN_EXP, HALF_RADIX,
    };
    for (int i = 0; i < 20; i++)
        n[i] = numbers[i];
    const float values[] = {
        FLT_MAX, FLT_MIN, FLT_EPSILON, HUGE_VALF, NAN, MAXFLOAT, INFINITY, M_E_F, M_LOG2E_F, M_LOG10E_F,
        M_LN2_F, M_LN10_F, M_PI_F, M_PI_2_F, M_PI_4_F, M_1_PI_F, M_2_PI_F, M_2_SQRTPI_F, M_SQRT2_F, M_SQRT1_2_F,
    };
    for (int i = 0; i < 20; i++)
        f[i] = values[i];
}

kernel void double_macros(global double *d)
{
    const double values[] = {
        DBL_MAX, DBL_MIN, DBL_EPSILON, HUGE_VAL, M_E, M_LOG2E, M_LOG10E, M_LN2, M_LN10, M_PI, M_PI_2, M_PI_4,
        M_1_PI, M_2_PI, M_2_SQRTPI, M_SQRT2, M_SQRT1_2,
    };
    for (int i = 0; i < 17; i++)
        d[i] = values[i];
}

kernel void integer_macros(global long *n)
{
    const long numbers[] = {
        CHAR_BIT, CHAR_MAX, CHAR_MIN, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, SCHAR_MAX, SCHAR_MIN, SHRT_MAX,
        SHRT_MIN, UCHAR_MAX, USHRT_MAX, UINT_MAX, (long)ULONG_MAX, 0,
    };
    for (int i = 0; i < 16; i++)
        n[i] = numbers[i];
}

kernel void overloads(int minus_one, global double *out)
{
    out[0] = max(minus_one, 1);
    out[1] = max((uint)minus_one, 1u);
    out[2] = max((float)minus_one, 0.5f);
    out[3] = min((long)minus_one, 0L);
    out[4] = max((uchar)minus_one, (uchar)1);
    const float4 v = max((float4)(1, 2, 3, 4), 2.5f);
    out[5] = v.z;
    // A name of the library in an inner scope is the program's own.
    int max = 2;
    out[6] = max;
    out[7] = sqrt(0.0625);
}

kernel void no_traps(float zero, double dzero, global float *f, global double *d)
{
    f[0] = 1.0f / zero;
    f[1] = -1.0f / zero;
    f[2] = zero / zero;
    f[3] = sqrt(zero - 1.0f);
    f[4] = f[0] + f[1];
    f[5] = FLT_MAX * (zero + 2);
    f[6] = 0x1p-149f * (zero + 0.25f);
    f[7] = 42;
    d[0] = 1 / dzero;
    d[1] = dzero / dzero;
    d[2] = 42;
}

kernel void beyond_c99(float zero, float one, float inf, float nan, global float *out)
{
    global float *o = out;
    const float minus_zero = -zero;
    *o++ = acospi(one); *o++ = acospi(one + one); *o++ = asinpi(zero); *o++ = asinpi(minus_zero);
    *o++ = atanpi(minus_zero); *o++ = atanpi(inf); *o++ = atanpi(-inf);
    *o++ = atan2pi(zero, minus_zero); *o++ = atan2pi(minus_zero, minus_zero);
    *o++ = atan2pi(zero, zero); *o++ = atan2pi(minus_zero, one); *o++ = atan2pi(zero, -one);
    *o++ = atan2pi(one, zero); *o++ = atan2pi(-one, minus_zero); *o++ = atan2pi(inf, one);
    *o++ = atan2pi(inf, -inf); *o++ = atan2pi(inf, inf);
    *o++ = ceil(-one / 2); *o++ = cospi(minus_zero); *o++ = cospi(one / 2); *o++ = cospi(inf);
    *o++ = exp10(-inf); *o++ = exp10(inf);
    *o++ = fdim(one, nan); *o++ = fmod(zero, nan);
    int e;
    *o++ = frexp(zero, &e); *o++ = frexp(minus_zero, &e);
    *o++ = pown(nan, 0); *o++ = pown(inf, 0); *o++ = pown(zero, -1); *o++ = pown(minus_zero, -1);
    *o++ = pown(minus_zero, -2); *o++ = pown(minus_zero, 2); *o++ = pown(minus_zero, 3);
    *o++ = powr(one + one, zero); *o++ = powr(zero, -one); *o++ = powr(minus_zero, one); *o++ = powr(one, 5 * one);
    *o++ = powr(-one, one); *o++ = powr(zero, minus_zero); *o++ = powr(inf, zero); *o++ = powr(one, inf);
    *o++ = powr(one, nan); *o++ = powr(nan, one);
    *o++ = rint(-one / 2); *o++ = round(-one / 4); *o++ = trunc(-one / 2);
    *o++ = sinpi(minus_zero); *o++ = sinpi(one); *o++ = sinpi(-one); *o++ = sinpi(inf);
    *o++ = tanpi(minus_zero); *o++ = tanpi(inf); *o++ = tanpi(one); *o++ = tanpi(one / 2);
    *o++ = nextafter(minus_zero, one); *o++ = nextafter(zero, -one);
    *o++ = rootn(zero, -3); *o++ = rootn(-one, 2); *o++ = rootn(one, 0);
    *o++ = rootn(zero, 2); *o++ = rootn(minus_zero, 3);
    *o++ = fabs(ldexp(one, 3000));
}

kernel void beyond_c99_constants(global float *out)
{
    global float *o = out;
    *o++ = acospi(1.0f); *o++ = acospi(2.0f); *o++ = atan2pi(0.0f, -0.0f); *o++ = atan2pi(-0.0f, -0.0f);
    *o++ = atan2pi(INFINITY, -INFINITY); *o++ = cospi(INFINITY); *o++ = pown(NAN, 0); *o++ = powr(2.0f, 0.0f);
    *o++ = powr(0.0f, 0.0f); *o++ = powr(1.0f, INFINITY); *o++ = rint(-0.5f); *o++ = round(-0.25f);
    *o++ = trunc(-0.5f); *o++ = sinpi(-1.0f); *o++ = rootn(1.0f, 0);
}

kernel void changed(float inf, global float *out)
{
    float whole;
    out[0] = modf(inf, &whole);
    out[1] = whole;
    out[2] = modf(-inf, &whole);
    out[3] = whole;
    out[4] = modf(-3.0f * (inf > 0), &whole);
    out[5] = whole;
    out[6] = modf(-3.5f * (inf > 0), &whole);
    out[7] = whole;
    out[8] = modf(inf - inf, &whole);
    out[9] = whole;
    // To nearest even, always.
    out[10] = rint(1.5f * (inf > 0));
    out[11] = rint(2.5f * (inf > 0));
    out[12] = rint(-1.5f * (inf > 0));
    out[13] = rint(3.5f * (inf > 0));
    out[14] = rint(0.5f * (inf > 0));
    out[15] = rint(-0.5f * (inf > 0));
}
