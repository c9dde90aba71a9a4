// A sparse matrix of 16 numbers a row times a vector.
kernel void sparse(global const uint *columns, global const float *entries, global const float *vector,
                   global float *output, uint mask)
{
    size_t row = get_global_id(0);
    float sum = 0;
    for (size_t k = row * 16; k < row * 16 + 16; k++) {
        sum += entries[k] * vector[columns[k] & mask];
    }
    output[row] = sum;
}
