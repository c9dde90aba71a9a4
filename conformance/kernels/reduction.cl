// The sum of all elements: each work-group leaves one number.
kernel void reduction(global const float *in, global float *out, uint n, local float *partial)
{
    uint item = get_local_id(0);
    float sum = 0;
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
        sum += in[i];
    partial[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        if (item < half_size)
            partial[item] += partial[item + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        out[get_group_id(0)] = partial[0];
}
