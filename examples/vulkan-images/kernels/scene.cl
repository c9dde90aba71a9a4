// Spheres on a checkered floor under an evening sky: a ray for each pixel, and one to the sun.

// Centre and radius.
float4 sphere(int i)
{
    return i == 0 ? (float4)(-2.3f, 1.0f, 5.6f, 1.0f)
         : i == 1 ? (float4)(0.1f, 1.3f, 6.4f, 1.3f)
         : i == 2 ? (float4)(2.3f, 0.8f, 4.8f, 0.8f)
                  : (float4)(0.9f, 0.4f, 3.6f, 0.4f);
}

float3 colour_of(int i)
{
    return i == 0 ? (float3)(0.85f, 0.25f, 0.18f)
         : i == 1 ? (float3)(0.92f, 0.75f, 0.30f)
         : i == 2 ? (float3)(0.20f, 0.45f, 0.80f)
                  : (float3)(0.35f, 0.70f, 0.35f);
}

// The distance at which a ray meets a sphere, or infinity.
float meet(float3 from, float3 way, float4 ball)
{
    const float3 to = ball.xyz - from;
    const float along = dot(to, way);
    const float apart = dot(to, to) - along * along;
    const float inside = ball.w * ball.w - apart;
    const float distance = along - sqrt(fmax(inside, 0.0f));
    return inside > 0.0f && distance > 1e-3f ? distance : INFINITY;
}

int nearest(float3 from, float3 way, float *distance)
{
    int found = -1;
    *distance = INFINITY;
    for (int i = 0; i < 4; i++) {
        const float here = meet(from, way, sphere(i));
        if (here < *distance) {
            *distance = here;
            found = i;
        }
    }
    return found;
}

float3 sky(float3 way, float3 sun)
{
    const float height = clamp(way.y * 1.6f, 0.0f, 1.0f);
    const float3 air = mix((float3)(0.95f, 0.62f, 0.42f), (float3)(0.18f, 0.34f, 0.62f), height);
    return air + (float3)(0.9f, 0.7f, 0.4f) * pow(fmax(dot(way, sun), 0.0f), 60.0f);
}

// The colour of what a ray meets first; `way` becomes the reflected ray, `from` where it begins.
float3 look(float3 *from, float3 *way, float3 sun, float *mirror)
{
    float distance;
    const int found = nearest(*from, *way, &distance);
    const float floor_at = way->y < 0.0f ? -from->y / way->y : INFINITY;
    if (found < 0 && floor_at > 60.0f) {
        *mirror = 0.0f;
        return sky(*way, sun);
    }
    const bool is_floor = floor_at < distance;
    const float3 at = *from + *way * fmin(distance, floor_at);
    const float3 normal = is_floor ? (float3)(0, 1, 0) : normalize(at - sphere(found).xyz);
    const bool is_light = (int)(floor(at.x) + floor(at.z)) & 1;
    float3 colour = is_floor ? (float3)(is_light ? 0.62f : 0.22f) : colour_of(found);
    float shade;
    const bool is_lit = nearest(at + normal * 2e-3f, sun, &shade) < 0;
    const float light = is_lit ? fmax(dot(normal, sun), 0.0f) : 0.0f;
    colour *= 0.28f + 0.85f * light;
    *mirror = is_floor ? 0.12f : 0.25f;
    *from = at + normal * 2e-3f;
    *way = *way - 2.0f * dot(*way, normal) * normal;
    return colour;
}

kernel void paint(write_only image2d_t out)
{
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const int2 size = get_image_dim(out);
    if (at.x >= size.x || at.y >= size.y)
        return;
    const float3 sun = normalize((float3)(-0.55f, 0.42f, 0.35f));
    float3 sum = 0.0f;
    // Four rays for each pixel.
    for (int ray = 0; ray < 4; ray++) {
        const float2 part = convert_float2(at) + (float2)(ray & 1, ray >> 1) * 0.5f + 0.25f;
        const float2 place = (2.0f * part - convert_float2(size)) / size.y;
        float3 from = (float3)(0.0f, 1.5f, -1.2f);
        float3 way = normalize((float3)(place.x, -place.y - 0.12f, 1.7f));
        float weight = 1.0f;
        for (int depth = 0; depth < 3 && weight > 0.01f; depth++) {
            float mirror;
            const float3 colour = look(&from, &way, sun, &mirror);
            sum += weight * (1.0f - mirror) * colour;
            weight *= mirror;
        }
    }
    write_imagef(out, at, (float4)(sum / 4.0f, 1.0f));
}
