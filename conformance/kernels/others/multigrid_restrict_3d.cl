// @ restrict_full_weight 64x64x16|256x128x64 8x8x4 f32:549153|17007489 >f32:65536|2097152 129|513 129|257
// Full weighting from a vertex centred grid of 2n+1 points per side to the n interior coarse points.

kernel void restrict_full_weight(const global float *restrict fine,
                                 global float *restrict coarse,
                                 int pitch_x, int pitch_y)
{
    const size_t I = get_global_id(0), J = get_global_id(1), K = get_global_id(2);
    const float w1[3] = { 0.25f, 0.5f, 0.25f };

    float total = 0.0f;
    for (int dk = 0; dk < 3; ++dk) {
        float plane = 0.0f;
        for (int dj = 0; dj < 3; ++dj) {
            const global float *line = fine + ((2 * K + dk) * pitch_y + 2 * J + dj) * pitch_x + 2 * I;
            float3 v = vload3(0, line);
            plane += w1[dj] * dot(v, (float3)(w1[0], w1[1], w1[2]));
        }
        total += w1[dk] * plane;
    }

    coarse[(K * get_global_size(1) + J) * get_global_size(0) + I] = total;
}
