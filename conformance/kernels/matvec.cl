// A dense matrix times a vector; a work-group for each row.
kernel void matvec(global const float4 *matrix, global const float4 *vector, global float *result,
                   uint columns, local float *sums)
{
    uint item = get_local_id(0), size = get_local_size(0);
    global const float4 *row = matrix + get_group_id(0) * columns;
    float sum = 0;
    for (uint k = item; k < columns; k += size)
        sum += dot(row[k], vector[k]);
    sums[item] = sum;
    for (uint half_size = size / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_size)
            sums[item] += sums[item + half_size];
    }
    if (item == 0)
        result[get_group_id(0)] = sums[0];
}
