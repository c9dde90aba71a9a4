// The mean of paths with normally distributed steps (Box and Muller).
kernel void monte_carlo(global const uint *seeds, global float *means, uint paths)
{
    size_t i = get_global_id(0);
    uint state = seeds[i] | 1;
    float sum = 0;
    for (uint k = 0; k < paths; k++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        float u = ((state >> 8) + 1) * 0x1p-24f;
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        float v = (state >> 8) * 0x1p-24f;
        float normal = sqrt(-2.0f * log(u)) * cos(6.2831853f * v);
        sum += exp(0.2f * normal - 0.02f);
    }
    means[i] = sum / paths;
}
