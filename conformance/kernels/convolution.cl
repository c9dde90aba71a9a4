// A filter of 5 by 5 whose edges repeat.
kernel void convolution(global const float *input, global float *output, constant float *weights, uint n)
{
    int column = get_global_id(0), row = get_global_id(1), last = n - 1;
    float sum = 0;
    for (int y = -2; y <= 2; y++) {
        for (int x = -2; x <= 2; x++) {
            int from_row = clamp(row + y, 0, last), from_column = clamp(column + x, 0, last);
            sum += weights[(y + 2) * 5 + x + 2] * input[from_row * (int)n + from_column];
        }
    }
    output[row * (int)n + column] = sum;
}
