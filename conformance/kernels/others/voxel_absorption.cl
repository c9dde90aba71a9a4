// @ trace_volume 128x128|1024x1024 8x8 u8:262144 >f32:16384|1048576 (0.5f,0.9f,-1.6f,1.1f) 0.0002f
/*
 * X-ray of a 64^3 density volume (the unit cube).  Exact cell by cell walk
 * (Amanatides & Woo), sums up density times length and returns the
 * transmittance.  camera = position and focal length, looks along +z.
 */
#define N 64

struct ray {
    float3 org, dir, inv;
};

static struct ray camera_ray(float4 cam, float2 ndc)
{
    struct ray r;
    r.org = cam.xyz;
    r.dir = normalize((float3)(ndc, cam.w) + (float3)(0.0f, -0.25f, 0.0f));
    /* no infinities please */
    r.dir = select(r.dir, (float3)(1e-5f), isless(fabs(r.dir), (float3)(1e-5f)));
    r.inv = 1.0f / r.dir;
    return r;
}

static int clip_cube(const struct ray *r, float *t_in, float *t_out)
{
    float3 t0 = -r->org * r->inv;
    float3 t1 = (1.0f - r->org) * r->inv;
    float3 lo = fmin(t0, t1);
    float3 hi = fmax(t0, t1);
    *t_in  = fmax(fmax(lo.x, lo.y), fmax(lo.z, 0.0f));
    *t_out = fmin(fmin(hi.x, hi.y), hi.z);
    return *t_in < *t_out;
}

__kernel void trace_volume(__global const uchar *volume,
                           __global float *image,
                           float4 camera,
                           float absorption)
{
    const int px = get_global_id(0);
    const int py = get_global_id(1);
    const int w = get_global_size(0);
    const int h = get_global_size(1);
    const float2 ndc = (float2)((px + 0.5f) / w - 0.5f, 0.5f - (py + 0.5f) / h);

    struct ray r = camera_ray(camera, ndc);
    float t, t_end;
    float sum = 0.0f;

    if (clip_cube(&r, &t, &t_end)) {
        float3 pos = (r.org + t * r.dir) * (float)N;
        int3 cell = clamp(convert_int3_rtn(pos), 0, N - 1);
        int3 step = select((int3)(1), (int3)(-1), isless(r.dir, (float3)(0.0f)));
        float3 delta = fabs(r.inv) / (float)N;
        float3 edge = convert_float3(cell + max(step, 0)) / (float)N;
        float3 next = (edge - r.org) * r.inv;

        while (t < t_end) {
            float density = volume[(cell.z * N + cell.y) * N + cell.x];
            float leave = fmin(next.x, fmin(next.y, next.z));
            leave = clamp(leave, t, t_end);
            sum += density * (leave - t);
            t = leave;

            if (next.x <= next.y && next.x <= next.z) {
                cell.x += step.x;
                next.x += delta.x;
                if (cell.x < 0 || cell.x >= N) break;
            } else if (next.y <= next.z) {
                cell.y += step.y;
                next.y += delta.y;
                if (cell.y < 0 || cell.y >= N) break;
            } else {
                cell.z += step.z;
                next.z += delta.z;
                if (cell.z < 0 || cell.z >= N) break;
            }
        }
    }
    image[py * w + px] = exp(-absorption * (float)N * sum);
}
