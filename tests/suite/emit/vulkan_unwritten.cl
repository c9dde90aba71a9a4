// Shaders say of what nothing writes that it is so: `constant` memory, what `restrict` or another type keeps from all
// stores. A buffer that the kernel stores to through another pointer may be the same one.
// RUN[constant]: --target-env=vulkan1.3 -O -S -DIN=constant
// RUN[restrict]: --target-env=vulkan1.3 -O -S -DIN=global -DHOW=restrict
// RUN[typed]: --target-env=vulkan1.3 -O -S -DIN=global -DOUT=int
// RUN[any]: --target-env=vulkan1.3 -O -S -DIN=global
// RUN[untyped]: --target-env=vulkan1.3 -O -S -fno-strict-aliasing -DIN=global -DOUT=int
// emits[constant]: 0 NonWritable
// emits[restrict]: 0 NonWritable
// emits[typed]: 0 NonWritable
// emits-not[any]: NonWritable
// emits-not[untyped]: NonWritable
#ifndef HOW
#define HOW
#endif
#ifndef OUT
#define OUT float
#endif
kernel void k(IN const float *HOW in, global OUT *out)
{
    const size_t i = get_global_id(0);
    out[i + 1] = in[i] * 2;
}
