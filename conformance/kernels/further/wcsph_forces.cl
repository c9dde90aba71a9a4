// @ cell_particles 8192|524288 64 f32:24576|1572864:0..1 f32:8192|524288:985..1015 f32:24576|1572864:-1..1 zeros:f32:32768|2097152 zeros:f32:32768|2097152 16|64
// @ wcsph_forces 8192|524288 64 #3 #4 >f32:65536|4194304 16|64 0.01f

// Weakly compressible SPH: pressure by Tait's equation, artificial viscosity of Monaghan
// with a Balsara-free limiter, rate of density, XSPH. Particles are sorted by cells, two
// in each cell of a cubic grid whose edge is the support radius; the box has walls at
// which the grid ends. Written are (acceleration, drho/dt) and (XSPH velocity, speed of signals).

#define PER_CELL 2
#define RHO0     1000.0f
#define C0       20.0f
#define GAMMA    7
#define MASS     (RHO0 * 0.5f)

__kernel void cell_particles(__global const float *jitter,
                             __global const float *density,
                             __global const float *velocity,
                             __global float4 *pos,
                             __global float4 *vel,
                             const int n)
{
    const int i = get_global_id(0);
    const int cell = i / PER_CELL;
    const int3 c = (int3)(cell % n, cell / n % n, cell / (n * n));
    const float3 at = convert_float3(c) + vload3(i, jitter);
    pos[i] = (float4)(at, density[i]);
    vel[i] = (float4)(vload3(i, velocity), 0.0f);
}

// Wendland C2 in units of the support, q in 0..1; the gradient is grad_w(q) * r_ij
static inline float kernel_w(float q)
{
    const float a = 1.0f - q, a2 = a * a;
    return 3.3422538f * a2 * a2 * (1.0f + 4.0f * q);
}

static inline float grad_w(float q)
{
    const float a = 1.0f - q;
    return -3.3422538f * 20.0f * a * a * a;
}

static inline float tait(float rho)
{
    return (RHO0 * C0 * C0 / GAMMA) * (pown(rho / RHO0, GAMMA) - 1.0f);
}

__kernel void wcsph_forces(__global const float4 *pos,
                           __global const float4 *vel,
                           __global float4 *rates,
                           const int n,
                           const float alpha)
{
    const int i = get_global_id(0);
    const float4 pi = pos[i];
    const float3 vi = vel[i].xyz;
    const float pressure_i = tait(pi.w) / (pi.w * pi.w);
    const int3 c = convert_int3(floor(pi.xyz));
    const int3 lo = max(c - 1, 0), hi = min(c + 1, n - 1);

    float3 acc = (float3)(0.0f, -9.81f, 0.0f), xsph = (float3)(0.0f);
    float drho = 0.0f, signal = C0;

    for (int z = lo.z; z <= hi.z; z++)
        for (int y = lo.y; y <= hi.y; y++) {
            const int row = (z * n + y) * n;
            for (int j = (row + lo.x) * PER_CELL; j < (row + hi.x + 1) * PER_CELL; j++) {
                const float4 pj = pos[j];
                const float3 d = pi.xyz - pj.xyz;
                const float r2 = dot(d, d);
                if (j == i || r2 >= 1.0f)
                    continue;

                const float q = sqrt(r2);
                const float3 dv = vi - vel[j].xyz;
                const float3 grad = grad_w(q) * d;
                const float vr = dot(dv, d);
                const float mean_rho = 0.5f * (pi.w + pj.w);

                float visc = 0.0f;
                if (vr < 0.0f) {
                    const float mu = vr / (r2 + 0.01f);
                    visc = -alpha * C0 * mu / mean_rho;
                    signal = fmax(signal, C0 - mu);
                }
                const float pressure_j = tait(pj.w) / (pj.w * pj.w);
                acc -= MASS * (pressure_i + pressure_j + visc) * grad;
                drho += MASS * dot(dv, grad);
                xsph -= (MASS * kernel_w(q) / mean_rho) * dv;
            }
        }

    rates[2 * i] = (float4)(acc, drho);
    rates[2 * i + 1] = (float4)(vi + 0.5f * xsph, signal);
}
