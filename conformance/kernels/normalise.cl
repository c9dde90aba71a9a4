// Rows with mean 0 and variance 1, scaled and moved: a work-group for each.
float total(local float *parts, float part)
{
    int lane = get_local_id(0);
    parts[lane] = part;
    for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < step)
            parts[lane] += parts[lane + step];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = parts[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

kernel void normalise(global const float *rows, global const float *scale, global const float *move, global float *out,
                      int n, local float *parts)
{
    global const float *row = rows + get_group_id(0) * n;
    global float *result = out + get_group_id(0) * n;
    float sum = 0;
    for (int k = get_local_id(0); k < n; k += get_local_size(0))
        sum += row[k];
    float mean = total(parts, sum) / n;
    float squares = 0;
    for (int k = get_local_id(0); k < n; k += get_local_size(0))
        squares += (row[k] - mean) * (row[k] - mean);
    float factor = rsqrt(total(parts, squares) / n + 1e-5f);
    for (int k = get_local_id(0); k < n; k += get_local_size(0))
        result[k] = (row[k] - mean) * factor * scale[k] + move[k];
}
