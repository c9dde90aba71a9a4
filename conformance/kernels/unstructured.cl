// A sparse matrix with rows of any length times a vector.
kernel void unstructured(global const uint *begins, global const uint *columns, global const float *values,
                         global const float *vector, global float *result, uint rows)
{
    uint row = get_global_id(0);
    if (row < rows) {
        float sum = 0;
        for (uint i = begins[row]; i < begins[row + 1]; i++)
            sum += values[i] * vector[columns[i]];
        result[row] = sum;
    }
}
