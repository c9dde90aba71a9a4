// A matrix product as textbooks have it.
kernel void product(const int m, const int n, const int k, global const float *a, global const float *b, global float *c)
{
    const int row = get_global_id(1);
    const int column = get_global_id(0);
    if (row >= m || column >= n)
        return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}
