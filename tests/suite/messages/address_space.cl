// error: E0340
float sum(local const float *values, int n)
{
    float total = 0;
    for (int i = 0; i < n; ++i)
        total += values[i];
    return total;
}

kernel void scale(global float *data, int n)
{
    data[get_global_id(0)] *= sum(data, n);
}
