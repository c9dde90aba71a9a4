// How many steps a point takes to leave the circle of radius two.
kernel void mandelbrot(global uint *steps, uint size)
{
    uint column = get_global_id(0), row = get_global_id(1);
    float re = -2.25f + 3.0f * column / size, im = -1.5f + 3.0f * row / size;
    float x = 0, y = 0;
    uint count = 0;
    while (x * x + y * y <= 4.0f && count < 512) {
        float next = x * x - y * y + re;
        y = 2.0f * x * y + im;
        x = next;
        count++;
    }
    steps[row * size + column] = count;
}
