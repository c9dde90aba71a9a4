// @ bvh4_xray 128x128|1024x1024 8x8 u8:4092:0..100 u8:4092:150..256 f32:1024 f32:32768|2097152:-0.15..0.15 >f32:16384|1048576

// Optical depth of a cloud of balls along rays. The balls are the leaves of a hierarchy of
// boxes with four children a node, each child's corners in bytes relative to its parent,
// so that boxes get decoded on the way down. The tree is complete, its nodes in the order
// of breadth.

#define WIDTH      4
#define INNER      341      // 1 + 4 + 16 + 64 + 256
#define STACK      16

typedef struct {
    float3 lo, hi;
    uint node;
} Entry;

typedef struct {
    float3 origin, direction, inverse;
} Ray;

bool hits(const Ray *r, float3 lo, float3 hi)
{
    const float3 a = (lo - r->origin) * r->inverse;
    const float3 b = (hi - r->origin) * r->inverse;
    const float3 near = fmin(a, b), far = fmax(a, b);
    const float enter = fmax(fmax(near.x, near.y), fmax(near.z, 0.0f));
    const float leave = fmin(fmin(far.x, far.y), far.z);
    return enter <= leave;
}

// Integral of a parabolic profile along the ray, of the ball that the box holds
float column(const Ray *r, float3 lo, float3 hi)
{
    const float3 half_size = 0.5f * (hi - lo);
    const float radius = fmin(fmin(half_size.x, half_size.y), half_size.z);
    const float3 oc = lo + half_size - r->origin;
    const float3 off = oc - dot(oc, r->direction) * r->direction;
    const float r2 = radius * radius;
    const float inside = fmax(r2 - dot(off, off), 0.0f);
    return (4.0f / 3.0f) * inside * sqrt(inside) / r2;
}

__kernel void bvh4_xray(__global const uchar *lows,
                        __global const uchar *highs,
                        __global const float *densities,
                        __global const float2 *tilts,
                        __global float *depths)
{
    const uint x = get_global_id(0), y = get_global_id(1);
    const uint w = get_global_size(0), h = get_global_size(1);

    Ray ray;
    ray.origin = (float3)(-0.1f + 1.2f * (x + 0.5f) / w, -0.1f + 1.2f * (y + 0.5f) / h, -1.0f);
    const float2 tilt = tilts[y * w + x];
    ray.direction = normalize((float3)(tilt.x + 1e-5f, tilt.y + 1e-5f, 1.0f));
    ray.inverse = 1.0f / select(ray.direction, (float3)(1e-9f), isless(fabs(ray.direction), (float3)(1e-9f)));

    Entry stack[STACK];
    int top = 0;
    stack[0].lo = (float3)(0.0f);
    stack[0].hi = (float3)(1.0f);
    stack[0].node = 0;
    top = 1;

    float depth = 0.0f;
    while (top > 0) {
        const Entry e = stack[--top];
        const float3 scale = (e.hi - e.lo) * (1.0f / 255.0f);
        for (uint c = 0; c < WIDTH; c++) {
            const uint slot = e.node * WIDTH + c;
            const float3 lo = e.lo + scale * convert_float3(vload3(slot, lows));
            const float3 hi = e.lo + scale * convert_float3(vload3(slot, highs));
            if (!hits(&ray, lo, hi))
                continue;
            const uint child = slot + 1;
            if (child >= INNER) {
                depth += densities[child - INNER] * column(&ray, lo, hi);
            } else {
                stack[top].lo = lo;
                stack[top].hi = hi;
                stack[top].node = child;
                top++;
            }
        }
    }
    depths[y * w + x] = depth;
}
