// Blocks that capture images and samplers.
//@ options -cl-std=CL2.0
//@ kernel called
//@ arg image rgba float 2x2 = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//@ arg sampler 0 edge nearest
//@ arg buffer float4[1] = zero
//@ result 2 = 6 8 10 12
//@ kernel nested
//@ arg image rgba float 2x2 = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//@ arg buffer float4[1] = zero
//@ result 1 = 22 24 26 28
kernel void called(read_only image2d_t i, sampler_t s, global float4 *o)
{
    const sampler_t lit = CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP | CLK_NORMALIZED_COORDS_FALSE;
    void (^b)(void) = ^{ o[0] = read_imagef(i, s, (int2)(0)) + read_imagef(i, lit, (int2)(1, 0)); };
    b();
}

// One block in another captures what that one captured.
kernel void nested(read_only image2d_t i, global float4 *o)
{
    float4 (^outer)(int) = ^(int x) {
        float4 (^inner)(int) = ^(int y) { return read_imagef(i, (int2)(y, 1)); };
        return inner(x) + inner(x + 1);
    };
    o[0] = outer(0);
}
