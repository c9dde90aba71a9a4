// Numbers of 8 and 16 bits are cut to their width before they are widened again, and halves rounded.
//@ section 6.2.1 6.3.1 6.4 6.5.3
//@ kernel signs
//@ global 3
//@ arg buffer char[3] = -128 127 -1
//@ arg buffer int[24] = zero
//@ result 1 = -128 128 128 1 -128 -64 -64 -128  -127 129 -127 1 -127 -64 -63 -127  1 1 1 0 1 0 0 1
//@ kernel shorts
//@ global 2
//@ arg buffer short[2] = -32768 1
//@ arg buffer long[8] = zero
//@ result 1 = -32768 32768 32768 -128  -1 65535 -1 0
//@ kernel vectors
//@ arg uchar4 = 128 127 255 0
//@ arg buffer int4[5] = zero
//@ arg buffer float4[1] = zero
//@ result 1 = -128 -127 1 0  128 129 1 0  -1 -1 0 0  -64 -63 0 0  -128 -128 127 0
//@ result 2 = -128 -127 1 0
//@ kernel repeated
//@ global 2
//@ arg buffer char[2] = -128 5
//@ arg buffer int[4] = zero
//@ arg int = 3
//@ result 1 = -128 -128 -5 -5
//@ kernel variables
//@ arg buffer char[4] = -128 5 127 -1
//@ arg buffer int[12] = zero
//@ arg int = 1
//@ result 1 = 1 -128 -5 -127  127 -1 4 127  127 -1 0 -128
//@ kernel halves
//@ global 4
//@ arg buffer float[4] = 1.0004883 -65519.996 0.000000059604645 3e38
//@ arg buffer float[20] = zero
//@ result 1 = 1 -1 0.33325195 1 1  -65504 65504 -21840 -65504 -65504  0.000000059604645 -0.000000059604645 0 0.000000059604645 0.000000059604645  inf -inf inf inf inf
//@ kernel half_vectors
//@ arg float4 = 1.0004883 1.0004884 -0.1 nan
//@ arg buffer float4[2] = zero
//@ result 1 = 1 1.0009766 -0.099975586 nan  -0.099975586 1.0009766 nan 1
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void signs(global const char *in, global int *out)
{
    const char c = in[get_global_id(0)];
    global int *o = out + 8 * get_global_id(0);
    o[0] = (char)-c;
    o[1] = (uchar)-c;
    o[2] = -c;
    o[3] = (char)-c < 0;
    char d = -c;
    o[4] = d;
    d = 0 - c;
    o[5] = d >> 1;
    d = c * -1;
    o[6] = d / 2;
    o[7] = (float)(char)-c;
}

kernel void shorts(global const short *in, global long *out)
{
    const short s = in[get_global_id(0)];
    global long *o = out + 4 * get_global_id(0);
    o[0] = (short)-s;
    o[1] = (ushort)-s;
    o[2] = -s;
    o[3] = (char)-(s >> 8);
}

kernel void vectors(uchar4 v, global int4 *out, global float4 *f)
{
    // Of signed numbers this would overflow.
    const char4 n = as_char4(-v);
    out[0] = convert_int4(n);
    out[1] = convert_int4(as_uchar4(n));
    // With zero: Intel's driver (also from source) takes a comparison of `-v` with a constant for one of `v`.
    out[2] = convert_int4(n < as_char4(v.wwww));
    out[3] = convert_int4(n / (char)2);
    out[4] = (int4)(n.x, (char)-n.x, -n.y, n.w);
    f[0] = convert_float4(n);
}

kernel void repeated(global const char *in, global int *out, int turns)
{
    const char c = in[get_global_id(0)];
    char d = c;
    for (int i = 0; i < turns; i++)
        d = -d;
    out[2 * get_global_id(0)] = d;
    out[2 * get_global_id(0) + 1] = turns > 2 ? (char)-c : c;
}

// Only of one of the arrays a driver may see a negation.
kernel void variables(global const char *in, global int *out, int from)
{
    const char table[4] = {-128, 127, -1, 0};
    char negated[4], sums[4];
    for (int i = 0; i < 4; i++) {
        const int at = (i + from) & 3;
        negated[at] = -in[i];
        sums[at] = in[i] + table[at];
    }
    for (int i = 0; i < 4; i++) {
        out[i] = negated[i];
        out[4 + i] = sums[i];
        out[8 + i] = table[(i + from) & 3];
    }
}

kernel void halves(global const float *in, global float *out)
{
    const float x = in[get_global_id(0)];
    global float *o = out + 5 * get_global_id(0);
    const half h = (half)x;
    o[0] = h;
    o[1] = -h;
    o[2] = h / 3;
    half other = x;
    for (int i = 0; i < 2; i++)
        other = fabs(x) < 1e-7f ? other : copysign(fabs(other), h);
    o[3] = other;
    o[4] = vload_half(0, &other);
}

kernel void half_vectors(float4 v, global float4 *out)
{
    const half4 h = convert_half4(v);
    out[0] = convert_float4(h);
    out[1] = convert_float4(h.zywx);
}
