// A matrix times a vector, a row for each work-item.
kernel void rows(global const float *matrix, global const float *vector, global float *result, int columns)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int column = 0; column < columns; column++)
        sum += matrix[row * columns + column] * vector[column];
    result[row] = sum;
}
