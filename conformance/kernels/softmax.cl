// The softmax of rows of 1024, a work-group of 256 each.
kernel void softmax(global const float *input, global float *output)
{
    local float scratch[256];
    uint item = get_local_id(0);
    size_t start = get_group_id(0) * 1024;
    float values[4];
    float most = -INFINITY;
    for (uint k = 0; k < 4; k++) {
        values[k] = 30.0f * input[start + item + 256 * k];
        most = fmax(most, values[k]);
    }
    scratch[item] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = 128; half_size > 0; half_size /= 2) {
        if (item < half_size) {
            scratch[item] = fmax(scratch[item], scratch[item + half_size]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    most = scratch[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (uint k = 0; k < 4; k++) {
        values[k] = exp(values[k] - most);
        sum += values[k];
    }
    scratch[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = 128; half_size > 0; half_size /= 2) {
        if (item < half_size) {
            scratch[item] += scratch[item + half_size];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum = scratch[0];
    for (uint k = 0; k < 4; k++) {
        output[start + item + 256 * k] = values[k] / sum;
    }
}
