// @ shade_terrain 256x128|2048x1024 16x16 >f32:32768|2097152 0.03125f|0.00390625f 6 (0.48f,0.64f,0.6f,0.25f)

// Fractal Brownian motion from value noise with analytic derivatives, shaded
// with a sun. sun = direction xyz, ambient light in w.

static float hash21(int2 p)
{
    uint h = (uint)p.x * 0x27d4eb2du + (uint)p.y * 0x165667b1u;
    h = (h ^ (h >> 15)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    h ^= h >> 16;
    return (float)(h >> 8) * (1.0f / 16777216.0f);
}

// value in x, derivatives in yz
static float3 noised(float2 x)
{
    float2 fl = floor(x);
    float2 f = x - fl;
    int2 p = convert_int2(fl);

    float2 u = f * f * f * (f * (f * 6.0f - 15.0f) + 10.0f);
    float2 du = 30.0f * f * f * (f * (f - 2.0f) + 1.0f);

    float a = hash21(p);
    float b = hash21(p + (int2)(1, 0));
    float c = hash21(p + (int2)(0, 1));
    float d = hash21(p + (int2)(1, 1));
    float k = a - b - c + d;

    return (float3)(a + (b - a) * u.x + (c - a) * u.y + k * u.x * u.y,
                    du.x * (b - a + k * u.y),
                    du.y * (c - a + k * u.x));
}

static float3 fbm(float2 p, int octaves)
{
    float amp = 0.5f;
    float3 sum = (float3)(0.0f);
    // accumulated rotation and scale, for the chain rule
    float4 m = (float4)(1.0f, 0.0f, 0.0f, 1.0f);

    for (int i = 0; i < octaves; i++) {
        float3 n = noised(p);
        sum.x += amp * n.x;
        sum.y += amp * (m.x * n.y + m.z * n.z);
        sum.z += amp * (m.y * n.y + m.w * n.z);
        amp *= 0.5f;
        p = 2.0f * (float2)(0.8f * p.x - 0.6f * p.y, 0.6f * p.x + 0.8f * p.y);
        m = 2.0f * (float4)(0.8f * m.x - 0.6f * m.z, 0.8f * m.y - 0.6f * m.w,
                            0.6f * m.x + 0.8f * m.z, 0.6f * m.y + 0.8f * m.w);
    }
    return sum;
}

__kernel void shade_terrain(__global float *image, float scale, int octaves, float4 sun)
{
    int2 pix = (int2)(get_global_id(0), get_global_id(1));
    float3 h = fbm(convert_float2(pix) * scale + 0.37f, octaves);

    float3 normal = normalize((float3)(-h.y, 2.0f, -h.z));
    float light = fmax(dot(normal, sun.xyz), 0.0f) + sun.w;
    float height = smoothstep(0.2f, 0.8f, h.x);

    image[pix.y * get_global_size(0) + pix.x] = light * mix(0.35f, 1.0f, height);
}
