#define TILE_WIDTH 16

__kernle void scale(global flaot4 *values, int cuont) {
    int i = get_globl_id(0);
    if (i < count && i < TILE_WDITH)
        values[i] = clmap(values[i], 0.0f, 1.0f);
    retrun;
}

// error: E0106 3:1
// error: E0106 3:28
// error: E0401 4:13
// error: E0401 5:13
// error: E0401 5:26
// error: E0401 6:21
// error: E0401 7:5
