// @ down_and_out 4096|524288 128 u32:8192|1048576 f32:20480|2621440:0..1 >f32:8192|1048576 32

// Down-and-out call options on a dividend paying stock, Monte Carlo with antithetic
// paths. Crossings of the barrier between the dates are accounted for by the
// probability that a Brownian bridge survives, which also keeps the pay-off smooth.
// Output: price and pathwise delta, per contract (one work-item prices one contract
// with a few paths; the host averages over contracts of the same kind).

#define PATHS 4

typedef struct {
    float spot, strike, barrier, vol, expiry;
} Contract;

typedef struct {
    uint x, y, z, w;
} Xorshift128;

uint nextRandom(Xorshift128 *s)
{
    const uint t = s->x ^ (s->x << 11);
    s->x = s->y;
    s->y = s->z;
    s->z = s->w;
    s->w = s->w ^ (s->w >> 19) ^ t ^ (t >> 8);
    return s->w;
}

float2 boxMuller(Xorshift128 *s)
{
    // (0, 1], so that the logarithm is finite
    const float u = ((float)(nextRandom(s) >> 9) + 0.5f) * 0x1p-23f;
    const float v = (float)(nextRandom(s) >> 8) * 0x1p-24f;
    const float r = sqrt(-2.0f * log(u));
    float c;
    const float sn = sincos(6.2831853f * v, &c);
    return (float2)(r * c, r * sn);
}

__kernel void down_and_out(__global const uint2 *seeds,
                           __global const float *terms,
                           __global float2 *values,
                           const int dates)
{
    const size_t id = get_global_id(0);
    __global const float *t = terms + id * 5;

    Contract k;
    k.spot = mix(90.0f, 110.0f, t[0]);
    k.strike = mix(85.0f, 115.0f, t[1]);
    k.barrier = mix(70.0f, 88.0f, t[2]);
    k.vol = mix(0.15f, 0.45f, t[3]);
    k.expiry = mix(0.25f, 2.0f, t[4]);

    Xorshift128 rng = { seeds[id].x | 1u, seeds[id].y, 0x9e3779b9u ^ seeds[id].y, 362436069u };
    for (int i = 0; i < 4; i++)
        nextRandom(&rng);

    const float rate = 0.03f, dividend = 0.01f;
    const float dt = k.expiry / (float)dates;
    const float drift = (rate - dividend - 0.5f * k.vol * k.vol) * dt;
    const float sd = k.vol * sqrt(dt);
    const float b = log(k.barrier / k.spot);
    const float bridge = -2.0f / (sd * sd);

    float price = 0.0f, delta = 0.0f;
    for (int path = 0; path < PATHS; path++) {
        float2 x = (float2)(0.0f);          // log returns of the path and of its mirror image
        float2 alive = (float2)(1.0f);
        for (int d = 0; d < dates; d += 2) {
            const float2 z = boxMuller(&rng);
            for (int h = 0; h < 2; h++) {
                const float g = sd * (h ? z.y : z.x);
                const float2 next = x + drift + (float2)(g, -g);
                const float2 above = fmax(x - b, 0.0f), after = fmax(next - b, 0.0f);
                alive *= 1.0f - exp(bridge * above * after);
                x = next;
            }
        }
        const float2 s = k.spot * exp(x);
        const float2 payoff = alive * fmax(s - k.strike, 0.0f);
        const float2 slope = alive * smoothstep(-0.5f, 0.5f, s - k.strike) * s / k.spot;
        price += payoff.x + payoff.y;
        delta += slope.x + slope.y;
    }

    const float discount = exp(-rate * k.expiry) / (2.0f * PATHS);
    values[id] = (float2)(price, delta) * discount;
}
