// Rays that march to a ring and a ball above a plane, given by their distances.
float ring(float3 p, float2 size)
{
    float2 q = (float2)(length(p.xz) - size.x, p.y);
    return length(q) - size.y;
}

float blend(float a, float b, float k)
{
    float h = clamp(0.5f + 0.5f * (b - a) / k, 0.0f, 1.0f);
    return mix(b, a, h) - k * h * (1.0f - h);
}

float scene(float3 p)
{
    float ball = length(p - (float3)(0.0f, 0.6f, 0.0f)) - 0.4f;
    return fmin(blend(ball, ring(p - (float3)(0.0f, 0.3f, 0.0f), (float2)(0.9f, 0.2f)), 0.2f), p.y);
}

float3 normal_at(float3 p)
{
    const float e = 0.001f;
    return normalize((float3)(scene(p + (float3)(e, 0, 0)) - scene(p - (float3)(e, 0, 0)),
                              scene(p + (float3)(0, e, 0)) - scene(p - (float3)(0, e, 0)),
                              scene(p + (float3)(0, 0, e)) - scene(p - (float3)(0, 0, e))));
}

kernel void marching(global float *image, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    float2 uv = (float2)(2.0f * x / width - 1.0f, 1.0f - 2.0f * y / height);
    float3 from = (float3)(0.0f, 1.2f, -3.0f);
    float3 way = normalize((float3)(uv.x, uv.y - 0.2f, 1.5f));
    float far = 0.0f, shade = 0.0f;
    for (int i = 0; i < 96 && far < 20.0f; i++) {
        float3 p = from + far * way;
        float distance = scene(p);
        if (distance < 0.002f) {
            float3 light = normalize((float3)(0.5f, 0.8f, -0.4f));
            shade = 0.2f + 0.8f * fmax(dot(normal_at(p), light), 0.0f);
            shade *= exp(-0.05f * far);
            break;
        }
        far += distance;
    }
    image[y * width + x] = shade;
}
