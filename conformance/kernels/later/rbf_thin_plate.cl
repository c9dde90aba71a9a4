// @ eval_thin_plate 2048|262144 128 f16:1024|8192:-1..1 f32:4096|524288:-1.2..1.2 >f32:8192|1048576 256|2048 (0.3f,-0.2f,0.1f,0.05f)

// Thin plate spline surface out of scattered control points: height, slope and the
// Laplacian at many points. A control point is four halves (x, y, weight, tension);
// the polynomial part is (c0, cx, cy, cxy).

#define TILE 128

__kernel __attribute__((reqd_work_group_size(TILE, 1, 1)))
void eval_thin_plate(__global const half *controls,
                     __global const float2 *points,
                     __global float4 *surface,
                     const int count,
                     const float4 poly)
{
    __local float4 tile[TILE];
    const int lid = get_local_id(0);
    const float2 at = points[get_global_id(0)];

    float value = fma(poly.w, at.x * at.y, fma(poly.z, at.y, fma(poly.y, at.x, poly.x)));
    float2 slope = poly.yz + poly.w * at.yx;
    float laplacian = 0.0f;

    for (int first = 0; first < count; first += TILE) {
        tile[lid] = vload_half4(first + lid, controls);
        barrier(CLK_LOCAL_MEM_FENCE);

        const int n = min(TILE, count - first);
#pragma unroll 4
        for (int j = 0; j < n; ++j) {
            const float4 c = tile[j];
            const float2 d = at - c.xy;
            const float r2 = dot(d, d) + 1.0e-5f + 1.0e-2f * c.w * c.w;
            const float l = 0.5f * native_log(r2);          /* ln r */
            /* phi = r^2 ln r */
            value = mad(c.z * r2, l, value);
            slope += c.z * (2.0f * l + 1.0f) * d;
            laplacian = mad(c.z, 4.0f * l + 4.0f, laplacian);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    surface[get_global_id(0)] = (float4)(value, slope, laplacian);
}
