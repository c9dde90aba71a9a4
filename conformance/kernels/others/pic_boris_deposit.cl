// @ clear_grid 16384|262144 64 zeros:f32:16384|262144
// @ push_deposit 65536|4194304 128 f32:262144|16777216 f32:32768|524288:-1..1 #0 7|9 0.02f 0.4f
// @ binomial_filter 128x128|512x512 16x8 #0 >f32:16384|262144 7|9
//
// Electrostatic particle in cell, 2D, periodic, uniform magnetic field along z.
// Gather the field (CIC), Boris push, then scatter the charge with float atomics
// made of compare-and-swap, and smooth it once.
// Particles: x y vx vy, all in 0..1 when they come (velocities are centred here).

typedef struct {
    float2 pos;     // in units of the box
    float2 vel;
} Particle;

void atomicAddFloat(volatile __global float* addr, float value) {
    union { uint u; float f; } old, next;
    old.f = *addr;
    uint seen;
    do {
        seen = old.u;
        next.f = old.f + value;
        old.u = atomic_cmpxchg((volatile __global uint*)addr, seen, next.u);
    } while (old.u != seen);
}

__kernel void clear_grid(__global float* rho) {
    rho[get_global_id(0)] = 0.0f;
}

// Index of the four corners and their weights
inline void cic(float2 pos, int logN, int4* idx, float4* w) {
    const int N = 1 << logN, mask = N - 1;
    float2 g = pos * (float)N;
    float2 fl = floor(g);
    float2 f = g - fl;
    int2 c0 = convert_int2(fl) & mask;
    int2 c1 = (c0 + 1) & mask;
    *idx = (int4)(c0.y * N + c0.x, c0.y * N + c1.x, c1.y * N + c0.x, c1.y * N + c1.x);
    *w = (float4)((1.0f - f.x) * (1.0f - f.y), f.x * (1.0f - f.y),
                  (1.0f - f.x) * f.y, f.x * f.y);
}

__kernel void push_deposit(__global const Particle* particles,
                           __global const float2* efield,
                           __global float* rho,
                           int logN, float dt, float bz) {
    const int i = get_global_id(0);
    Particle p = particles[i];
    p.vel -= 0.5f;

    int4 idx;
    float4 w;
    cic(p.pos, logN, &idx, &w);
    float2 E = w.x * efield[idx.x] + w.y * efield[idx.y] +
               w.z * efield[idx.z] + w.w * efield[idx.w];

    // Boris: half kick, rotation, half kick
    const float qmdt2 = -0.5f * dt;
    float2 vm = p.vel + qmdt2 * E;
    const float t = qmdt2 * bz;
    const float s = 2.0f * t / (1.0f + t * t);
    float2 vp = vm + t * (float2)(vm.y, -vm.x);
    vm += s * (float2)(vp.y, -vp.x);
    p.vel = vm + qmdt2 * E;

    p.pos += dt * p.vel;
    p.pos -= floor(p.pos);

    cic(p.pos, logN, &idx, &w);
    atomicAddFloat(rho + idx.x, w.x);
    atomicAddFloat(rho + idx.y, w.y);
    atomicAddFloat(rho + idx.z, w.z);
    atomicAddFloat(rho + idx.w, w.w);
}

__kernel void binomial_filter(__global const float* rho, __global float* out, int logN) {
    const int N = 1 << logN, mask = N - 1;
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            float k = (dx == 0 ? 2.0f : 1.0f) * (dy == 0 ? 2.0f : 1.0f);
            sum += k * rho[((y + dy) & mask) * N + ((x + dx) & mask)];
        }
    out[y * N + x] = sum / 16.0f;
}
