// A filter that keeps edges: weights by distance and by difference.
kernel void bilateral(global const float *input, global float *output, uint n)
{
    int column = get_global_id(0), row = get_global_id(1), last = n - 1;
    float centre = input[row * (int)n + column];
    float sum = 0, total = 0;
    for (int y = -3; y <= 3; y++) {
        for (int x = -3; x <= 3; x++) {
            float value = input[clamp(row + y, 0, last) * (int)n + clamp(column + x, 0, last)];
            float difference = value - centre;
            float weight = exp(-0.08f * (x * x + y * y) - 12.0f * difference * difference);
            sum += weight * value;
            total += weight;
        }
    }
    output[row * (int)n + column] = sum / total;
}
