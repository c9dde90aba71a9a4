// A pass of the Stockham FFT, radix 2: `done` points are transformed already.
float2 times(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

kernel void fft(global const float2 *in, global float2 *out, uint done)
{
    uint i = get_global_id(0), half_size = get_global_size(0);
    uint k = i & (done - 1);
    float angle = -3.14159265358979f * (float)k / (float)done;
    float2 a = in[i];
    float2 b = times(in[i + half_size], (float2)(cos(angle), sin(angle)));
    uint to = 2 * i - k;
    out[to] = a + b;
    out[to + done] = a - b;
}
