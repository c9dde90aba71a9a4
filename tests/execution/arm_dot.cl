// The dot products of cl_arm_integer_dot_product_*: sums with an accumulator are modulo 2^32 or saturated. Values by
// Python.
//@ options -cl-std=CL1.2 -cl-ext=+cl_arm_integer_dot_product_int8,+cl_arm_integer_dot_product_accumulate_int8,+cl_arm_integer_dot_product_accumulate_int16,+cl_arm_integer_dot_product_accumulate_saturate_int8
//@ kernel dots
//@ global 8
//@ arg buffer uchar[32] = 128 128 128 128 255 255 255 255 255 0 128 1 1 1 1 0 1 1 127 1 1 128 0 128 1 0 127 255 0 127 128 1
//@ arg buffer uchar[32] = 128 128 128 128 255 255 255 255 23 255 0 128 255 255 128 255 127 128 1 255 1 127 127 127 0 76 128 82 0 0 121 127
//@ arg buffer ushort[16] = 32768 32768 65535 65535 1 17114 17403 0 32768 1 32768 1 65535 65535 32768 32768
//@ arg buffer ushort[16] = 32768 32768 65535 65535 23513 32767 0 32767 0 46622 32767 65535 32768 34715 32767 65535
//@ arg buffer uint[8] = 2147483647 4294967280 2147483648 5 0 4294967295 123456 2147483632
//@ arg buffer uint[64] = zero
//@ result 5 = 65536 65536 2147549183 2147549183 4294967295 4294967295 2147549183 2147483647 260100 4 260084 4294967284 4294705138 4294967282 4294967295 4294967284 5993 4294967145 2147489641 2147483497 2708281599 2708281599 2147489641 2147483648 638 4294967166 643 4294967171 5 5 643 4294967171 637 125 637 125 46622 4294948382 637 125 32513 4294934785 32512 4294934784 1073774590 3221258238 4294967295 4294934784 37166 4294950958 160622 107118 127654565 187045 160622 107118 15615 4294951935 2147499247 2147468271 1073676272 1073807344 2147499247 2147468271
#if !defined cl_arm_integer_dot_product_int8 || !defined cl_arm_integer_dot_product_accumulate_int8 || \
    !defined cl_arm_integer_dot_product_accumulate_int16 || !defined cl_arm_integer_dot_product_accumulate_saturate_int8
#error the extensions are not there
#endif
#pragma OPENCL EXTENSION cl_arm_integer_dot_product_accumulate_int8 : enable

kernel void dots(global const uchar4 *a, global const uchar4 *b, global const ushort2 *h, global const ushort2 *g,
                 global const uint *sum, global uint *out)
{
    size_t i = get_global_id(0);
    char4 x = as_char4(a[i]), y = as_char4(b[i]);
    out[8 * i] = arm_dot(a[i], b[i]);
    out[8 * i + 1] = arm_dot(x, y);
    out[8 * i + 2] = arm_dot_acc(a[i], b[i], sum[i]);
    out[8 * i + 3] = arm_dot_acc(x, y, (int)sum[i]);
    out[8 * i + 4] = arm_dot_acc(h[i], g[i], sum[i]);
    out[8 * i + 5] = arm_dot_acc(as_short2(h[i]), as_short2(g[i]), (int)sum[i]);
    out[8 * i + 6] = arm_dot_acc_sat(a[i], b[i], sum[i]);
    out[8 * i + 7] = arm_dot_acc_sat(x, y, (int)sum[i]);
}
