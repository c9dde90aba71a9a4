// The local memory of a kernel is checked against a limit, when one is given.
// RUN[any]: --target-env=vulkan1.3 -S
// RUN[fits]: --target-env=vulkan1.3 -S --limit shared=4608
// RUN[small]: --target-env=vulkan1.3 -S --limit shared=4607
// RUN[word]: --target-env=vulkan1.3 --limit registers=3
// RUN[number]: --target-env=vulkan1.3 --limit shared=many
// RUN[opencl]: --limit shared=4608
// RUN[part]: --target-env=vulkan1.3 -c --reflection part.json
// RUN[narrow]: --target-env=vulkan1.3 -m32
// RUN[block]: --target-env=vulkan1.3 --max-push-constant-size=6
// emits[any]: OpEntryPoint GLCompute
// emits[fits]: OpEntryPoint GLCompute
// exit[word]: 2
// stderr[word]: the limits that can be given are `shared`
// exit[number]: 2
// stderr[number]: a number of bytes is wanted
// exit[opencl]: 2
// stderr[opencl]: is for Vulkan
// exit[part]: 2
// stderr[part]: a part of a program has one when it is linked
// exit[narrow]: 2
// stderr[narrow]: pointers have 64 bits
// exit[block]: 2
// stderr[block]: a multiple of 4, and at least 8
kernel void k(global float *out, local float *given) //~[small] E0709 uses 4608 bytes of local memory, and the limit is 4607
{
    local float tile[32][32];
    local int counts[128];
    int i = get_local_id(0);
    tile[0][i] = out[i];
    counts[i] = i;
    given[i] = 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[0][i ^ 1] + counts[i ^ 1] + given[i ^ 1];
}
