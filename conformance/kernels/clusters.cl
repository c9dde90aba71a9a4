// The nearest of some centres for each point of 8 numbers.
kernel void clusters(global const float *points, global const float *centres, global uint *nearest, int n, int count)
{
    size_t i = get_global_id(0);
    uint best = 0;
    float least = FLT_MAX;
    for (int c = 0; c < count; c++) {
        float distance = 0;
        for (int k = 0; k < 8; k++) {
            float d = points[k * n + i] - centres[8 * c + k];
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    nearest[i] = best;
}
