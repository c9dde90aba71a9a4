// A generation of Conway's game of life, a byte for each cell.
kernel void life(global const uchar *cells, global uchar *next, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    int left = x == 0 ? n - 1 : x - 1, right = x == n - 1 ? 0 : x + 1;
    int above = y == 0 ? n - 1 : y - 1, below = y == n - 1 ? 0 : y + 1;
    int count = cells[above * n + left] + cells[above * n + x] + cells[above * n + right] +
                cells[y * n + left] + cells[y * n + right] +
                cells[below * n + left] + cells[below * n + x] + cells[below * n + right];
    uchar cell = cells[y * n + x];
    next[y * n + x] = count == 3 || (cell && count == 2);
}
