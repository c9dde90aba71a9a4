// @ simulate_axons 1024|262144 64 f32:4096|1048576 >f32:8192|2097152 160 0.025f

/* Ensemble of Hodgkin-Huxley point neurons with uncertain parameters: conductances,
   stimulus and temperature. Gates by the Rush-Larsen scheme, voltage by Heun's. */

typedef struct
{
    float v, m, h, n;
} neuron;

/* x / (exp(x) - 1), which is well defined at zero */
static inline float linoid(float x)
{
    if (fabs(x) < 1.0e-2f)
        return 1.0f - 0.5f * x + x * x * (1.0f / 12.0f);
    return x / (exp(x) - 1.0f);
}

float relax(float gate, float alpha, float beta, float dt)
{
    const float rate = alpha + beta;
    const float limit = alpha / rate;
    return limit + (gate - limit) * native_exp(-rate * dt);
}

float membrane_current(const neuron *s, float g_na, float g_k, float g_leak)
{
    const float m3h = s->m * s->m * s->m * s->h;
    const float n2 = s->n * s->n;
    return g_na * m3h * (s->v - 50.0f) + g_k * n2 * n2 * (s->v + 77.0f) + g_leak * (s->v + 54.387f);
}

__kernel void simulate_axons(__global const float4 *parameters,
                             __global float8 *summary,
                             int steps,
                             float dt)
{
    const size_t id = get_global_id(0);
    const float4 u = parameters[id];
    const float g_na = mix(100.0f, 140.0f, u.x);
    const float g_k = mix(30.0f, 42.0f, u.y);
    const float drive = mix(0.0f, 25.0f, u.z);
    const float q10 = pow(3.0f, mix(-0.2f, 0.8f, u.w));

    neuron s = { -65.0f, 0.0529f, 0.5961f, 0.3177f };
    float peak = s.v, trough = s.v, charge = 0.0f, work = 0.0f;

    for (int i = 0; i < steps; i++) {
        const float stimulus = drive * smoothstep(0.2f, 0.6f, i * dt);

        const float am = linoid(-0.1f * (s.v + 40.0f));
        const float bm = 4.0f * exp(-(s.v + 65.0f) * (1.0f / 18.0f));
        const float ah = 0.07f * exp(-(s.v + 65.0f) * 0.05f);
        const float bh = 1.0f / (1.0f + exp(-0.1f * (s.v + 35.0f)));
        const float an = 0.1f * linoid(-0.1f * (s.v + 55.0f));
        const float bn = 0.125f * exp(-(s.v + 65.0f) * 0.0125f);

        const float i0 = membrane_current(&s, g_na, g_k, 0.3f);
        neuron p = s;
        p.v = s.v + dt * (stimulus - i0);
        p.m = relax(s.m, q10 * am, q10 * bm, dt);
        p.h = relax(s.h, q10 * ah, q10 * bh, dt);
        p.n = relax(s.n, q10 * an, q10 * bn, dt);

        const float i1 = membrane_current(&p, g_na, g_k, 0.3f);
        p.v = s.v + 0.5f * dt * (2.0f * stimulus - i0 - i1);

        charge += dt * g_na * p.m * p.m * p.m * p.h * (50.0f - p.v);
        work += dt * fabs(i1 - i0);
        peak = fmax(peak, p.v);
        trough = fmin(trough, p.v);
        s = p;
    }
    summary[id] = (float8)(s.v, 100.0f * s.m, 100.0f * s.h, 100.0f * s.n, peak, trough, 0.1f * charge, 0.1f * work);
}
