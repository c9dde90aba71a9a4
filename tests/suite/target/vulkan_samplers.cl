// For Vulkan, samplers that no image is read with are passed around as numbers; one that the host gives
// is refused, as images are.
// RUN[O]: -S --target-env=vulkan1.3
// RUN[O0]: -S -O0 --target-env=vulkan1.3
// RUN[argument]: --target-env=vulkan1.3 -DARGUMENT
// RUN[image]: --target-env=vulkan1.3 -DIMAGE
// emits[O0]: OpFunctionCall
// emits-not[O]: OpTypeSampler
// emits-not[O0]: OpTypeSampler
// error[argument]: E0708
// error[image]: E0703
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__attribute__((noinline)) float from_buffer(global const float *p, sampler_t sampler, int2 at)
{
    return p[at.x + 10 * at.y];
}

float again(global const float *p, sampler_t sampler, int2 at)
{
    return from_buffer(p, sampler, at + 1);
}

kernel void k(global const float *in, global float *out
#ifdef ARGUMENT
              , sampler_t given
#endif
#ifdef IMAGE
              , read_only image2d_t image
#endif
)
{
    const sampler_t linear = CLK_FILTER_LINEAR;
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    out[at.x] = from_buffer(in, nearest, at) + again(in, linear, at);
#ifdef IMAGE
    out[at.x] += read_imagef(image, nearest, at).x;
#endif
}
