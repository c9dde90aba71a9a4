// @ heston_paths 8192|262144 64 u32:8192|262144 >f32:8192|262144 (100.0f,0.02f,0.04f,0.09f) (2.0f,0.3f,-0.7f,90.0f) 1.0f 32 2

typedef struct {
    uint x, y, z, w;
} xorshift_state;

uint xorshift128(xorshift_state *s)
{
    uint t = s->x ^ (s->x << 11);
    s->x = s->y;
    s->y = s->z;
    s->z = s->w;
    s->w = s->w ^ (s->w >> 19) ^ t ^ (t >> 8);
    return s->w;
}

// (0, 1], never zero
float uniform01(xorshift_state *s)
{
    return ((float)(xorshift128(s) >> 8) + 1.0f) * (1.0f / 16777216.0f);
}

float2 box_muller(xorshift_state *s)
{
    float r = sqrt(-2.0f * log(uniform01(s)));
    float a = 6.2831853f * uniform01(s);
    float c;
    float sn = sincos(a, &c);
    return (float2)(r * c, r * sn);
}

// market = (spot, rate, v0, theta), model = (kappa, xi, rho, floor);
// a fund whose value at maturity is guaranteed not to be below the floor
__kernel void heston_paths(__global const uint *seeds,
                           __global float *payoff,
                           float4 market, float4 model,
                           float maturity, int steps, int paths)
{
    const size_t id = get_global_id(0);
    xorshift_state rng;
    rng.x = seeds[id] | 1u;
    rng.y = 362436069u + (uint)id;
    rng.z = 521288629u;
    rng.w = 88675123u ^ (seeds[id] * 69069u);
    for (int i = 0; i < 8; i++)
        xorshift128(&rng);

    const float dt = maturity / (float)steps;
    const float sdt = sqrt(dt);
    const float rho = model.z;
    const float rho_c = sqrt(1.0f - rho * rho);
    float total = 0.0f;

    for (int p = 0; p < paths; p++) {
        float logs = log(market.x);
        float v = market.z;
        for (int t = 0; t < steps; t++) {
            float2 g = box_muller(&rng);
            float zs = rho * g.x + rho_c * g.y;
            float vp = fmax(v, 0.0f);
            float sv = sqrt(vp) * sdt;
            logs += (market.y - 0.5f * vp) * dt + sv * zs;
            v += model.x * (market.w - vp) * dt + model.y * sv * g.x;
        }
        total += fmax(exp(logs), model.w);
    }

    payoff[id] = exp(-market.y * maturity) * total / (float)paths;
}
