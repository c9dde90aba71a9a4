// A tiled matrix product: work-groups share tiles in local memory.
//@ kernel matmul
//@ global 32 32
//@ local 8 8
//@ arg buffer float[1024] = random 1 -8 8
//@ arg buffer float[1024] = random 2 -8 8
//@ arg buffer float[1024] = zero
//@ arg uint = 32
//@ result 2 ~ 1e-5 host matmul
//@ kernel matmul exact
//@ global 16 16
//@ local 8 8
//@ arg buffer float[256] = ramp -128 1
//@ arg buffer float[256] = ramp 127 -1
//@ arg buffer float[256] = zero
//@ arg uint = 16
//@ result 2 = host matmul
#define TILE 8

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul(global const float *restrict a, global const float *restrict b,
            global float *restrict c, uint n)
{
    local float tile_a[TILE][TILE];
    local float tile_b[TILE][TILE];
    const uint row = get_global_id(1), column = get_global_id(0);
    const uint y = get_local_id(1), x = get_local_id(0);
    float sum = 0;
    for (uint t = 0; t < n / TILE; ++t) {
        tile_a[y][x] = a[row * n + t * TILE + x];
        tile_b[y][x] = b[(t * TILE + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; ++k)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
