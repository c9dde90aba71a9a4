// A 3×3 binomial filter over a 2D image, with a literal sampler and with one from the host.
//@ kernel gaussian
//@ global 8 4
//@ arg image rgba float 8x4 = random 5 0 64
//@ arg image rgba float 8x4 = zero
//@ result 1 ~ 1e-6 host gaussian
//@ kernel gaussian exact
//@ global 8 4
//@ arg image rgba float 8x4 = ramp
//@ arg image rgba float 8x4 = zero
//@ result 1 = host gaussian
//@ kernel gaussian_sampler
//@ global 8 4
//@ arg image rgba float 8x4 = ramp
//@ arg image rgba float 8x4 = zero
//@ arg sampler 0 edge nearest
//@ result 1 = host gaussian
constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

constant float weights[3] = { 1.0f, 2.0f, 1.0f };

kernel void gaussian(read_only image2d_t in, write_only image2d_t out)
{
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0.0f;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            sum += read_imagef(in, nearest, at + (int2)(dx, dy)) * (weights[dx + 1] * weights[dy + 1]);
    write_imagef(out, at, sum / 16.0f);
}

float4 at_offset(read_only image2d_t image, sampler_t sampler, int2 at)
{
    return read_imagef(image, sampler, at);
}

kernel void gaussian_sampler(read_only image2d_t in, write_only image2d_t out, sampler_t sampler)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= get_image_width(in) || y >= get_image_height(in))
        return;
    float4 sum = 0.0f;
    for (int k = 0; k < 9; ++k) {
        const int dx = k % 3 - 1, dy = k / 3 - 1;
        sum += at_offset(in, sampler, (int2)(x + dx, y + dy)) * (float)((2 - abs(dx)) * (2 - abs(dy)));
    }
    write_imagef(out, (int2)(x, y), sum * 0.0625f);
}
