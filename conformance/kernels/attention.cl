// Each row of queries over all keys and values, of 32 numbers each, with a running softmax.
kernel void attention(global const float4 *queries, global const float4 *keys, global const float4 *values,
                      global float4 *output, uint n)
{
    size_t i = get_global_id(0);
    float4 query[8], sum[8];
    for (uint k = 0; k < 8; k++) {
        query[k] = queries[8 * i + k];
        sum[k] = 0;
    }
    float most = -INFINITY, total = 0;
    for (uint j = 0; j < n; j++) {
        float score = 0;
        for (uint k = 0; k < 8; k++) {
            score += dot(query[k], keys[8 * j + k]);
        }
        float next = fmax(most, score);
        float before = exp(most - next), weight = exp(score - next);
        total = total * before + weight;
        for (uint k = 0; k < 8; k++) {
            sum[k] = sum[k] * before + weight * values[8 * j + k];
        }
        most = next;
    }
    for (uint k = 0; k < 8; k++) {
        output[8 * i + k] = sum[k] / total;
    }
}
