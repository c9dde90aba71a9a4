// @ penetration 4096|262144 64 f32:40960|2621440:-1..1 u32:32768|2097152:0..4096|262144 >f32:16384|1048576 8

// Narrow phase of a rigid body simulation: how deep oriented boxes are in their candidates,
// by the separating axis theorem (15 axes, Gottschalk et al. 1996). A body is ten floats:
// position, quaternion, half extents.

typedef struct
{
    float3 centre;
    float3 axis[3];
    float  extent[3];
} Box;

Box loadBox(__global const float* bodies, uint index)
{
    __global const float* b = bodies + (size_t)index * 10;
    Box box;
    box.centre = vload3(0, b) * 2.0f;

    float4 q = vload4(0, b + 3);
    q.w += q.w < 0.0f ? -0.3f : 0.3f;                     // away from zero
    q *= rsqrt(dot(q, q));
    const float3 d = q.xyz * q.xyz * 2.0f;
    const float xy = 2.0f * q.x * q.y, xz = 2.0f * q.x * q.z, yz = 2.0f * q.y * q.z;
    const float3 w = 2.0f * q.w * q.xyz;
    box.axis[0] = (float3)(1.0f - d.y - d.z, xy + w.z, xz - w.y);
    box.axis[1] = (float3)(xy - w.z, 1.0f - d.x - d.z, yz + w.x);
    box.axis[2] = (float3)(xz + w.y, yz - w.x, 1.0f - d.x - d.y);

    const float3 e = 0.65f + 0.25f * vload3(0, b + 7);
    box.extent[0] = e.x;
    box.extent[1] = e.y;
    box.extent[2] = e.z;
    return box;
}

// Depth along the best axis; negative is the distance along a separating one.
float overlap(const Box* a, const Box* b)
{
    float R[3][3], A[3][3];
    float ta[3], tb[3];
    const float3 t = b->centre - a->centre;
    float depth = MAXFLOAT;

    for (int i = 0; i < 3; ++i) {
        ta[i] = dot(t, a->axis[i]);
        tb[i] = dot(t, b->axis[i]);
        for (int j = 0; j < 3; ++j) {
            R[i][j] = dot(a->axis[i], b->axis[j]);
            A[i][j] = fabs(R[i][j]);
        }
    }

    for (int i = 0; i < 3; ++i) {
        const float ra = b->extent[0] * A[i][0] + b->extent[1] * A[i][1] + b->extent[2] * A[i][2];
        depth = fmin(depth, a->extent[i] + ra - fabs(ta[i]));
        const float rb = a->extent[0] * A[0][i] + a->extent[1] * A[1][i] + a->extent[2] * A[2][i];
        depth = fmin(depth, b->extent[i] + rb - fabs(tb[i]));
    }

    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const float sine2 = 1.0f - R[i][j] * R[i][j];
            if (sine2 < 1.0e-3f)                          // parallel edges add nothing
                continue;
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const float ra = a->extent[i1] * A[i2][j] + a->extent[i2] * A[i1][j];
            const float rb = b->extent[j1] * A[i][j2] + b->extent[j2] * A[i][j1];
            const float s = fabs(ta[i2] * R[i1][j] - ta[i1] * R[i2][j]);
            depth = fmin(depth, (ra + rb - s) * rsqrt(sine2));
        }
    }
    return depth;
}

__kernel void penetration(__global const float* bodies,
                          __global const uint* candidates,
                          __global float4* report,
                          const int perBody)
{
    const uint id = get_global_id(0);
    const Box me = loadBox(bodies, id);

    float deepest = -MAXFLOAT, nearest = MAXFLOAT, total = 0.0f;
    float3 push = (float3)(0.0f);
    for (int k = 0; k < perBody; ++k) {
        const uint other = candidates[id * perBody + k];
        if (other == id)
            continue;
        const Box box = loadBox(bodies, other);
        const float d = overlap(&me, &box);
        deepest = fmax(deepest, d);
        nearest = fmin(nearest, fabs(d));
        if (d > 0.0f) {
            total += d;
            const float3 away = me.centre - box.centre;
            push += away * (d * half_rsqrt(dot(away, away) + 0.01f));
        }
    }
    report[id] = (float4)(fmax(deepest, -8.0f), fmin(nearest, 8.0f), total, length(push));
}
