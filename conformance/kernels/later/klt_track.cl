// @ blur_binomial 64x64|1024x1024 16x16 u8:4096|1048576 zeros:f32:4096|1048576 64|1024 64|1024
// @ klt_refine 512|131072 64 #1 #1 f32:1024|262144:12..51|1011 f32:1024|262144:-0.5..0.5 >f32:1536|393216 64|1024 8 1e-6f

/*
 * Kanade-Lucas-Tomasi feature refinement, inverse compositional: gradients
 * and Hessian are those of the template and do not change with iterations.
 */

#define WIN   7
#define PATCH (WIN + 2)

__kernel void blur_binomial(__global const uchar *src, __global float *dst,
                            const int w, const int h)
{
    const float k[5] = { 1.0f, 4.0f, 6.0f, 4.0f, 1.0f };
    const int x = get_global_id(0), y = get_global_id(1);

    float acc = 0.0f;
    for (int j = -2; j <= 2; ++j) {
        const int yy = clamp(y + j, 0, h - 1);
        float row = 0.0f;
        for (int i = -2; i <= 2; ++i)
            row += k[i + 2] * src[mad24(yy, w, clamp(x + i, 0, w - 1))];
        acc += k[j + 2] * row;
    }
    dst[mad24(y, w, x)] = acc * (1.0f / 256.0f);
}

float bilinear(__global const float *img, int pitch, float2 p)
{
    /* 2 <= p <= pitch - 3: see the clamp of callers */
    const float2 base = floor(p);
    const float2 f = p - base;
    const int at = mad24((int)base.y, pitch, (int)base.x);
    const float top = mix(img[at], img[at + 1], f.x);
    const float bottom = mix(img[at + pitch], img[at + pitch + 1], f.x);
    return mix(top, bottom, f.y);
}

__kernel void klt_refine(__global const float *prev,
                         __global const float *next,
                         __global const float2 *corners,
                         __global const float2 *guess,
                         __global float *tracked,
                         const int width,
                         const int max_iterations,
                         const float epsilon2)
{
    const int id = get_global_id(0);
    const float2 c = corners[id];

    float patch[PATCH * PATCH];
    for (int j = 0; j < PATCH; ++j)
        for (int i = 0; i < PATCH; ++i)
            patch[j * PATCH + i] = bilinear(prev, width,
                c + (float2)(i - PATCH / 2, j - PATCH / 2));

    float2 grad[WIN * WIN];
    float3 hess = (float3)(0.0f);       /* xx, xy, yy */
    for (int j = 0; j < WIN; ++j) {
        for (int i = 0; i < WIN; ++i) {
            const int at = (j + 1) * PATCH + i + 1;
            const float2 g = 0.5f * (float2)(patch[at + 1] - patch[at - 1],
                                             patch[at + PATCH] - patch[at - PATCH]);
            grad[j * WIN + i] = g;
            hess += (float3)(g.x * g.x, g.x * g.y, g.y * g.y);
        }
    }

    const float det = hess.x * hess.z - hess.y * hess.y;
    const float half_trace = 0.5f * (hess.x + hess.z);
    const float min_eigen = half_trace - sqrt(fmax(half_trace * half_trace - det, 0.0f));
    const float inv_det = 1.0f / fmax(det, 1.0f);

    float2 at = c + guess[id];
    for (int it = 0; it < max_iterations; ++it) {
        float2 b = (float2)(0.0f);
        for (int j = 0; j < WIN; ++j) {
            for (int i = 0; i < WIN; ++i) {
                const float2 p = at + (float2)(i - WIN / 2, j - WIN / 2);
                const float e = bilinear(next, width, p) - patch[(j + 1) * PATCH + i + 1];
                b += e * grad[j * WIN + i];
            }
        }
        const float2 step = inv_det * (float2)(hess.z * b.x - hess.y * b.y,
                                               hess.x * b.y - hess.y * b.x);
        at = clamp(at - step, c - 2.0f, c + 2.0f);
        if (dot(step, step) < epsilon2)
            break;
    }

    vstore3((float3)(at, min_eigen / (WIN * WIN)), id, tracked);
}
