// @ integrate_brdf 64x64|1024x1024 8x8 >f32:12288|3145728 64|192

// Pre-integrated environment BRDF for image based lighting: scale and bias of F0 for the
// GGX lobe, by importance sampling with quasi-random points, and a cloth term (Charlie
// distribution with Neubelt's visibility, uniformly sampled) in the third channel.

#define PI 3.14159265f

// Additive recurrence of the plastic number, as fractions of 32 bits
static float2 sequence(uint i)
{
    uint2 n = (uint2)(3242174889u, 2447445414u) * i + 0x80000000u;
    return convert_float2(n >> 8u) * 0x1p-24f;
}

static float3 importanceSampleGGX(float2 u, float alpha)
{
    float phi = 2.0f * PI * u.x;
    float cosTheta2 = (1.0f - u.y) / (1.0f + (alpha * alpha - 1.0f) * u.y);
    float cosTheta = sqrt(cosTheta2);
    float sinTheta = sqrt(fmax(1.0f - cosTheta2, 0.0f));
    return (float3)(sinTheta * cos(phi), sinTheta * sin(phi), cosTheta);
}

static float3 uniformHemisphere(float2 u)
{
    float phi = 2.0f * PI * u.x;
    float cosTheta = 1.0f - u.y;
    float sinTheta = sqrt(1.0f - cosTheta * cosTheta);
    return (float3)(sinTheta * cos(phi), sinTheta * sin(phi), cosTheta);
}

// height-correlated Smith, divided by 4 NoL NoV
static float visibilitySmith(float NoV, float NoL, float alpha)
{
    float a2 = alpha * alpha;
    float ggxL = NoV * sqrt((NoL - NoL * a2) * NoL + a2);
    float ggxV = NoL * sqrt((NoV - NoV * a2) * NoV + a2);
    return 0.5f / (ggxV + ggxL);
}

static float charlie(float NoH, float alpha)
{
    float invAlpha = 1.0f / alpha;
    float sin2 = fmax(1.0f - NoH * NoH, 0.0078125f);
    return (2.0f + invAlpha) * pow(sin2, invAlpha * 0.5f) / (2.0f * PI);
}

__kernel void integrate_brdf(__global float *lut, uint samples)
{
    uint x = get_global_id(0), y = get_global_id(1);
    float NoV = (x + 0.5f) / get_global_size(0);
    float roughness = (y + 0.5f) / get_global_size(1);
    float alpha = fmax(roughness * roughness, 1e-3f);
    float sheenAlpha = fmax(roughness, 0.07f);

    float3 V = (float3)(sqrt(1.0f - NoV * NoV), 0.0f, NoV);
    float invN = 1.0f / samples;
    float3 sum = (float3)(0.0f);

    for (uint i = 0; i < samples; i++) {
        float2 u = sequence(i);
        {
            float3 H = importanceSampleGGX(u, alpha);
            float VoH = clamp(dot(V, H), 0.0f, 1.0f);
            float3 L = 2.0f * VoH * H - V;
            if (L.z > 0.0f && H.z > 0.0f) {
                float weight = visibilitySmith(NoV, L.z, alpha) * L.z * 4.0f * VoH / H.z;
                float fresnel = pown(1.0f - VoH, 5);
                sum.x += weight * (1.0f - fresnel);
                sum.y += weight * fresnel;
            }
        }
        {
            float3 L = uniformHemisphere(u);
            float3 H = normalize(L + V);
            float neubelt = 1.0f / (4.0f * (L.z + NoV - L.z * NoV));
            sum.z += charlie(clamp(H.z, 0.0f, 1.0f), sheenAlpha) * neubelt * L.z * 2.0f * PI;
        }
    }
    vstore3(sum * invN, y * get_global_size(0) + x, lut);
}
