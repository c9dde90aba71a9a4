// @ crr_american_put 8192|262144 64 f32:8192|262144:80..120 f32:8192|262144:80..120 f32:8192|262144:0.5..2 f32:8192|262144:0.2..0.5 >f32:8192|262144 0.03f 8192|262144

#define STEPS 48

/* Cox-Ross-Rubinstein tree, rolled back in a private array. */
__kernel void crr_american_put(__global const float *spot,
                               __global const float *strike,
                               __global const float *years,
                               __global const float *vol,
                               __global float *price,
                               const float rate,
                               const int count)
{
    int gid = get_global_id(0);
    if (gid >= count)
        return;

    float v[STEPS + 1];
    const float S = spot[gid];
    const float K = strike[gid];
    const float dt = years[gid] / STEPS;
    const float u = exp(vol[gid] * sqrt(dt));
    const float d = 1.0f / u;
    const float disc = exp(-rate * dt);
    const float p = (1.0f / disc - d) / (u - d);
    const float pu = p * disc;
    const float pd = (1.0f - p) * disc;
    const float u2 = u * u;

    float s = S * pown(d, STEPS);
    for (int i = 0; i <= STEPS; i++) {
        v[i] = fmax(K - s, 0.0f);
        s *= u2;
    }

    float low = S * pown(d, STEPS);
    for (int t = STEPS - 1; t >= 0; t--) {
        low *= u;
        s = low;
        for (int i = 0; i <= t; i++) {
            float hold = pu * v[i + 1] + pd * v[i];
            v[i] = fmax(hold, K - s);
            s *= u2;
        }
    }

    price[gid] = v[0];
}
