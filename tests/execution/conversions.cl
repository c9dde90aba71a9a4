//@ section 6.4.1 6.4.2 6.4.3 6.4.3.1 6.4.3.2 6.4.3.3 6.4.4.2
//@ kernel scalars
//@ global 8
//@ arg buffer float[8] = 0 1.5 -1.5 2.5 300.7 -129.2 1e10 -0.49
//@ arg buffer int[80] = zero
//@ result 1 = 0*7 1*2 0 1*7 0*3 -1*2 0 -1 0 1*2 0*3 2*5 1*2 0*3 300*3 127 255 1*2 0*3 -129*2 0 -128 0 1*2 0*3 -1 2147483647 -1 127 255 1*2 0*8 1*2 0*3
//@ kernel rounding
//@ global 6
//@ arg buffer float[6] = 0.5 1.5 -0.5 -1.5 2.49 -2.51
//@ arg buffer int[24] = zero
//@ result 1 = 0*2 1 0 2 1 2 1 0*3 -1 -2 -1*2 -2 2*2 3 2 -3 -2*2 -3
//@ kernel saturating
//@ global 5
//@ arg buffer int[5] = 0 127 128 -300 70000
//@ arg buffer int[25] = zero
//@ result 1 = 0 0 0 0 0 127 127 127 127 127 127 128 128 128 -128 -128 0 -300 0 -44 127 255 32767 65535 112
//@ kernel vectors
//@ global 1
//@ arg float4 = 1.25 -2.75 255.5 1000
//@ arg buffer int4[6] = zero
//@ result 1 = 1 -2 255 1000 1 -3 256 1000 1 0 255*2 0*3 -1 1 -2 256 1000 -1 0 -1*2
//@ kernel reinterpret
//@ global 1
//@ arg float4 = 1 -2 0.5 1e20
//@ arg buffer uint[16] = zero
//@ result 1 = 1065353216 3221225472 63 49152 1065353216 3221225472 1056964608 1621981420 1065353216 3221225472 1086918619 4261609217 3 0*3
//@ kernel wide
//@ global 1
//@ arg buffer double[8] = zero
//@ arg long = 9007199254740993
//@ arg double = 1e300
//@ result 0 = 9007199254740992*2 inf 0.10000000149011612 0.1 2147483648 18446744073709552000 -1
kernel void scalars(global const float *in, global int *out)
{
    const int i = get_global_id(0);
    const float f = in[i];
    global int *o = out + 10 * i;
    o[0] = f > -2e9f && f < 2e9f ? (int)f : -1;
    o[1] = convert_int_sat(f);
    o[2] = convert_uint_sat(f);
    o[3] = convert_char_sat(f);
    o[4] = convert_uchar_sat(f);
    o[5] = f != 0;
    o[6] = (bool)f;
    o[7] = !f;
    o[8] = (float)(int)clamp(f, -1000.0f, 1000.0f) == f;
}

kernel void rounding(global const float *in, global int *out)
{
    const int i = get_global_id(0);
    out[4 * i] = convert_int_rte(in[i]);
    out[4 * i + 1] = convert_int_rtz(in[i]);
    out[4 * i + 2] = convert_int_rtp(in[i]);
    out[4 * i + 3] = convert_int_rtn(in[i]);
}

kernel void saturating(global const int *in, global int *out)
{
    const int i = get_global_id(0);
    global int *o = out + 5 * i;
    o[0] = convert_char_sat(in[i]);
    o[1] = convert_uchar_sat(in[i]);
    o[2] = convert_short_sat(in[i]);
    o[3] = convert_ushort_sat(in[i]);
    o[4] = convert_char(in[i]);
}

kernel void vectors(float4 v, global int4 *out)
{
    out[0] = convert_int4(v);
    out[1] = convert_int4_rte(v);
    out[2] = convert_int4(convert_uchar4_sat(v));
    out[3] = convert_int4(convert_float4(convert_short4(v)) == v);
    out[4] = (int4)(convert_int2(v.xy), convert_int2_rtp(v.zw));
    out[5] = v > 0.0f;
}

kernel void reinterpret(float4 v, global uint *out)
{
    out[0] = as_uint(v.x);
    out[1] = as_int(v.y);
    const uint4 bits = as_uint4(v);
    vstore4(bits, 1, out);
    const uchar4 bytes = as_uchar4(v.x);
    out[2] = bytes.w;
    out[3] = as_ushort2(v.y).y;
    const ulong2 wide = as_ulong2(v);
    out[8] = (uint)wide.x;
    out[9] = (uint)(wide.x >> 32);
    out[10] = as_uint(as_float(0x40490fdb) * 2.0f);
    out[11] = as_uint((char4)(1, -1, 2, -2));
    const float3 three = as_float3((uint4)(0x3f800000, 0x40000000, 0x40400000, 7));
    out[12] = three.z;
}

kernel void wide(global double *out, long l, double d)
{
    out[0] = l;
    out[1] = (float)l;
    out[2] = (float)d;
    out[3] = (double)0.1f;
    out[4] = 0.1;
    out[5] = convert_double(1u << 31);
    out[6] = (double)(ulong)-1;
    out[7] = convert_long_rtz(-1.5);
}
