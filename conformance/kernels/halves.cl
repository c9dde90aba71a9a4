// Rows of half precision, each divided by the root of its mean square, times weights: a work-group for each.
kernel void halves(global const half *in, global const half *weights, global half *out, int columns, local float *partial)
{
    int row = get_group_id(0), me = get_local_id(0), width = get_local_size(0);
    float sum = 0;
    for (int i = me; i < columns / 4; i += width) {
        float4 x = vload_half4(i, in + row * columns);
        sum += dot(x, x);
    }
    partial[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = width / 2; span > 0; span /= 2) {
        if (me < span)
            partial[me] += partial[me + span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float scale = rsqrt(partial[0] / columns + 1e-5f);
    for (int i = me; i < columns / 4; i += width) {
        float4 x = vload_half4(i, in + row * columns);
        vstore_half4(x * scale * vload_half4(i, weights), i, out + row * columns);
    }
}
