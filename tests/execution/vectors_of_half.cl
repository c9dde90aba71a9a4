// Vectors of `half` without the pragma that enables them, as compilers of devices take them.
//@ options -cl-std=CL1.2
//@ kernel vectors
//@ global 1
//@ arg buffer half[8] = 1 2 3 4 -1 0.5 8 16
//@ arg buffer half[8] = zero
//@ result 1 = 3 4.5 -4 0 8 16 8 0.5
kernel void vectors(global half4 *in, global half4 *out)
{
    half4 v = in[0], w = in[1];
    half2 sums = convert_half2((float2)(4, 4.5f));
    v += w;
    out[0] = (half4)(sums + (half2)(-1, 0), (half2)(-4, 0));
    sums = max(v.zw, w.zw) - (half2)(3, 4);
    out[1] = (half4)(sums, w.zy);
}
