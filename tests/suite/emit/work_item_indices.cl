// Indices of 32 bits are computed from whole numbers of work-items, but where they may wrap from one to the next, as one
// element after the other where nothing is known, and where drivers make no vectors of work-items.
// RUN[whole]: -S
// RUN[wraps]: -S -fwrapv
// RUN[later]: -S -fwrapv -fno-wrapv
// RUN[none]: -S -O0
// RUN[vulkan]: -S --target-env=vulkan1.3
// RUN[hint]: -S -DHINT=__attribute__((vec_type_hint(float)))
// emits-not[whole]: OpUConvert
// emits[wraps]: OpUConvert
// emits-not[later]: OpUConvert
// emits[none]: OpUConvert
// emits[vulkan]: OpUConvert
// emits[hint]: OpUConvert
#ifndef HINT
#define HINT
#endif

kernel HINT void k(global const float *in, global float *out)
{
    uint i = get_global_id(0);
    out[i] = in[i] + in[3 * i];
}
