// The squared distances of the eight nearest of some points of 16 numbers, in order.
#define DIMENSIONS 16
#define NEAREST 8

kernel void neighbours(global const float *queries, global const float *points, global float *distances, uint count)
{
    uint i = get_global_id(0);
    float best[NEAREST];
    for (int k = 0; k < NEAREST; k++)
        best[k] = FLT_MAX;
    for (uint p = 0; p < count; p++) {
        float distance = 0.0f;
        for (int d = 0; d < DIMENSIONS; d++) {
            float difference = queries[i * DIMENSIONS + d] - points[p * DIMENSIONS + d];
            distance += difference * difference;
        }
        if (distance < best[NEAREST - 1]) {
            int at = NEAREST - 1;
            while (at > 0 && best[at - 1] > distance) {
                best[at] = best[at - 1];
                at--;
            }
            best[at] = distance;
        }
    }
    for (int k = 0; k < NEAREST; k++)
        distances[i * NEAREST + k] = best[k];
}
