// Perlin's noise in three dimensions, four octaves.
float gradient(int hash, float x, float y, float z)
{
    int h = hash & 15;
    float u = h < 8 ? x : y, v = h < 4 ? y : h == 12 || h == 14 ? x : z;
    return ((h & 1) ? -u : u) + ((h & 2) ? -v : v);
}

float fade(float t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

kernel void noise(constant int *order, global float *values, int n, float z)
{
    float value = 0, strength = 1, scale = 8.0f / n;
    for (int octave = 0; octave < 4; octave++) {
        float x = scale * get_global_id(0), y = scale * get_global_id(1);
        float left = floor(x), top = floor(y), front = floor(z);
        int i = (int)left & 255, j = (int)top & 255, k = (int)front & 255;
        float a = x - left, b = y - top, c = z - front;
        float u = fade(a), v = fade(b), w = fade(c);
        int p = order[i] + j, q = order[i + 1] + j;
        int pp = order[p] + k, pq = order[p + 1] + k, qp = order[q] + k, qq = order[q + 1] + k;
        float near = mix(mix(gradient(order[pp], a, b, c), gradient(order[qp], a - 1, b, c), u),
                         mix(gradient(order[pq], a, b - 1, c), gradient(order[qq], a - 1, b - 1, c), u), v);
        float far = mix(mix(gradient(order[pp + 1], a, b, c - 1), gradient(order[qp + 1], a - 1, b, c - 1), u),
                        mix(gradient(order[pq + 1], a, b - 1, c - 1), gradient(order[qq + 1], a - 1, b - 1, c - 1), u), v);
        value += strength * mix(near, far, w);
        strength *= 0.5f;
        scale *= 2;
    }
    values[get_global_id(1) * n + get_global_id(0)] = value;
}
