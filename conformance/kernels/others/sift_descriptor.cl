// @ sift_describe 32768|2097152 64 f32:262144|4194304 f32:1024|65536:32..479|2015 f32:512|32768:0..6.2831 >f32:65536|4194304 512|2048
//
// SIFT-like descriptor: gradients of a rotated 16x16 grid around a key point,
// distributed over 4x4 cells x 8 orientations with trilinear interpolation.
// The histogram is in local memory as fixed point, because there are no float
// atomics. 64 work-items per key point, 4 samples each.

#define CELLS     4
#define BINS      8
#define DESC_LEN  (CELLS * CELLS * BINS)
#define GRID      16
#define FIXED     65536.0f

typedef struct {
    __global const float *data;
    int width;
} Image;

static float bilinear(const Image *img, float2 p)
{
    float2 f = floor(p);
    int2 i = convert_int2(f);
    float2 t = p - f;
    __global const float *q = img->data + i.y * img->width + i.x;
    return mix(mix(q[0], q[1], t.x),
               mix(q[img->width], q[img->width + 1], t.x), t.y);
}

static void deposit(__local int *hist, float3 pos, float weight)
{
    const float3 base = floor(pos);
    const float3 frac = pos - base;
    const int cx = (int)base.x, cy = (int)base.y, o = (int)base.z;

    for (int dy = 0; dy < 2; ++dy) {
        const int y = cy + dy;
        if (y < 0 || y >= CELLS)
            continue;
        const float wy = weight * (dy ? frac.y : 1.0f - frac.y);
        for (int dx = 0; dx < 2; ++dx) {
            const int x = cx + dx;
            if (x < 0 || x >= CELLS)
                continue;
            const float wx = wy * (dx ? frac.x : 1.0f - frac.x);
            __local int *cell = hist + (y * CELLS + x) * BINS;
            atomic_add(&cell[o & (BINS - 1)], convert_int_rte(wx * (1.0f - frac.z) * FIXED));
            atomic_add(&cell[(o + 1) & (BINS - 1)], convert_int_rte(wx * frac.z * FIXED));
        }
    }
}

static float group_sum(__local float *tmp, float value)
{
    const int lid = get_local_id(0);
    tmp[lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (lid < s)
            tmp[lid] += tmp[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float sum = tmp[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sift_describe(__global const float *image,
                   __global const float2 *keypoints,
                   __global const float *angles,
                   __global float *descriptors,
                   int width)
{
    __local int hist[DESC_LEN];
    __local float tmp[64];
    const int lid = get_local_id(0);
    const int kp = get_group_id(0);

    const Image img = { image, width };
    const float2 centre = keypoints[kp];
    const float angle = angles[kp];
    float c, s = sincos(angle, &c);

    hist[lid] = 0;
    hist[lid + 64] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int k = lid; k < GRID * GRID; k += 64) {
        float2 g = (float2)(k % GRID, k / GRID) - (GRID / 2 - 0.5f);
        float2 p = centre + (float2)(c * g.x - s * g.y, s * g.x + c * g.y);

        float2 grad;
        grad.x = bilinear(&img, p + (float2)(1.0f, 0.0f)) - bilinear(&img, p - (float2)(1.0f, 0.0f));
        grad.y = bilinear(&img, p + (float2)(0.0f, 1.0f)) - bilinear(&img, p - (float2)(0.0f, 1.0f));

        float gauss = exp(-dot(g, g) / (2.0f * 8.0f * 8.0f));
        float mag = length(grad) * gauss;
        float theta = atan2(grad.y, grad.x) - angle;
        float3 pos;
        pos.xy = g / (GRID / CELLS) + (CELLS / 2 - 0.5f);
        pos.z = theta * (BINS / (2.0f * M_PI_F));
        deposit(hist, pos, mag);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // normalise, clamp large gradients, normalise again
    float a = hist[lid] / FIXED;
    float b = hist[lid + 64] / FIXED;
    float scale = rsqrt(group_sum(tmp, a * a + b * b) + 1e-12f);
    a = fmin(a * scale, 0.2f);
    b = fmin(b * scale, 0.2f);
    scale = rsqrt(group_sum(tmp, a * a + b * b) + 1e-12f);

    __global float *out = descriptors + kp * DESC_LEN;
    out[lid] = a * scale;
    out[lid + 64] = b * scale;
}
