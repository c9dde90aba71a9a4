// Positions turned into pairs of numbers, as language models do: rows of heads of 64 pairs.
kernel void rotary(global const float *in, global float *out, int heads, float base)
{
    int pair = get_global_id(0);
    int head = get_global_id(1);
    int position = get_global_id(2);
    int size = get_global_size(0);
    float angle = position * pow(base, -(float)pair / size);
    float c = cos(angle), s = sin(angle);
    int at = (position * heads + head) * 2 * size + pair;
    float a = in[at], b = in[at + size];
    out[at] = a * c - b * s;
    out[at + size] = a * s + b * c;
}
