// The median of each pixel's neighbourhood of three by three; edges are repeated.
void sort3(uchar *a, uchar *b, uchar *c)
{
    uchar low = min(*a, *b), high = max(*a, *b);
    *a = min(low, *c);
    uchar rest = max(low, *c);
    *b = min(high, rest);
    *c = max(high, rest);
}

kernel void median(global const uchar *image, global uchar *filtered, uint size)
{
    int column = get_global_id(0), row = get_global_id(1);
    int last = size - 1;
    uchar near[9];
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++)
            near[3 * (y + 1) + x + 1] = image[clamp(row + y, 0, last) * size + clamp(column + x, 0, last)];
    }
    for (int k = 0; k < 3; k++)
        sort3(&near[3 * k], &near[3 * k + 1], &near[3 * k + 2]);
    uchar low = max(max(near[0], near[3]), near[6]);
    uchar high = min(min(near[2], near[5]), near[8]);
    sort3(&near[1], &near[4], &near[7]);
    uchar middle = near[4];
    sort3(&low, &middle, &high);
    filtered[row * size + column] = middle;
}
