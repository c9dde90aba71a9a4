// c = a b for square matrices, a tile of each in local memory at a time.
#define TILE 16
#ifndef ELEMENT
#define ELEMENT float
#define SUM float
#endif

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul(global const ELEMENT *a, global const ELEMENT *b, global SUM *c, uint n)
{
    local ELEMENT tile_a[TILE][TILE];
    local ELEMENT tile_b[TILE][TILE];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_global_id(0), row = get_global_id(1);
    SUM sum = 0;
    for (uint k = 0; k < n; k += TILE) {
        tile_a[y][x] = a[row * n + k + x];
        tile_b[y][x] = b[(k + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < TILE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
