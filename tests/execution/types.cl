// The version, the types and their sizes, and how the same bytes look as another type.
//@ section 6.1 6.2 6.2.2 6.2.2.3 6.2.2.8 6.2.2.9 6.3.1 6.3.1.1 6.3.1.2 6.3.8 6.5.11
//@ kernel version
//@ arg buffer int[8] = fill -1
//@ result 0 = 120 100 110 120 1 1 0 1
//@ kernel optional
//@ arg buffer int[6] = fill -1
//@ result 0 = 1 1 1 0 0 7
//@ kernel sizes
//@ arg buffer int[38] = fill -1
//@ result 0 = 1 1 2 2 4 4 8 8 2 4 8 8 8 8 8 8  2 4 4 16 32 64 128  4 4 8 1 40 10 12 1 4 4 16 1  0 5 7
//@ kernel scalars
//@ arg char = -128
//@ arg uchar = 200
//@ arg short = -30000
//@ arg ushort = 65535
//@ arg int = 2147483647
//@ arg uint = 4294967295
//@ arg long = -9223372036854775808
//@ arg ulong = 18446744073709551615
//@ arg buffer long[16] = zero
//@ result 8 = -129 201 -30001 65536 -2147483648 0 9223372036854775807 0 127 201 -30001 0 1 1 0 -1
//@ kernel halves
//@ arg buffer half[6] = 2048 1 65504 3 0.1 -0
//@ arg buffer half[8] = zero
//@ arg buffer ushort[4] = zero
//@ result 1 = 2048 2050 inf 0.33325195 0.099975586 -0 1026 0.69970703
//@ result 2 = 0x6800 0x2e66 0x8000 0x3c00
//@ kernel doubles
//@ arg buffer double[4] = 1 3 1e300 -0.1
//@ arg buffer double[6] = zero
//@ arg buffer float[2] = zero
//@ result 1 = 0.3333333333333333 inf 9007199254740992 -0.1 1.0000000000000002 0.1
//@ result 2 = 0.1 inf
//@ kernel half_storage
//@ arg buffer half[4] = 1.5 -2 65504 0
//@ arg buffer float[4] = zero
//@ arg buffer half[4] = zero
//@ result 1 = 1.5 -2 65504 1
//@ result 2 = 0.33325195 65504 inf 2048
//@ kernel bytes
//@ arg buffer uchar[4] = 1 2 3 4
//@ arg buffer ushort[4] = 1 2 3 4
//@ result 0 = 1 9 3 255
//@ result 1 = 1 2 65535 4
//@ kernel same_bytes
//@ arg buffer uint[4] = 0x04030201 0 0x3f800000 0
//@ arg buffer float[1] = zero
//@ result 0 = 0x05030201 0xff00 0x40000000 0x0807
//@ result 1 = 1
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void version(global int *out)
{
    out[0] = __OPENCL_C_VERSION__;
    out[1] = CL_VERSION_1_0;
    out[2] = CL_VERSION_1_1;
    out[3] = CL_VERSION_1_2;
    out[4] = __OPENCL_VERSION__ >= __OPENCL_C_VERSION__;
    out[5] = __ENDIAN_LITTLE__;
#ifdef __FAST_RELAXED_MATH__
    out[6] = 1;
#else
    out[6] = 0;
#endif
    out[7] = __IMAGE_SUPPORT__;
}

// What is there is asked of the preprocessor, extension by extension.
#if defined cl_khr_fp16 && defined cl_khr_fp64
constant int floats = 1;
#else
constant int floats = 0;
#endif

kernel void optional(global int *out)
{
    out[0] = floats;
    out[1] = cl_khr_byte_addressable_store;
#ifdef cl_khr_global_int32_base_atomics
    out[2] = cl_khr_global_int32_base_atomics;
#endif
#ifdef cl_khr_no_such_extension
    out[3] = 1;
#else
    out[3] = 0;
#endif
#ifdef __opencl_c_fp64
    out[4] = 1;
#else
    out[4] = 0;
#endif
#if __OPENCL_C_VERSION__ < 200 && !defined CL_VERSION_9_9
    out[5] = 7;
#endif
}

kernel void sizes(global int *out)
{
    struct { char c; int3 v; } s;
    int array[10];
    int evaluated = 5;
    global int *o = out;
    *o++ = sizeof(char); *o++ = sizeof(uchar); *o++ = sizeof(short); *o++ = sizeof(ushort);
    *o++ = sizeof(int); *o++ = sizeof(uint); *o++ = sizeof(long); *o++ = sizeof(ulong);
    *o++ = sizeof(half); *o++ = sizeof(float); *o++ = sizeof(double); *o++ = sizeof(size_t);
    *o++ = sizeof(ptrdiff_t); *o++ = sizeof(intptr_t); *o++ = sizeof(uintptr_t); *o++ = sizeof(out);
    *o++ = sizeof(char2); *o++ = sizeof(char3); *o++ = sizeof(half2); *o++ = sizeof(int3);
    *o++ = sizeof(s); *o++ = sizeof(float16); *o++ = sizeof(double16);
    // The size of an expression's type after promotion; what stands there does not happen.
    *o++ = sizeof('a'); *o++ = sizeof((char)1 + (char)1); *o++ = sizeof(1.0); *o++ = sizeof((char)1);
    *o++ = sizeof array; *o++ = sizeof array / sizeof *array; *o++ = sizeof "eleven char";
    *o++ = vec_step(char); *o++ = vec_step(int3); *o++ = vec_step(float4); *o++ = vec_step(uchar16);
    *o++ = vec_step(out[0]);
    *o++ = sizeof(evaluated++) - sizeof(int);
    *o++ = evaluated;
    *o++ = sizeof(char[7]);
}

kernel void scalars(char c, uchar uc, short s, ushort us, int i, uint ui, long l, ulong ul, global long *out)
{
    out[0] = c - 1;
    out[1] = uc + 1;
    out[2] = s - 1;
    out[3] = us + 1;
    out[4] = (int)(ui - (uint)i);
    out[5] = ui + 1;
    out[6] = (long)((ulong)l - 1);
    out[7] = ul + 1;
    c -= 1;
    uc += 1;
    s -= 1;
    us += 1;
    out[8] = c;
    out[9] = uc;
    out[10] = s;
    out[11] = us;
    bool b = 256;
    out[12] = b;
    b = 0.25f;
    out[13] = b;
    b = -0.0f;
    out[14] = b;
    size_t size = ul;
    ptrdiff_t difference = (ptrdiff_t)size;
    out[15] = difference;
}

kernel void halves(global const half *in, global half *out, global ushort *bits)
{
    const half big = in[0], one = in[1], most = in[2], three = in[3], tenth = in[4], zero = in[5];
    out[0] = big + one;
    out[1] = big + (half)1.5f;
    out[2] = most + (half)16;
    out[3] = one / three;
    out[4] = tenth;
    out[5] = zero * three;
    const half4 v = (half4)(big, one, three, tenth);
    out[6] = v.x / (half)2 + v.y * (half)1.5h;
    out[7] = tenth * (half)7;
    bits[0] = as_ushort(big);
    bits[1] = as_ushort(tenth);
    bits[2] = as_ushort(zero);
    bits[3] = as_ushort(v.y);
}

kernel void doubles(global const double *in, global double *out, global float *narrow)
{
    const double one = in[0], three = in[1], big = in[2], tenth = in[3];
    out[0] = one / three;
    out[1] = big * big;
    out[2] = 9007199254740992.0 * one + 2 * one - one;
    out[3] = tenth;
    out[4] = one + 0x1p-52;
    out[5] = fabs(tenth);
    narrow[0] = -tenth;
    narrow[1] = big;
}

kernel void half_storage(global const half *in, global float *out, global half *to)
{
    out[0] = vload_half(0, in);
    const float2 pair = vload_half2(0, in + 1);
    out[1] = pair.x;
    out[2] = pair.y;
    out[3] = vload_half(3, in) == 0;
    vstore_half(1.0f / 3, 0, to);
    vstore_half_rtz(65519.0f, 1, to);
    vstore_half_rte(65520.0f, 2, to);
    vstore_half(2049.0f, 3, to);
}

kernel void bytes(global uchar *p, global ushort *q)
{
    p[1] = 9;
    ((global char *)p)[3] = -1;
    q[2] = -1;
}

kernel void same_bytes(global uint *p, global float *out)
{
    global uchar *b = (global uchar *)p;
    b[3]++;
    b[5] = 255;
    global float *f = (global float *)p;
    out[0] = f[2];
    f[2] = 2.0f;
    *(global ushort *)(p + 3) = 0x0807;
}
