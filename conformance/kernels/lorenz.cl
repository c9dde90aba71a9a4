// Runge and Kutta's method of the fourth order on Lorenz's equations.
float3 speed(float3 p)
{
    return (float3)(10.0f * (p.y - p.x), p.x * (28.0f - p.z) - p.y, p.x * p.y - 8.0f / 3.0f * p.z);
}

kernel void lorenz(global const float *start, global float4 *ends, uint steps)
{
    size_t i = get_global_id(0);
    float3 p = (float3)(start[i], 1.0f, 20.0f);
    const float h = 0.001f;
    for (uint k = 0; k < steps; k++) {
        float3 a = speed(p);
        float3 b = speed(p + 0.5f * h * a);
        float3 c = speed(p + 0.5f * h * b);
        float3 d = speed(p + h * c);
        p += h / 6.0f * (a + 2.0f * b + 2.0f * c + d);
    }
    ends[i] = (float4)(p, 0);
}
