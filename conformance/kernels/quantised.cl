// A matrix of numbers of four bits, 32 of which share a scale, times a vector: a work-group for each row.
typedef struct {
    half scale;
    uchar pairs[16];
} block;

kernel void quantised(global const block *matrix, global const float *vector, global float *product, int blocks)
{
    local float sums[64];
    int row = get_group_id(0), lane = get_local_id(0);
    float sum = 0;
    for (int b = lane; b < blocks; b += 64) {
        global const block *here = matrix + row * blocks + b;
        global const float *numbers = vector + 32 * b;
        float part = 0;
        for (int k = 0; k < 16; k++) {
            int pair = here->pairs[k];
            part += ((pair & 15) - 8) * numbers[k] + ((pair >> 4) - 8) * numbers[k + 16];
        }
        sum += vload_half(0, &here->scale) * part;
    }
    sums[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 32; step > 0; step /= 2) {
        if (lane < step)
            sums[lane] += sums[lane + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0)
        product[row] = sums[0];
}
