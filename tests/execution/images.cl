// Integer and normalised images; samplers with normalised coordinates.
//@ section 6.15.15 6.15.15.1 6.15.15.2 6.15.15.4 6.15.15.5 6.3.3 6.8
//@ kernel integers
//@ global 4 2
//@ arg image rgba uint8 4x2 = ramp
//@ arg image rgba int32 4x2 = ramp -10
//@ arg image r uint32 4x2 = zero
//@ arg buffer int4[8] = zero
//@ result 2 = 3 11 19 27 35 43 51 59
//@ result 3 = -1000 -899 -798 -697 -596 -495 -394 -293 -192 -91 10 111 212 313 414 515 616 717 818 919 1020 1121 1222 1323 1424 1525 1626 1727 1828 1929 2030 2131
//@ kernel sampled      texels of unorm8 within 1.5 ulp (8.3.1.1)
//@ global 4
//@ arg image rgba unorm8 4x1 = 0*4 51*4 102*4 255*4
//@ arg buffer float4[4] = zero
//@ arg sampler 1 edge nearest
//@ arg sampler 0 clamp nearest
//@ result 1 ~ 2e-7 0 1*3 0.2 0.4 1*2 0.4 0.2 1*3 0 1*2
kernel void integers(read_only image2d_t a, read_only image2d_t b, write_only image2d_t out, global int4 *o)
{
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const uint4 u = read_imageui(a, s, at);
    const int4 i = read_imagei(b, at);
    write_imageui(out, at, (uint4)(u.x + u.w, 0, 0, 0));
    o[at.y * get_image_width(a) + at.x] = convert_int4(u) + i * 100;
}

kernel void sampled(read_only image2d_t a, global float4 *o, sampler_t normalised, sampler_t plain)
{
    const int i = get_global_id(0);
    const float4 x = read_imagef(a, normalised, (float2)((i + 0.5f) / 4, 0.5f));
    const float4 y = read_imagef(a, plain, (int2)(3 - i, 0));
    o[i] = (float4)(x.x, y.y, get_image_channel_order(a) == CLK_RGBA, get_image_height(a));
}
