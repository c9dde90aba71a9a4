// Vectors: literals, swizzles on both sides, operators, comparisons, selection, built-ins.
//@ section 6.3.2 6.3.6 6.3.7 6.5.9 6.6
//@ kernel literals
//@ global 1
//@ arg buffer int[64] = zero
//@ result 0 = 1 2 3 4 1 2 7*4 2 1 4 3 2 1*2 2 3 4 1 2 7*2 1 2 3 4 0*2 5*3 0 1 2 0*4 10 11 12 13 80416 0*3 5 12 21 32 3 0*11
//@ kernel swizzles
//@ global 1
//@ arg float4 = 1 2 3 4
//@ arg buffer float[64] = zero
//@ result 1 = 4 3 2 1 3 4 1 3 1*2 2*3 0 4 3 0 2 4 3 10 44 4 6 11 43 4 5 0*4 5 2 43 4*2 43 2 3 2 1 0*6 5 2 43 4*2 43 2 5*2 2 -1 -2 4 43 2 -3
//@ kernel operators
//@ global 1
//@ arg int4 = 7 -7 0 100
//@ arg int4 = 2 2 5 -3
//@ arg buffer int4[16] = zero
//@ result 2 = 9 -5 5 97 11 -17 -3 -303 3 -3 0 -33 1 -1 0 1 28 -28 0 400 1 -2 0 50 -6 4 -6 102 0 -1*2 0 -1*2 0 -1 0*2 -1 0 -1*2 0 -1 7*2 0 100 2 -7 0 -3 -19 9 -11 -195 1 0*2 1 5007 -6998 5 5100
//@ kernel memory
//@ global 1
//@ arg buffer float[32] = ramp
//@ arg buffer float[32] = zero
//@ result 1 = 14 16 18 0 11*4 16 17 18 19 31 0 4 5 6 7 0*2 4 10 18 28 3 4 0*6
//@ kernel dynamic
//@ global 4
//@ arg buffer int[16] = zero
//@ result 0 = 10*2 20 30 20 11 21 -1 30 12 -1 32 40 -1 23 33
//@ kernel vector_attributes
//@ global 1
//@ arg buffer int[8] = 1 2 3 4 5 6 7 8
//@ result 0 = 11 22 33 44 4 5 16 8
//@ kernel elements_of_lists
//@ global 1
//@ arg int = 7
//@ arg int4 = 1 2 3 4
//@ arg buffer int4[12] = zero
//@ result 2 = 0*4 1*4 7*4 1 2 3 4 5*4 6*4 8 9 0*2 10*4 11*4 12*4 13*4 2*4
//@ kernel zeros_of_three
//@ global 1
//@ arg buffer int[16] = 9*16
//@ arg buffer uchar[8] = 3*8
//@ result 0 = 9 0*3 9*4 0*2 5*2 7 0 9*2
//@ result 1 = 3*4 0*3 3
//@ kernel small_components
//@ global 1
//@ arg buffer short[16] = 1 2 3 4 5 6 7 8 0*8
//@ arg buffer uchar[32] = 250 1 2 3 4 5 6 7 8 9 10 11 12 13 14 255 0*16
//@ arg buffer char[16] = 1 -2 3 -128 5 6 7 127 0*8
//@ arg buffer short[32] = -1 1 300 0*12 1 0*16
//@ result 0 = 1 2 3 4 5 6 7 8 7 6 5 4 3 2 1 0
//@ result 1 = 250 1 2 3 4 5 6 7 8 9 10 11 12 13 14 255 249 2 46 3 4 5 6 7 8 9 10 11 12 13 14 0
//@ result 2 = 1 -2 3 -128 5 6 7 127 -1 2 -3 -128 -5 -6 -7 -127
//@ result 3 = -1 1 300 0*12 1 1 -1 0 300 0*10 1 0
kernel void literals(global int *o)
{
    const int2 a = (int2)(1, 2);
    const int4 b = (int4)(a, 3, 4);
    const int8 c = (int8)(b, a, (int2)(7));
    const int16 d = (int16)(c, c.s76543210);
    const int3 e = (int3)(5);
    vstore16(d, 0, o);
    vstore8(c, 2, o);
    vstore4(b, 6, o);
    vstore3(e, 10, o);
    vstore2(a, 17, o);
    const int4 f = 9;
    vstore4(f + (int4){1, 2, 3, 4}, 10, o);
    o[44] = sizeof(int3) + 100 * vec_step(int3) + 10000 * vec_step(c);
    int4 g[2] = { (int4)(1, 2, 3, 4), { 5, 6, 7, 8 } };
    vstore4(g[0] * g[1], 12, o);
    o[52] = ((int4)(1, 2, 3, 4)).s2;
}

kernel void swizzles(float4 v, global float *o)
{
    vstore4(v.wzyx, 0, o);
    vstore2(v.hi, 2, o);
    vstore2(v.even, 3, o);
    vstore4(v.xxyy, 2, o);
    float4 w = 0;
    w.xz = v.yw;
    w.w = w.x + 1;
    vstore4(w, 3, o);
    w.yx = w.xy;
    vstore4(w, 4, o);
    w.lo += (float2)(10, 20);
    w.odd *= 2.0f;
    vstore4(w, 5, o);
    w.s3 = 5, w.s0++;
    --w.y;
    vstore4(w, 6, o);
    float8 big = (float8)(v, w);
    big.s0246 = big.s7531;
    big.s1 = v.s1;
    vstore8(big, 4, o);
    float16 huge = (float16)(big, big.s01234567);
    huge.sAbF = (float3)(-1, -2, -3);
    vstore16(huge, 3, o);
    float3 three = v.xyz;
    three.zx = three.xz;
    vstore3(three, 13, o);
}

kernel void operators(int4 a, int4 b, global int4 *o)
{
    o[0] = a + b;
    o[1] = a * b - 3;
    o[2] = a / b;
    o[3] = a % b;
    o[4] = a << 2;
    o[5] = a >> (b & 3);
    o[6] = ~a ^ b;
    o[7] = a < b;
    o[8] = (a == b) | (a != 0);
    o[9] = !a;
    o[10] = a && b;
    o[11] = a > 0 ? a : -a;
    o[12] = select(a, b, (int4)(-1, 0, 1, (int)0x80000000));
    int4 c = a;
    c += b;
    c <<= 1;
    c++;
    o[13] = -c;
    o[14] = (int4)(any(a < 0), all(a < 0), any(a > 1000), all(a < 1000));
    o[15] = max(a, b) + 1000 * min(a, 5);
}

kernel void memory(global float *in, global float *out)
{
    const float4 a = vload4(1, in);
    const float3 b = vload3(2, in + 1);
    vstore3(b * 2.0f, 0, out);
    vstore4(a + a.wzyx, 1, out);
    global float4 *wide = (global float4 *)out;
    wide[2] = *(global float4 *)(in + 16);
    wide[3].x = in[31];
    wide[3].zw = a.xy;
    ((global float2 *)out)[8] = a.hi;
    private float local_copy[4] = { 1, 2, 3, 4 };
    vstore4(vload4(0, local_copy) * a, 5, out);
    vstore2(vload2(1, local_copy), 12, out);
}

kernel void dynamic(global int *out)
{
    const int i = get_global_id(0);
    int4 v = (int4)(10, 20, 30, 40);
    int4 w = v + i;
    const int a = ((int *)&v)[i];
    ((int *)&w)[3 - i] = -1;
    out[4 * i] = a;
    vstore3(w.xyz, 0, out + 4 * i + 1);
}

// GNU attributes make the vectors of OpenCL C, wherever a type is named.
struct with_vector { int first; float __attribute__((ext_vector_type(4))) v; };

int __attribute__((vector_size(16))) scaled(int x __attribute__((ext_vector_type(4))), int by) {
  return x * by;
}

kernel void vector_attributes(global int *out) {
  int v __attribute__((vector_size(16))) = vload4(0, out);
  struct with_vector s = {1, (float __attribute__((ext_vector_type(4))))(1.0f, 2.0f, 3.0f, 4.0f)};
  vstore4(scaled(v, 11), 0, out);
  out[4] = (int)s.v.w;
  out[5] = (int)(s.v.x + s.v.w);
  out[6] = sizeof(float __attribute__((ext_vector_type(3))));
}

// A vector is no aggregate: a scalar in a list around it is the value of the whole vector.
struct pair { int4 a; int2 b; };
constant int4 lines[] = {13};
kernel void elements_of_lists(int n, int4 v, global int4 *o)
{
    int4 a[] = {0, 1, n, v};
    for (int i = 0; i < 4; i++)
        o[i] = a[i];
    int4 b[2] = {[1] = 6, [0] = 5};
    o[4] = b[0];
    o[5] = b[1];
    struct pair c = {.b = {8, 9}};
    o[6] = (int4)(c.b, 0, 0);
    struct pair d[2] = {10, 11, 12};
    o[7] = d[0].a;
    o[8] = d[0].b.xyxy;
    o[9] = d[1].a;
    o[10] = lines[0];
    o[11] = sizeof(a) / sizeof(d[0]);
}

// What is behind three components is not written, where they are a constant zero, too.
kernel void zeros_of_three(global int *o, global uchar *bytes)
{
    int16 zeros = (int16)(0);
    vstore3(zeros.sef2, 0, o + 1);
    vstore3(convert_uchar16(zeros).s123, 1, bytes + 1);
    local int tile[8];
    for (int i = 0; i < 8; i++) tile[i] = 5;
    vstore3(zeros.s012, 1, tile);
    vstore4(vload4(1, tile), 2, o);
    int own[8] = {7, 7, 7, 7, 7, 7, 7, 7};
    vstore3(zeros.s345, 0, own + o[15] - 8);
    o[12] = own[4];
    o[13] = own[3];
}

// Shaders access vectors of 8 and 16 small components by words.
kernel void small_components(global short8 *s, global uchar16 *b, global char8 *c, global short16 *w)
{
    s[1] = s[0].s76543210 - (short8)(1);
    b[1] = b[0] + convert_uchar16(w[0]);
    c[1] = -c[0];
    w[1] = w[0].s1032547698badcfe;
}
