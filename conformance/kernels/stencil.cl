// A step of heat in a cube: seven points, the surface stays.
kernel void stencil(global const float *in, global float *out, uint n)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    size_t i = ((size_t)z * n + y) * n + x;
    float here = in[i];
    if (x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1) {
        float around = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - (size_t)n * n] +
                       in[i + (size_t)n * n];
        here += 0.1f * (around - 6.0f * here);
    }
    out[i] = here;
}
