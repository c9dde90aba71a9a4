// The cosine transform of blocks of 8 x 8, a work-item for each number.
kernel void cosines(global const float *image, global float *spectrum, int n, constant float *basis)
{
    local float block[8][8], rows[8][8];
    int x = get_local_id(0), y = get_local_id(1);
    int at = get_global_id(1) * n + get_global_id(0);
    block[y][x] = image[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += block[y][k] * basis[8 * x + k];
    rows[y][x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (int k = 0; k < 8; k++)
        sum += rows[k][x] * basis[8 * y + k];
    spectrum[at] = sum;
}
