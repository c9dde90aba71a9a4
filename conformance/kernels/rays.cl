// A ray for each pixel against some spheres, with a mirror and a light.
typedef struct {
    float4 sphere;
    float4 colour;
} ball;

int nearest(constant ball *balls, int count, float3 from, float3 way, float *distance)
{
    int hit = -1;
    for (int k = 0; k < count; k++) {
        float3 to = balls[k].sphere.xyz - from;
        float along = dot(to, way);
        float inside = balls[k].sphere.w * balls[k].sphere.w - dot(to, to) + along * along;
        if (inside <= 0)
            continue;
        float here = along - sqrt(inside);
        if (here > 1e-3f && here < *distance) {
            *distance = here;
            hit = k;
        }
    }
    return hit;
}

kernel void rays(constant ball *balls, int count, global float4 *picture, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float3 from = (float3)(0, 0, -4);
    float3 way = normalize((float3)((2 * x - n) / (float)n, (2 * y - n) / (float)n, 1.5f));
    float3 light = normalize((float3)(1, 2, -2));
    float3 seen = 0;
    float share = 1;
    for (int bounce = 0; bounce < 4; bounce++) {
        float distance = MAXFLOAT;
        int hit = nearest(balls, count, from, way, &distance);
        if (hit < 0) {
            seen += share * (float3)(0.2f, 0.3f, 0.5f) * (0.5f + 0.5f * way.y);
            break;
        }
        from += distance * way;
        float3 normal = normalize(from - balls[hit].sphere.xyz);
        float shadow = MAXFLOAT;
        float bright = fmax(dot(normal, light), 0.0f);
        if (bright > 0 && nearest(balls, count, from, light, &shadow) >= 0)
            bright = 0;
        seen += share * (1 - balls[hit].colour.w) * (0.1f + bright) * balls[hit].colour.xyz;
        share *= balls[hit].colour.w;
        way -= 2 * dot(way, normal) * normal;
    }
    picture[y * n + x] = (float4)(seen, share);
}
