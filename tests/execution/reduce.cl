// A reduction in local memory that the host sizes, with a barrier in a loop.
//@ section 6.15.8
//@ kernel reduce
//@ global 256
//@ local 64
//@ arg buffer uint[256] = random 7
//@ arg buffer uint[4] = zero
//@ arg local 256
//@ result 1 = host reduce
kernel void reduce(global const uint *in, global uint *out, local uint *scratch)
{
    const uint i = get_local_id(0);
    scratch[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        if (i < half_size)
            scratch[i] += scratch[i + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0)
        out[get_group_id(0)] = scratch[0];
}
