// Sobel's edges of a picture of bytes.
int brightness(uchar4 colour)
{
    return (77 * colour.x + 150 * colour.y + 29 * colour.z) >> 8;
}

kernel void edges(global const uchar4 *picture, global uchar4 *result, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1) {
        result[y * width + x] = (uchar4)(0, 0, 0, 255);
        return;
    }
    int around[3][3];
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            around[j + 1][i + 1] = brightness(picture[(y + j) * width + x + i]);
    int across = around[0][2] + 2 * around[1][2] + around[2][2] - around[0][0] - 2 * around[1][0] - around[2][0];
    int down = around[2][0] + 2 * around[2][1] + around[2][2] - around[0][0] - 2 * around[0][1] - around[0][2];
    uchar edge = convert_uchar_sat(sqrt((float)(across * across + down * down)));
    result[y * width + x] = (uchar4)(edge, edge, edge, 255);
}
