// @ make_knots 2 1 f32:40:0.5..1.5 zeros:f32:40
// @ tessellate 256x256|2048x4096 16x16 f32:1024:-1..1 #1 >f32:262144|33554432
//
// Tessellation of a bicubic NURBS surface, algorithms A2.1, A2.3 (first
// derivatives only) and A4.4 of "The NURBS Book".
// 16x16 control points (x y z weight); knot vectors are clamped, 20 each.
// Output: point, and in w the area element |Su x Sv|.

#define DEGREE   3
#define NCTRL    16
#define NKNOTS   (NCTRL + DEGREE + 1)

// accumulates random gaps, scaled to 0..1; item 0 for u, item 1 for v
__kernel void make_knots(__global const float* gaps, __global float* knots)
{
    gaps  += get_global_id(0) * NKNOTS;
    knots += get_global_id(0) * NKNOTS;

    float total = 0.0f;
    for (int i = DEGREE; i < NCTRL; ++i)
        total += gaps[i];
    float at = 0.0f;
    for (int i = 0; i < NKNOTS; ++i) {
        if (i > DEGREE && i <= NCTRL)
            at += gaps[i - 1] / total;
        knots[i] = (i >= NCTRL) ? 1.0f : at;
    }
}

static int find_span(float u, __constant float* U)
{
    if (u >= U[NCTRL])
        return NCTRL - 1;
    int low = DEGREE, high = NCTRL;
    int mid = (low + high) / 2;
    while (u < U[mid] || u >= U[mid + 1]) {
        if (u < U[mid])
            high = mid;
        else
            low = mid;
        mid = (low + high) / 2;
    }
    return mid;
}

// values and first derivatives of the DEGREE+1 basis functions of a span
static void basis(int span, float u, __constant float* U, float* N, float* dN)
{
    float ndu[DEGREE + 1][DEGREE + 1];
    float left[DEGREE + 1], right[DEGREE + 1];

    ndu[0][0] = 1.0f;
    for (int j = 1; j <= DEGREE; ++j) {
        left[j]  = u - U[span + 1 - j];
        right[j] = U[span + j] - u;
        float saved = 0.0f;
        for (int r = 0; r < j; ++r) {
            ndu[j][r] = right[r + 1] + left[j - r];     // lower triangle
            float temp = ndu[r][j - 1] / ndu[j][r];
            ndu[r][j] = saved + right[r + 1] * temp;    // upper triangle
            saved = left[j - r] * temp;
        }
        ndu[j][j] = saved;
    }
    for (int r = 0; r <= DEGREE; ++r) {
        N[r] = ndu[r][DEGREE];
        float d = 0.0f;
        if (r >= 1)
            d += ndu[r - 1][DEGREE - 1] / ndu[DEGREE][r - 1];
        if (r < DEGREE)
            d -= ndu[r][DEGREE - 1] / ndu[DEGREE][r];
        dN[r] = DEGREE * d;
    }
}

__kernel void tessellate(__constant float4* control, __constant float* knots, __global float4* out)
{
    const int x = get_global_id(0), w = get_global_size(0);
    const int y = get_global_id(1), h = get_global_size(1);
    const float u = (x + 0.5f) / w;
    const float v = (y + 0.5f) / h;

    float Nu[DEGREE + 1], dNu[DEGREE + 1];
    float Nv[DEGREE + 1], dNv[DEGREE + 1];
    const int su = find_span(u, knots);
    const int sv = find_span(v, knots + NKNOTS);
    basis(su, u, knots, Nu, dNu);
    basis(sv, v, knots + NKNOTS, Nv, dNv);

    // homogeneous point and partial derivatives
    float4 A = (float4)(0.0f), Au = (float4)(0.0f), Av = (float4)(0.0f);
    for (int l = 0; l <= DEGREE; ++l) {
        float4 row = (float4)(0.0f), rowU = (float4)(0.0f);
        for (int k = 0; k <= DEGREE; ++k) {
            float4 p = control[(sv - DEGREE + l) * NCTRL + su - DEGREE + k];
            p.w = 1.0f + 0.5f * p.w;            // 0.5 .. 1.5
            p.xyz += (float3)(su + k, sv + l, 0.0f);
            p.xyz *= p.w;
            row  += Nu[k] * p;
            rowU += dNu[k] * p;
        }
        A  += Nv[l] * row;
        Au += Nv[l] * rowU;
        Av += dNv[l] * row;
    }

    const float3 S  = A.xyz / A.w;
    const float3 Su = (Au.xyz - Au.w * S) / A.w;
    const float3 Sv = (Av.xyz - Av.w * S) / A.w;
    out[y * w + x] = (float4)(S, length(cross(Su, Sv)));
}
