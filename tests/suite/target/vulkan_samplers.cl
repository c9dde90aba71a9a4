// For Vulkan, images and samplers are descriptors; a sampler that no image is read with is none, unless the
// host gives it.
// RUN[O]: -S --target-env=vulkan1.3
// RUN[O0]: -S -O0 --target-env=vulkan1.3
// RUN[argument]: -S --target-env=vulkan1.3 -DARGUMENT
// RUN[image]: -S --target-env=vulkan1.3 -DIMAGE
// RUN[linear]: -S --target-env=vulkan1.3 -DIMAGE -DLINEAR
// emits-not[O]: OpTypeSampler
// emits-not[O0]: OpTypeSampler
// emits-not[argument]: OpTypeSampler
// emits-not[image]: OpTypeSampler
// emits[image]: OpImageFetch
// emits[linear]: OpTypeSampler
// emits[linear]: OpImageSampleExplicitLod
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
#ifdef LINEAR
    out[at.x] += read_imagef(image, linear, (float2)(0.5f)).x;
#endif
}
