// Depth images are read and written as numbers, not as vectors.
//@ section 6.2.2.4
//@ options -cl-std=CL2.0
//@ kernel depths
//@ global 4 2
//@ arg image depth float 4x2 = 0 0.125 0.25 0.375 0.5 0.625 0.75 1
//@ arg image depth float 4x2 = zero
//@ arg sampler 1 edge nearest
//@ arg buffer float[8] = zero
//@ result 1 = 1 0.875 0.75 0.625 0.5 0.375 0.25 0
//@ result 3 = 0 0.125 0.25 0.375 0.5 0.625 0.75 1
//@ kernel normalised
//@ global 4
//@ arg image depth unorm16 4x1 = 0 65535 13107 52428
//@ arg buffer float[4] = zero
//@ result 1 ~ 0.000001 0 1 0.2 0.8
//@ kernel described
//@ arg image depth float 4x2 = zero
//@ arg buffer int[5] = zero
//@ result 1 = 4 2 1 1 42
kernel void depths(read_only image2d_depth_t in, write_only image2d_depth_t to, sampler_t s, global float *out)
{
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float depth = read_imagef(in, at);
    write_imagef(to, at, 1 - depth);
    out[4 * at.y + at.x] = read_imagef(in, s, (convert_float2(at) + 0.5f) / (float2)(4, 2));
}

kernel void normalised(read_only image2d_depth_t in, global float *out)
{
    const int i = get_global_id(0);
    out[i] = read_imagef(in, (int2)(i, 0));
}

kernel void described(read_only image2d_depth_t in, global int *out)
{
    out[0] = get_image_width(in);
    out[1] = get_image_height(in);
    out[2] = get_image_channel_order(in) == CLK_DEPTH;
    out[3] = get_image_channel_data_type(in) == CLK_FLOAT;
    out[4] = get_image_dim(in).x * 10 + get_image_dim(in).y;
}
