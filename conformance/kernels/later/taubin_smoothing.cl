// @ umbrella_pass 32768|2097152 128 f32:98304|6291456:-1..1 i16:196608|12582912:-300..300 zeros:f32:98304|6291456 0.5f 0.02f
// @ umbrella_pass 32768|2097152 128 #2 #1 zeros:f32:98304|6291456 -0.53f 0.02f
// @ umbrella_pass 32768|2097152 128 #3 #1 #2 0.5f 0.02f
// @ umbrella_pass 32768|2097152 128 #2 #1 #3 -0.53f 0.02f
// @ vertex_normals 32768|2097152 128 #3 #1 >f32:131072|8388608

// Taubin's lambda | mu smoothing of a triangle mesh with six neighbours per vertex, in
// order around it. Vertices are numbered such that neighbours are near (reverse
// Cuthill-McKee), so rings are stored as differences of the numbers, 16 bits each.

#define RING 6

size_t neighbour(size_t v, short step, size_t count)
{
    long n = (long)v + step;
    if (n < 0) n += count;
    if (n >= (long)count) n -= count;
    return (size_t)n;
}

__kernel void umbrella_pass(__global const float * restrict from,
                            __global const short * restrict rings,
                            __global float * restrict to,
                            const float factor,
                            const float softening)
{
    const size_t v = get_global_id(0);
    const size_t count = get_global_size(0);
    const float3 p = vload3(v, from);

    float3 sum = (float3)(0.0f, 0.0f, 0.0f);
    float total = 0.0f;
    for (int k = 0; k < RING; ++k) {
        const float3 q = vload3(neighbour(v, rings[v * RING + k], count), from);
        const float w = rsqrt(dot(q - p, q - p) + softening);      // Fujiwara weights
        sum += w * (q - p);
        total += w;
    }
    vstore3(p + factor / total * sum, v, to);
}

// Normal by Max (1999), and the mean curvature as the fourth
__kernel void vertex_normals(__global const float * restrict mesh,
                             __global const short * restrict rings,
                             __global float4 * restrict normals)
{
    const size_t v = get_global_id(0);
    const size_t count = get_global_size(0);
    const float3 p = vload3(v, mesh);

    float3 edge[RING];
    for (int k = 0; k < RING; ++k)
        edge[k] = vload3(neighbour(v, rings[v * RING + k], count), mesh) - p;

    float3 n = (float3)(0.0f), laplacian = (float3)(0.0f);
    float area = 0.0f;
    for (int k = 0; k < RING; ++k) {
        const float3 a = edge[k], b = edge[k + 1 < RING ? k + 1 : 0];
        const float3 c = cross(a, b);
        const float denominator = dot(a, a) * dot(b, b) + 1.0e-3f;
        n += c / denominator;
        area += 0.5f * sqrt(dot(c, c) + 1.0e-6f);
        laplacian += a;
    }
    n *= rsqrt(dot(n, n) + 1.0f);
    normals[v] = (float4)(n, dot(laplacian, n) / (area + 0.05f));
}
