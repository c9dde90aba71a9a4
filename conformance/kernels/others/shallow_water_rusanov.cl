// @ swe_step 192x192|1536x1536 16x8 f32:147456|9437184:0.6..1.2 >f32:147456|9437184 192|1536 192|1536 0.02f

#define GRAVITY 9.81f

typedef struct {
    float h;    /* water depth */
    float hu;
    float hv;
} State;

typedef struct { float m, px, py; } Flux;

State load_state(__global const float4 *u, int x, int y, int nx, int ny)
{
    State s;
    int xi = clamp(x, 0, nx - 1);
    int yi = clamp(y, 0, ny - 1);
    float4 v = u[yi * nx + xi];
    s.h = v.x;
    s.hu = v.y - 0.9f;       /* stored with an offset */
    s.hv = v.z - 0.9f;
    if (x != xi) s.hu = -s.hu;
    if (y != yi) s.hv = -s.hv;
    return s;
}

/* physical flux across a face with normal in x */
Flux flux_x(State s)
{
    Flux f;
    float u = s.hu / s.h;
    f.m = s.hu;
    f.px = s.hu * u + 0.5f * GRAVITY * s.h * s.h;
    f.py = s.hv * u;
    return f;
}

State swap_axes(State s)
{
    State r = { s.h, s.hv, s.hu };
    return r;
}

float wave_speed(State s)
{
    return fabs(s.hu / s.h) + sqrt(GRAVITY * s.h);
}

Flux rusanov(State l, State r)
{
    Flux a = flux_x(l), b = flux_x(r), f;
    float c = 0.5f * fmax(wave_speed(l), wave_speed(r));
    f.m  = 0.5f * (a.m  + b.m)  - c * (r.h  - l.h);
    f.px = 0.5f * (a.px + b.px) - c * (r.hu - l.hu);
    f.py = 0.5f * (a.py + b.py) - c * (r.hv - l.hv);
    return f;
}

__kernel void swe_step(__global const float4 *u_in,
                       __global float4 *u_out,
                       int nx, int ny, float dt_dx)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= nx || y >= ny) return;

    State c = load_state(u_in, x, y, nx, ny);
    Flux w = rusanov(load_state(u_in, x - 1, y, nx, ny), c);
    Flux e = rusanov(c, load_state(u_in, x + 1, y, nx, ny));
    State ct = swap_axes(c);
    Flux s = rusanov(swap_axes(load_state(u_in, x, y - 1, nx, ny)), ct);
    Flux n = rusanov(ct, swap_axes(load_state(u_in, x, y + 1, nx, ny)));

    float4 r;
    r.x = c.h  - dt_dx * (e.m  - w.m  + n.m  - s.m);
    r.y = c.hu - dt_dx * (e.px - w.px + n.py - s.py);
    r.z = c.hv - dt_dx * (e.py - w.py + n.px - s.px);
    r.w = r.x + u_in[y * nx + x].w;
    u_out[y * nx + x] = r;
}
