// @ blend_tiles 64x64|1024x1024 16x16 f32:16384|4194304 f32:16384|4194304 >f32:16384|4194304 256

// Forward pass of 3D Gaussian splatting: every tile of 16x16 pixels has a list of projected
// Gaussians, near ones first, and blends them from front to back. Batches of them are in
// local memory. Results are premultiplied colour and what is left of transmittance.

#define TILE  16
#define BATCH 64
#define MIN_ALPHA (1.0f / 255.0f)
#define MIN_TRANSMITTANCE 1e-4f

struct splat {
    float2 mean;        // pixels, from the tile's corner
    float3 conic;       // inverse of the covariance: xx, xy, yy
    float opacity;
};

// Eight numbers from 0 to 1: mean, two standard deviations, an angle, opacity...
static struct splat project(float4 p, float4 q)
{
    struct splat s;
    s.mean = p.xy * (TILE + 8.0f) - 4.0f;
    const float su = 1.0f + 3.0f * p.z, sv = 1.0f + 2.0f * p.w;
    float c;
    const float sn = sincos(q.x * 3.1415927f, &c);
    const float iu = 1.0f / (su * su), iv = 1.0f / (sv * sv);
    s.conic.x = c * c * iu + sn * sn * iv;
    s.conic.y = c * sn * (iu - iv);
    s.conic.z = sn * sn * iu + c * c * iv;
    s.opacity = 0.6f * q.y * q.y;
    return s;
}

__kernel void blend_tiles(__global const float4 *shape,
                          __global const float4 *look,
                          __global float4 *frame,
                          const int per_tile)
{
    __local struct splat splats[BATCH];
    __local float4 colours[BATCH];

    const int tile = get_group_id(1) * get_num_groups(0) + get_group_id(0);
    const int lid = get_local_id(1) * TILE + get_local_id(0);
    const float2 pixel = (float2)(get_local_id(0) + 0.5f, get_local_id(1) + 0.5f);

    float3 colour = (float3)(0.0f);
    float transmittance = 1.0f;
    bool done = false;

    for (int base = 0; base < per_tile; base += BATCH) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < BATCH && base + lid < per_tile) {
            const int g = tile * per_tile + base + lid;
            const float4 q = look[g];
            splats[lid] = project(shape[g], q);
            colours[lid] = (float4)(q.z, q.w, fabs(q.z - q.w), 0.0f);
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        const int n = min(BATCH, per_tile - base);
        for (int i = 0; i < n && !done; i++) {
            const float2 d = splats[i].mean - pixel;
            const float3 k = splats[i].conic;
            const float power = -0.5f * (k.x * d.x * d.x + k.z * d.y * d.y) - k.y * d.x * d.y;
            // less than what a byte can show adds nothing; smooth, unlike the original
            const float alpha = fmin(0.99f, splats[i].opacity * exp(fmin(power, 0.0f))) - MIN_ALPHA;
            if (alpha <= 0.0f)
                continue;
            const float rest = transmittance * (1.0f - alpha);
            if (rest < MIN_TRANSMITTANCE) {
                done = true;
            } else {
                colour += colours[i].xyz * (alpha * transmittance);
                transmittance = rest;
            }
        }
    }
    frame[get_global_id(1) * get_global_size(0) + get_global_id(0)] = (float4)(colour, transmittance);
}
